package copilot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"parley/session"
)

var (
	_ session.AgentPicker  = (*Session)(nil)
	_ session.SkillManager = (*Session)(nil)
	_ session.McpManager   = (*Session)(nil)
)

// CustomAgents implements session.AgentPicker. The agents the runtime brings
// along are not among them: they are for tasks, not for conversations.
func (e *equipment) CustomAgents(ctx context.Context) (agents []session.CustomAgent, selected string, err error) {
	var list struct {
		Agents []session.CustomAgent `json:"agents"`
	}
	var current struct {
		Agent session.CustomAgent `json:"agent"` // null is the default agent
	}
	err = e.call(ctx, "session.agent.list", object{}, &list)
	if err == nil {
		err = e.call(ctx, "session.agent.getCurrent", object{}, &current)
	}
	if err != nil {
		return nil, "", fmt.Errorf("list the custom agents: %w", err)
	}
	return list.Agents, current.Agent.Name, nil
}

// SelectAgent implements session.AgentPicker.
func (e *equipment) SelectAgent(ctx context.Context, name string) error {
	if name == "" {
		if err := e.call(ctx, "session.agent.deselect", object{}, nil); err != nil {
			return fmt.Errorf("go back to the default agent: %w", err)
		}
		return nil
	}
	if err := e.call(ctx, "session.agent.select", object{"name": name}, nil); err != nil {
		return fmt.Errorf("select the agent %s: %w", name, err)
	}
	return nil
}

// Skills implements session.SkillManager.
func (e *equipment) Skills(ctx context.Context) ([]session.Skill, error) {
	skills, err := e.skills(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the skills: %w", err)
	}
	return skills, nil
}

func (e *equipment) skills(ctx context.Context) ([]session.Skill, error) {
	var list struct {
		Skills []session.SkillInfo `json:"skills"`
	}
	if err := e.call(ctx, "session.skills.list", object{}, &list); err != nil {
		return nil, err
	}
	skills := make([]session.Skill, 0, len(list.Skills))
	for _, i := range list.Skills {
		skill := session.Skill{
			Name: i.Name, Description: i.Description, Source: i.Source, Path: i.Path, Enabled: i.Enabled,
		}
		if i.UserInvocable && i.Enabled {
			skill.Command = i.CommandName
		}
		skills = append(skills, skill)
	}
	return skills, nil
}

// EnableSkill implements session.SkillManager.
func (e *equipment) EnableSkill(ctx context.Context, name string, on bool) error {
	method, what := "session.skills.disable", "switch off"
	if on {
		method, what = "session.skills.enable", "switch on"
	}
	err := e.call(ctx, method, object{"name": name}, nil)
	if err == nil {
		err = e.skillIs(ctx, name, on)
	}
	if err != nil {
		return fmt.Errorf("%s the skill %s: %w", what, name, err)
	}
	return nil
}

// skillIs makes sure of what became of a skill: the runtime takes any name.
func (e *equipment) skillIs(ctx context.Context, name string, on bool) error {
	skills, err := e.skills(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(skills, func(k session.Skill) bool { return k.Name == name })
	switch {
	case i < 0:
		return errors.New("there is no such skill")
	case skills[i].Enabled != on:
		return errors.New("the runtime left it as it was")
	}
	return nil
}

// McpServers implements session.McpManager. Before the first prompt it can take
// as long as the servers take to start.
func (e *equipment) McpServers(ctx context.Context) ([]session.McpServer, error) {
	servers, err := e.servers(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the MCP servers: %w", err)
	}
	return servers, nil
}

func (e *equipment) servers(ctx context.Context) ([]session.McpServer, error) {
	var list struct {
		Servers []session.McpServer `json:"servers"`
	}
	err := e.call(ctx, "session.mcp.list", object{}, &list)
	return list.Servers, err
}

// McpTools implements session.McpManager.
func (e *equipment) McpTools(ctx context.Context, server string) ([]session.McpTool, error) {
	var list struct {
		Tools []struct {
			Name        string `json:"name"`
			Description string `json:"description"`
		} `json:"tools"`
	}
	if err := e.call(ctx, "session.mcp.listTools", object{"serverName": server}, &list); err != nil {
		return nil, fmt.Errorf("list the tools of the MCP server %s: %w", server, err)
	}
	tools := make([]session.McpTool, 0, len(list.Tools))
	for _, t := range list.Tools {
		tools = append(tools, session.McpTool{Name: t.Name, Description: t.Description})
	}
	return tools, nil
}

// EnableMcp implements session.McpManager.
func (e *equipment) EnableMcp(ctx context.Context, server string, on bool) error {
	method, what := "session.mcp.disable", "switch off"
	if on {
		method, what = "session.mcp.enable", "switch on"
	}
	if err := e.onServer(ctx, method, server); err != nil {
		return fmt.Errorf("%s the MCP server %s: %w", what, server, err)
	}
	return nil
}

// RestartMcp implements session.McpManager.
func (e *equipment) RestartMcp(ctx context.Context, server string) error {
	if err := e.onServer(ctx, "session.mcp.restartServer", server); err != nil {
		return fmt.Errorf("restart the MCP server %s: %w", server, err)
	}
	return nil
}

// onServer makes a call about a server, if there is one of that name: the
// runtime takes any. Listing them starts the runtime's part for them, too.
func (e *equipment) onServer(ctx context.Context, method, server string) error {
	servers, err := e.servers(ctx)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(servers, func(m session.McpServer) bool { return m.Name == server }) {
		return errors.New("there is no such server")
	}
	return e.call(ctx, method, object{"serverName": server}, nil)
}
