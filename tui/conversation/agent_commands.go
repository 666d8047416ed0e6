package conversation

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/session"
	"parley/settings/promptfile"
	"parley/tui/composer"
	"parley/tui/keymap"
	"parley/tui/overlay"
	"parley/tui/picker"
	"parley/tui/widget"
)

// slashCommands run the commands of the table, and those of the agent.
type slashCommands struct {
	*core
	draft    *promptDraft
	queue    *promptQueue
	options  *options
	Handlers map[string]Handler // what the conversation does for its commands
	listing  bool               // the agent's own are being read
	early    string             // a command that was entered before they were known
	again    string             // one that was not known, so that they are read again
}

// theirCommand is a command of the agent as one that can be run here.
func theirCommand(c *core, s session.SlashCommand) keymap.Command {
	return keymap.Command{
		ID: "agent:" + s.Name, Title: described(c, s.Description, s.Path), Slash: s.Name, Aliases: s.Aliases, Args: s.Hint,
		Choices: s.Choices, Required: s.Required, Context: keymap.InAgent, Live: true,
	}
}

// described is what a command does, in a line, and the file that it is from.
func described(c *core, about, path string) string {
	about = text.SanitizeLine(widget.FirstLine(about))
	if path == "" {
		return about
	}
	return text.JoinNonEmpty(c.win.Dot(), about, text.SanitizeLine(shortFile(c, path)))
}

// readSlashes asks the agent for its commands, looks for prompt files, and runs the command
// that was entered before they were known.
func (c *slashCommands) readSlashes() tea.Cmd {
	type found struct {
		agent []session.SlashCommand
		files []promptfile.File
	}
	s, runs := session.As[session.SlashCommandRunner](c.Session)
	files := c.promptFiles()
	return fetch(c.core, func(ctx context.Context) (f found, err error) {
		f.files = files()
		if runs {
			f.agent, err = s.SlashCommands(ctx)
		}
		return f, err
	}, func(f found, err error) tea.Cmd {
		c.listing, c.PromptFiles = false, f.files
		if err == nil {
			c.AgentCommands = f.agent
		}
		return c.runEarly()
	})
}

// runEarly runs the command that was entered before the agent's own were known, if
// it still is what the composer holds. If that is a path after all, it is sent.
func (c *slashCommands) runEarly() tea.Cmd {
	if c.early == "" || c.listing {
		return nil
	}
	early := c.early
	c.early = ""
	switch d := c.Composer.Draft(); {
	case !c.inFront() || d.Prompt() != early:
		return nil
	case !c.begins(d):
		return c.request(SendDraft{})
	default:
		return c.command(d)
	}
}

// invoke runs a command of the agent.
func (c *slashCommands) invoke(command session.SlashCommand, args string) tea.Cmd {
	s, ok := session.As[session.SlashCommandRunner](c.Session)
	switch {
	case !ok:
		return nil
	case c.Busy() && !command.MidTurn:
		c.win.Stash(composer.Plain(strings.TrimSpace("/" + command.Name + " " + args))[0], "not run")
		return c.ShowHint("/%s waits for no turn: run it when this one has ended; {stash} restores it.", c.win.Cut(command.Name, 20))
	case command.Confirm != "":
		c.confirmSlash(command, args)
		return nil
	}
	return ask(c.core, "run /"+command.Name, func(ctx context.Context) (session.SlashResult, error) {
		return s.Invoke(ctx, command.Name, args)
	}, func(r session.SlashResult) tea.Cmd { return c.Invoked(command, args, r) })
}

// confirmSlash runs a command of the agent once the user has chosen to.
func (c *slashCommands) confirmSlash(command session.SlashCommand, args string) {
	c.Pick(&picker.Picker{
		List: widget.List{Rows: []widget.Row{
			{Value: "no", Label: "No, leave it as it is"}, {Value: "yes", Label: "Yes, run /" + command.Name},
		}},
		Title:  command.Confirm,
		Strict: true,
		Pick: Doing(func(r widget.Row) tea.Cmd {
			if r.Value != "yes" {
				return nil
			}
			command.Confirm = ""
			return c.invoke(command, args)
		}),
	}, "")
}

// Invoked shows what came of a command of the agent. Of a prompt that it makes,
// only what the user wrote mentions files.
func (c *slashCommands) Invoked(command session.SlashCommand, args string, r session.SlashResult) tea.Cmd {
	var cmds []tea.Cmd
	switch {
	case r.Prompt != nil:
		in := *r.Prompt
		if in.Delivery == "" {
			in.Delivery = session.Enqueue
		}
		draft := composer.Plain(strings.TrimSpace("/" + command.Name + " " + args))[0]
		cmds = append(cmds, c.queue.send(composer.Outgoing{Input: in, Draft: draft}))
		c.Pane.ToEnd()
	case len(r.Options) > 0:
		c.pickOption(command, r)
	case r.Dialog == "model-picker" && c.Elsewhere():
		c.ShowHint("Choose the model with /model.")
	case r.Dialog == "model-picker":
		cmds = append(cmds, c.options.setModel(""))
	}
	said := r.Entries
	if text := strings.TrimSpace(r.Text); text != "" {
		e := session.SlashEntry{Kind: "info", Text: text}
		if r.Markdown {
			e.Kind = "copilot"
		}
		said = append(slices.Clone(said), e)
	}
	for _, e := range said {
		c.SayEntry(e)
	}
	c.draft.prefill(command, r.Draft)
	switch {
	case len(said) > 0:
		c.Pane.ToEnd()
	case len(cmds) == 0 && len(r.Options) == 0 && r.Draft == "":
		c.ShowHint("/%s is done.", c.win.Cut(command.Name, 20))
	}
	return tea.Batch(cmds...)
}

// SayEntry puts what a command says on the timeline: an entry of its type
// (system-events-and-ui-projection, "Timeline entries from command results").
func (c *slashCommands) SayEntry(e session.SlashEntry) {
	switch e.Kind {
	case "error":
		c.AddNotice(session.SessionError{ErrorType: "command", Message: e.Text, URL: e.URL, Remediation: remedy(e.Remedy)})
	case "warning":
		c.AddNotice(session.SessionWarning{WarningType: "command", Message: e.Text, URL: e.URL, Remediation: remedy(e.Remedy)})
	case "copilot":
		c.AddNotice(session.AssistantMessage{Content: strings.TrimSpace(e.Text + "\n\n" + e.URL)})
	default:
		c.AddNotice(session.SessionInfo{InfoType: "command", Message: e.Text, URL: e.URL, Tip: e.Remedy})
	}
}

// compact asks the agent to summarise what went before.
func (c *slashCommands) compact(args string) tea.Cmd {
	s, ok := session.As[session.Compacter](c.Session)
	if !ok {
		return c.ShowHint("This agent does not summarise on request.")
	}
	return c.job("summarise the conversation", func(ctx context.Context) error { return s.Compact(ctx, args) })
}

// prefill puts what a command suggests into the composer. What is there already
// stays there, and the suggestion is put away.
func (c *promptDraft) prefill(slash session.SlashCommand, text string) {
	switch {
	case text == "":
	case c.Composer.Empty():
		c.SetDraft(composer.Plain(text)[0])
	default:
		c.win.Stash(composer.Plain(text)[0], "suggested by /"+slash.Name)
		c.ShowHint("/%s suggests a draft; {history} shows it.", c.win.Cut(slash.Name, 20))
	}
}

// pickOption lets the user continue a command that has several ways.
func (c *slashCommands) pickOption(command session.SlashCommand, r session.SlashResult) {
	if c.Elsewhere() {
		c.ShowHint("/%s asks for more: run it again.", c.win.Cut(command.Name, 20))
		return
	}
	rows := widget.Rows(r.Options, func(o session.SlashOption) widget.Row {
		return widget.Row{Value: o.Input, Label: cmp.Or(o.Label, o.Input), Detail: widget.FirstLine(o.Description)}
	})
	title := cmp.Or(widget.FirstLine(r.Title), "/"+command.Name)
	c.Pick(&picker.Picker{List: widget.List{Rows: rows}, Title: title, Pick: Doing(func(r widget.Row) tea.Cmd {
		return c.invoke(command, r.Value)
	})}, "")
}

// Palette shows the commands that match what is typed: all that can be done now, or with
// a slash those that are entered beside the draft. After a name its words can follow, as
// in the composer.
func (c *slashCommands) Palette(typed string) {
	c.CloseOverlays()
	all := offered(c.Composer.ByUse(c.slashes()))
	args := ""
	p := &picker.Picker{Title: "Commands"}
	p.Search = func(query string) overlay.Request {
		name, words, spaced := strings.Cut(strings.TrimPrefix(query, "/"), " ")
		args = ""
		if command, ok := keymap.Find(all, name); ok && spaced && strings.HasPrefix(query, "/") {
			args = strings.TrimSpace(words)
			p.Show([]widget.Row{paletteRow(command)})
			return nil
		}
		p.All = nil
		for _, command := range all {
			if command.Slash != "" || !strings.HasPrefix(query, "/") {
				p.All = append(p.All, paletteRow(command))
			}
		}
		p.Show(widget.Match(p.All, strings.TrimPrefix(query, "/")))
		return nil
	}
	p.Pick = Doing(func(r widget.Row) tea.Cmd {
		i := slices.IndexFunc(all, func(command keymap.Command) bool { return command.ID == r.Value })
		if i < 0 {
			return nil
		}
		return c.do(all[i], args)
	})
	p.More = []picker.Key{{Action: "list-words", Title: "words for it", Do: Doing(func(r widget.Row) tea.Cmd {
		if i := slices.IndexFunc(all, func(command keymap.Command) bool { return command.ID == r.Value && command.Slash != "" }); i >= 0 {
			p.SetQuery("/" + all[i].Slash + " ")
		}
		return nil
	})}}
	p.Filter(typed)
	p.Search(typed)
	c.Pick(p, "")
}

// offered are the commands that the palette shows. What only a key of the composer is for
// is none.
func offered(all []keymap.Command) []keymap.Command {
	return slices.DeleteFunc(all, func(c keymap.Command) bool {
		return c.BuiltIn || c.ID == "palette" || c.Context == keymap.InComposer && c.Slash == ""
	})
}

// paletteRow is a command in the palette.
func paletteRow(c keymap.Command) widget.Row {
	row := widget.Row{Value: c.ID, Label: c.Title, Name: c.Slash, Terms: strings.Join(c.Aliases, " ")}
	if len(c.Keys) > 0 {
		row.Right = c.Keys[0]
	}
	if c.Slash != "" {
		row.Detail = strings.TrimSpace("/" + c.Slash + " " + c.Args)
	}
	return row
}

// slashes is the table of commands with those of the agent and the prompt files behind it.
// A name of ours hides one of the agent's, and is no more than that of a file: both have a
// prefix then.
func (c *core) slashes() []keymap.Command {
	all := slices.Clone(c.win.commands)
	for _, slash := range c.AgentCommands {
		their := theirCommand(c, slash)
		if _, ours := keymap.Find(c.win.commands, slash.Name); ours && slash.Kind == "skill" {
			their.Slash = skillPrefix + slash.Name
		} else if ours || slash.Name == "" {
			continue
		}
		all = append(all, their)
	}
	return slices.Concat(all, promptCommands(c, all))
}

// QueuedCommand returns the command of the window's own that an event of the
// agent's queue asks for, and the question that it answers. It fails closed: what an agent
// could gain by is not marked in the table, words after the name are not taken, and nothing
// opens over a question, a draft, or what else the user has turned to.
func (c *slashCommands) QueuedCommand(ev session.Event) (keymap.Command, session.RequestID, bool) {
	b, ok := ev.Body.(session.CommandQueued)
	if !ok || ev.Replayed || c.ReadOnly != nil {
		return keymap.Command{}, "", false
	}
	if _, asks := session.As[session.CommandHost](c.Session); !asks {
		return keymap.Command{}, "", false
	}
	name, args, ok := keymap.ParseSlash(b.Command)
	command, known := keymap.Find(keymap.Commands(), name)
	if !ok || !known || args != "" || !command.Queued {
		return keymap.Command{}, "", false
	}
	f := c.focus()
	return command, b.RequestID, c.inFront() && (f == composing || f == browsing) && c.Questions.Len() == 0 && c.Composer.Empty()
}

// carryOut runs a command of the agent's queue, shows that, and reports it to the agent.
func (c *slashCommands) carryOut(command keymap.Command, id session.RequestID) tea.Cmd {
	s, ok := session.As[session.CommandHost](c.Session)
	if !ok {
		return nil
	}
	cmd := c.run(command, "")
	c.AddNotice(session.SessionInfo{
		InfoType: "command", Message: "Carried out: the command `/" + command.Slash + "` of the agent's queue.",
	})
	return tea.Batch(cmd, attempt(c.core, "tell the agent that /"+command.Slash+" is done", func(ctx context.Context) error {
		err := s.CommandHandled(ctx, id)
		if errors.Is(err, session.ErrResolved) {
			return nil // it continues anyway
		}
		return err
	}, func() tea.Cmd { return nil }))
}
