package demo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parley/session"
)

// The kinds of the agent's commands.
const (
	builtin   = "builtin"
	skillKind = "skill"
)

// SlashCommands implements session.SlashCommandRunner.
func (s *Session) SlashCommands(context.Context) ([]session.SlashCommand, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commands(), nil
}

// commands is SlashCommands for who holds mu.
func (s *Session) commands() []session.SlashCommand {
	all := []session.SlashCommand{
		{Name: "env", Description: "Show what the agent is equipped with (pretended)", Kind: builtin, MidTurn: true},
		{
			Name: "memory", Description: "What the agent remembers (pretended)", Kind: builtin, Hint: "show|on|off",
			Choices: []string{"show", "on", "off"}, MidTurn: true,
		},
		{Name: "model", Aliases: []string{"models"}, Description: "Choose a model", Kind: builtin, MidTurn: true},
		{Name: "review", Description: "Review the changes of the scratch folder", Kind: builtin, Hint: "what to look at"},
	}
	for _, k := range s.skills() {
		if k.Enabled {
			all = append(all, session.SlashCommand{Name: k.Command, Description: k.Description, Kind: skillKind, Hint: "what to look at"})
		}
	}
	return all
}

// Invoke implements session.SlashCommandRunner.
func (s *Session) Invoke(_ context.Context, name, input string) (result session.SlashResult, err error) {
	err = s.change("run /"+name, func() error {
		all := s.commands()
		i := slices.IndexFunc(all, func(c session.SlashCommand) bool { return c.Name == name || slices.Contains(c.Aliases, name) })
		if i < 0 {
			return fmt.Errorf("the demo has no such command")
		}
		input = strings.TrimSpace(input)
		switch c := all[i]; c.Name {
		case "env":
			result = s.environment()
		case "memory":
			result, err = memory(input)
			return err
		case "model":
			result.Dialog = "model-picker"
		case "review":
			result.Prompt = &session.Input{Prompt: "parallel reading, for a review", Display: shown(c.Name, input)}
		default:
			s.out.put(s.invoked(c))
			result.Prompt = &session.Input{Prompt: "parallel reading, for a skill", Display: shown(c.Name, input)}
		}
		return nil
	})
	return result, err
}

// shown is a command as it was typed.
func shown(name, input string) string { return strings.TrimSpace("/" + name + " " + input) }

// invoked says that a skill was loaded.
func (s *Session) invoked(c session.SlashCommand) session.SkillInvoked {
	k := session.SkillInvoked{
		Name: c.Name, Description: c.Description, Model: s.model, Trigger: "user-invoked",
		Content: "The demo pretends to have read this skill.\n",
	}
	for _, skill := range s.skills() {
		if skill.Name == c.Name {
			k.Path, k.Source = skill.Path, skill.Source
		}
	}
	return k
}

// environment is what /env says.
func (s *Session) environment() session.SlashResult {
	var b strings.Builder
	b.WriteString("## Environment\n\nPretended, but for the folder.\n\n| What | Which |\n|---|---|\n")
	row := func(what string, names ...string) {
		fmt.Fprintf(&b, "| %s | `%s` |\n", what, strings.Join(names, "` `"))
	}
	var skills, agents, connections []string
	for _, k := range s.skills() {
		skills = append(skills, k.Name)
	}
	for _, a := range personas() {
		agents = append(agents, a.Name)
	}
	for _, m := range s.servers {
		connections = append(connections, m.Name)
	}
	row("Folder", s.scratch)
	row("Skills", skills...)
	row("Agents", agents...)
	row("MCP servers", connections...)
	return session.SlashResult{Text: b.String(), Markdown: true}
}

// memory is what /memory does: it offers what can come after it, and pretends
// to have done it.
func memory(input string) (session.SlashResult, error) {
	switch input {
	case "":
		return session.SlashResult{Title: "Memory", Options: []session.SlashOption{
			{Input: "show", Label: "Show", Description: "what is remembered"},
			{Input: "on", Label: "On", Description: "remember from now on"},
			{Input: "off", Label: "Off", Description: "forget everything, as the demo does"},
		}}, nil
	case "show":
		return session.SlashResult{Entries: []session.SlashEntry{{Kind: "info", Text: "The demo remembers nothing."}}}, nil
	case "on", "off":
		return session.SlashResult{Text: "The demo pretends that its memory is " + input + " now."}, nil
	}
	return session.SlashResult{}, fmt.Errorf("%q is not one of show, on and off", input)
}
