package copilot

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"parley/session"
)

// clientCommandGrace is how long a command may take that another program has
// brought along. The runtime itself waits for ever (docs/protocol.md, section 8.4).
const clientCommandGrace = 30 * time.Second

// resetGrants is the runtime's command that takes back what was allowed for the
// session; it does so at once and says nothing.
const resetGrants = "reset-allowed-tools"

// slashCommand is an entry of session.commands.list.
type slashCommand struct {
	session.SlashCommand
	Input struct {
		Hint     string `json:"hint"`
		Required bool   `json:"required"`
		Choices  []struct {
			Name string `json:"name"`
		} `json:"choices"`
	} `json:"input"`
}

// is reports whether the command goes by a name.
func (c slashCommand) is(name string) bool {
	same := func(n string) bool { return strings.EqualFold(n, name) }
	return same(c.Name) || slices.ContainsFunc(c.Aliases, same)
}

// SlashCommands implements session.SlashCommandRunner.
func (s *Session) SlashCommands(ctx context.Context) ([]session.SlashCommand, error) {
	list, err := s.slashCommands(ctx)
	skills, _ := equipment{s.link}.skills(ctx) // they only say more about some of them
	commands := make([]session.SlashCommand, 0, len(list))
	for _, c := range list {
		c.Hint, c.Required = c.Input.Hint, c.Input.Required
		if c.Name == resetGrants {
			c.Confirm = "Revoke all that was allowed for this session?"
		}
		for _, choice := range c.Input.Choices {
			c.Choices = append(c.Choices, choice.Name)
		}
		i := slices.IndexFunc(skills, func(k session.Skill) bool { return k.Command == c.Name })
		if c.Kind == "skill" && i >= 0 {
			c.Path, c.Hint = skills[i].Path, skills[i].ArgumentHint
		}
		commands = append(commands, c.SlashCommand)
	}
	return commands, attempt(err, "list the slash commands")
}

func (s *Session) slashCommands(ctx context.Context) ([]slashCommand, error) {
	return ask[[]slashCommand](ctx, s, "session.commands.list", nil, "commands")
}

// Invoke implements session.SlashCommandRunner. A command that another program brought
// along has clientCommandGrace to end. Commands that could load what a folder
// brings along are done without the runtime's command (see folderCommand). What the runtime leaves to its client,
// the mode and the model, is set before Invoke returns; the prompt and the
// dialog are not.
func (s *Session) Invoke(ctx context.Context, name, input string) (session.SlashResult, error) {
	name = strings.ToLower(strings.TrimPrefix(name, "/"))
	result, err := s.invoke(ctx, name, input)
	if err != nil {
		return session.SlashResult{}, attempt(err, "run /%s", name)
	}
	return result, nil
}

func (s *Session) invoke(ctx context.Context, name, input string) (session.SlashResult, error) {
	if err := s.settled(ctx); err != nil { // the folder may bring the command along
		return session.SlashResult{}, err
	}
	list, err := s.slashCommands(ctx)
	if err != nil {
		return session.SlashResult{}, err
	}
	i := slices.IndexFunc(list, func(c slashCommand) bool { return c.is(name) })
	late := errors.New("the program that brought this command along has not answered")
	if i >= 0 {
		name = list[i].Name
		if list[i].Kind == "client" {
			bounded, cancel := context.WithTimeoutCause(ctx, clientCommandGrace, late)
			defer cancel()
			ctx = bounded
		}
		if r, taken, err := s.folderCommand(ctx, name, input); taken {
			return r, err
		}
	}
	p := object{"name": name}
	optional(p, "input", input)
	var done invocation
	err = s.call(ctx, "session.commands.invoke", p, &done)
	if err != nil && errors.Is(context.Cause(ctx), late) {
		err = late
	}
	if err != nil {
		return session.SlashResult{}, err
	}
	if name == "model" && done.nothing() {
		if done, err = modelCommand(input); err != nil {
			return session.SlashResult{}, err
		}
	}
	result, err := s.effect(ctx, done)
	if err == nil && name == resetGrants {
		result.Text = lines("What was allowed for this session is asked for again.", result.Text)
	}
	return result, err
}
