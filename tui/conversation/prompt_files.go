package conversation

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/settings/promptfile"
	"parley/tui/composer"
	"parley/tui/keymap"
)

// What stands before the name of a command that another one has: of a prompt file, and of a
// skill of the agent.
const (
	promptPrefix = "prompt:"
	skillPrefix  = "skill:"
)

// promptFiles returns what finds the prompt files of the user, and before them those of
// the folder, unless the agent does not trust it or it is on another machine.
func (c *slashCommands) promptFiles() func() []promptfile.File {
	dir, home, settings := c.Info.Dir, c.win.Config.Home, ""
	if file := c.win.Config.SettingsFile; file != "" {
		settings = filepath.Dir(file)
	}
	trusts, _ := session.As[session.FolderTruster](c.Session)
	if c.Info.Remote {
		dir = ""
	}
	if c.ReadOnly != nil {
		return func() []promptfile.File { return nil }
	}
	return func() []promptfile.File {
		var all []promptfile.File
		if dir != "" && (trusts == nil || trusts.FolderTrusted()) {
			all = promptfile.OfFolder(dir)
		}
		return promptfile.Nearest(all, promptfile.OfUser(settings, home))
	}
}

// promptCommands are the commands that are prompt files, beside those that are known. One
// that the agent has as a command is the agent's.
func promptCommands(c *core, known []keymap.Command) []keymap.Command {
	var all []keymap.Command
	for _, f := range c.PromptFiles {
		if slices.ContainsFunc(c.AgentCommands, func(s session.SlashCommand) bool { return s.Path == f.Path }) {
			continue
		}
		command := keymap.Command{
			ID: promptPrefix + f.Name, Title: described(c, f.Description, f.Path), Slash: f.Name, Args: f.Hint,
			Aliases: []string{promptPrefix + f.Name}, Context: keymap.InPrompts, Live: true,
		}
		if _, taken := keymap.Find(known, f.Name); taken {
			command.Slash, command.Aliases = promptPrefix+f.Name, nil
		}
		all = append(all, command)
	}
	return all
}

// fillPrompt puts the text of a prompt file into the composer, with the words after the
// command's name. It is sent by a key, and as a prompt, whatever it begins with.
func (c *slashCommands) fillPrompt(command keymap.Command, args string) tea.Cmd {
	i := slices.IndexFunc(c.PromptFiles, func(f promptfile.File) bool { return promptPrefix+f.Name == command.ID })
	if i < 0 {
		return nil
	}
	f := c.PromptFiles[i]
	return ask(c.core, "read the prompt file", func(context.Context) (string, error) { return f.Text(args) }, func(text string) tea.Cmd {
		if strings.HasPrefix(text, "/") || strings.HasPrefix(text, "!") {
			text = " " + text
		}
		if !c.Composer.Empty() {
			c.draft.prefill(session.SlashCommand{Name: command.Slash}, text)
			return nil
		}
		c.draft.SetDraft(composer.Plain(text)[0])
		return c.ShowHint("This is /%s: {send} sends it.", c.win.Cut(command.Slash, keymap.LongestName))
	})
}
