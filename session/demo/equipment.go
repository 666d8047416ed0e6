package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"parley/session"
	"parley/session/local"
)

// errNotFound is the error of a call about something that is not there.
var errNotFound = errors.New("not found")

// find returns the one of a name in a list; the error says that it is not there.
func find[T any](what, name string, list []T, nameOf func(T) string) (*T, error) {
	i := slices.IndexFunc(list, func(x T) bool { return nameOf(x) == name })
	if i < 0 {
		return nil, fmt.Errorf("%s %q: %w", what, name, errNotFound)
	}
	return &list[i], nil
}

// cloned returns a list that mu guards.
func cloned[T any](s *local.Session, list *[]T) []T {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return slices.Clone(*list)
}

// equipment is what the agent of a session pretends to be equipped with: custom
// agents, skills, MCP servers, and commands.
type equipment struct {
	core     *local.Session
	scratch  string
	selected string // the custom agent; "" is the default one
	model    string // that answers
	skills   []session.Skill
	servers  []session.McpServer
}

// environment is what stands in the text about the environment.
func environment(e *equipment) values {
	facts := map[string]string{"folder": e.scratch}
	for _, s := range e.skills {
		facts["skills"] += " `" + s.Name + "`"
	}
	for _, a := range pretended().Agents {
		facts["agents"] += " `" + a.Name + "`"
	}
	for _, s := range e.servers {
		facts["servers"] += " `" + s.Name + "`"
	}
	return func(name string, _ []string) string { return facts[name] }
}

// CustomAgents implements session.AgentPicker.
func (e *equipment) CustomAgents(context.Context) (agents []session.CustomAgent, selected string, err error) {
	e.core.Mu.Lock()
	defer e.core.Mu.Unlock()
	return slices.Clone(pretended().Agents), e.selected, nil
}

// SelectAgent implements session.AgentPicker. The demo says the same whoever
// says it.
func (e *equipment) SelectAgent(_ context.Context, name string) error {
	return e.core.Change("select an agent", func() error {
		if name == e.selected {
			return nil
		}
		if name == "" {
			e.core.Log.Put(session.SubagentDeselected{})
		} else {
			a, err := find("agent", name, pretended().Agents, func(a session.CustomAgent) string { return a.Name })
			if err != nil {
				return err
			}
			e.core.Log.Put(session.SubagentSelected{AgentName: name, AgentDisplayName: a.DisplayName, Tools: a.Tools})
		}
		e.selected = name
		return nil
	})
}

// Skills implements session.SkillManager.
func (e *equipment) Skills(context.Context) ([]session.Skill, error) {
	return cloned(e.core, &e.skills), nil
}

// EnableSkill implements session.SkillManager. The command of a skill comes and
// goes with it.
func (e *equipment) EnableSkill(_ context.Context, name string, on bool) error {
	return e.core.Change("switch a skill", func() error {
		skill, err := find("skill", name, e.skills, func(k session.Skill) string { return k.Name })
		if err != nil || skill.Enabled == on {
			return err
		}
		skill.Enabled = on
		e.core.Log.Put(session.SessionSkillsLoaded{Skills: slices.Clone(e.skills)})
		e.core.Log.Put(session.CommandsChanged{})
		return nil
	})
}

// The states of an MCP server (docs/protocol.md, section 8.6).
const (
	connected = "connected"
	needsAuth = "needs-auth"
	disabled  = "disabled"
	pending   = "pending"
)

// ticketServer is the server that cannot be connected without signing in.
const ticketServer = "demo-tickets"

// McpServers implements session.McpManager.
func (e *equipment) McpServers(context.Context) ([]session.McpServer, error) {
	return cloned(e.core, &e.servers), nil
}

// server is the server of that name. The caller holds mu.
func (e *equipment) server(name string) (*session.McpServer, error) {
	return find("MCP server", name, e.servers, func(m session.McpServer) string { return m.Name })
}

// McpTools implements session.McpManager.
func (e *equipment) McpTools(_ context.Context, name string) ([]session.McpTool, error) {
	e.core.Mu.Lock()
	defer e.core.Mu.Unlock()
	m, err := e.server(name)
	if err == nil && m.Status != connected {
		err = fmt.Errorf("MCP server %q is %s", name, m.Status)
	}
	if err != nil {
		return nil, fmt.Errorf("list the tools: %w", err)
	}
	return slices.Clone(pretended().ServerTools[name]), nil
}

// EnableMcp implements session.McpManager.
func (e *equipment) EnableMcp(_ context.Context, name string, on bool) error {
	return e.core.Change("switch an MCP server", func() error {
		m, err := e.server(name)
		switch {
		case err != nil || on == (m.Status != disabled):
			return err
		case on:
			e.connect(m)
		default:
			e.serverStatus(m, disabled)
		}
		return nil
	})
}

// RestartMcp implements session.McpManager. It helps the server that has failed.
func (e *equipment) RestartMcp(_ context.Context, name string) error {
	return e.core.Change("restart an MCP server", func() error {
		m, err := e.server(name)
		if err == nil && m.Status == disabled {
			err = fmt.Errorf("MCP server %q is switched off", name)
		}
		if err == nil {
			e.connect(m)
		}
		return err
	})
}

// ReloadMcp implements session.McpManager. The demo reads no files, so that nothing changes.
func (*equipment) ReloadMcp(context.Context) error { return nil }

// connect starts a server.
func (e *equipment) connect(m *session.McpServer) {
	e.serverStatus(m, pending)
	if m.Name == ticketServer {
		e.serverStatus(m, needsAuth)
		return
	}
	e.serverStatus(m, connected)
}

func (e *equipment) serverStatus(m *session.McpServer, status string) {
	m.Status, m.Error = status, ""
	e.core.Log.Put(session.SessionMcpServerStatusChanged{ServerName: m.Name, Status: status, ConfigSource: m.Source})
}

// SlashCommands implements session.SlashCommandRunner.
func (e *equipment) SlashCommands(context.Context) ([]session.SlashCommand, error) {
	e.core.Mu.Lock()
	defer e.core.Mu.Unlock()
	return e.commands(), nil
}

// commands is SlashCommands for who holds mu.
func (e *equipment) commands() []session.SlashCommand {
	all := slices.Clone(pretended().Commands)
	for _, k := range e.skills {
		if k.Enabled {
			all = append(all, session.SlashCommand{Name: k.Command, Description: k.Description, Kind: "skill", Hint: "what to look at"})
		}
	}
	return all
}

// Invoke implements session.SlashCommandRunner.
func (e *equipment) Invoke(_ context.Context, name, input string) (result session.SlashResult, err error) {
	err = e.core.Change("run /"+name, func() error {
		c, err := find("command", name, e.commands(), func(c session.SlashCommand) string {
			if slices.Contains(c.Aliases, name) {
				return name
			}
			return c.Name
		})
		if err != nil {
			return err
		}
		typed := strings.TrimSpace(c.Name + " " + strings.TrimSpace(input))
		known, ok := pretended().Results[typed]
		switch {
		case ok:
			result = known
		case c.Name == "env":
			result = session.SlashResult{Markdown: true, Text: scenes().text(scenes().Texts["environment"], environment(e))}
		case c.Choices != nil:
			return fmt.Errorf("%q is not one of %s", strings.TrimSpace(input), strings.Join(c.Choices, ", "))
		case c.Kind == "skill":
			e.core.Log.Put(e.invoked(c.Name))
			result.Prompt = &session.Input{Prompt: "parallel reading, for a skill", Display: "/" + typed}
		default:
			result.Prompt = &session.Input{Prompt: "parallel reading, for a review", Display: "/" + typed}
		}
		return nil
	})
	return result, err
}

// invoked says that a skill was loaded.
func (e *equipment) invoked(command string) session.SkillInvoked {
	k := e.skills[slices.IndexFunc(e.skills, func(k session.Skill) bool { return k.Command == command })]
	return session.SkillInvoked{
		Name: k.Name, Description: k.Description, Path: k.Path, Source: k.Source, Model: e.model, Trigger: "user-invoked",
		Content: "The demo pretends to have read this skill.\n",
	}
}

// Complete implements session.Completer: the issues after a "#" that begins a
// word, by their number or by words of their titles.
func (e *equipment) Complete(_ context.Context, text string, offset int) ([]session.Completion, error) {
	offset = max(0, min(offset, len(text)))
	from := strings.LastIndexAny(text[:offset], " \t\n") + 1
	word, ok := strings.CutPrefix(text[from:offset], "#")
	if !ok {
		return nil, nil
	}
	var found []session.Completion
	for _, c := range pretended().Issues {
		title := strings.TrimPrefix(c.Label, c.Text)
		if strings.HasPrefix(c.Text, "#"+word) || strings.Contains(strings.ToLower(title), strings.ToLower(word)) {
			c.From, c.To = from, offset
			found = append(found, c)
		}
	}
	return found, nil
}
