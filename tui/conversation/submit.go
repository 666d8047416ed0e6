package conversation

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/render/text"
	"parley/session"
	"parley/tui/composer"
	"parley/tui/keymap"
	"parley/tui/picker"
	"parley/tui/widget"
)

// bytesPerToken is what a token of English or of code has, by and large.
const bytesPerToken = 4

// focusQuestionInstead takes a lone key out of the draft that would answer the question which
// waits, and moves to the question. It answers nothing, and nothing is sent.
func (c *keyInput) focusQuestionInstead() tea.Cmd {
	c.draft.SetDraft(drafts.Draft{})
	c.Questions.Focus(c.win.Now)
	return c.ShowHint("Nothing was sent: a question waits, and has the keys now.")
}

// take empties the draft, which was dealt with, and keeps it among the prompts.
func (c *promptDraft) take() tea.Cmd {
	d := c.Composer.Draft()
	c.SetDraft(drafts.Draft{})
	if c.ReadOnly != nil {
		return nil // what one does to read is no prompt
	}
	c.Composer.SetFacts(c.composerFacts())
	return c.Composer.Remember(d)
}

// submit sends the draft. While a turn runs it steers that turn, or waits for its
// end where the settings say so.
func (c *keyInput) submit(string) tea.Cmd {
	if c.Composer.TakeBackslash() {
		return c.draft.edited()
	}
	if c.win.Now.Before(c.noSendBefore) {
		return nil
	}
	if n := c.first.chosen(); n > 0 {
		return c.first.choose(n)
	}
	if c.Disconnected && !c.commands.begins(c.Composer.Draft()) {
		return c.request(ReconnectAndSend{})
	}
	busy := session.Immediate
	if c.win.Config.Settings.BusyEnter == "queue" {
		busy = session.Enqueue
	}
	if d := c.Composer.Draft(); c.mayAnswer(d) {
		return c.offerAsAnswer(d, busy)
	}
	return c.SendDraft(busy)
}

// mayAnswer reports whether a draft may be meant as the answer to the question that waits.
func (c *keyInput) mayAnswer(d drafts.Draft) bool {
	said := strings.TrimSpace(d.Prompt())
	return c.Questions.TakesWords() && said != "" && len(d.Chips) == 0 && c.ReadOnly == nil && c.draft.Rewording.ID == "" &&
		!c.commands.begins(d) && !composer.Begins(d, "!") && !c.Questions.AnswerKey(said)
}

// enqueue sends the draft to be dealt with after the running turn.
func (c *keyInput) enqueue(string) tea.Cmd {
	if c.win.Now.Before(c.noSendBefore) { // its key may be tab or enter
		return nil
	}
	return c.SendDraft(session.Enqueue)
}

// asksForLarge reports whether a prompt is larger than the context of the model, and asks
// for a second press then.
func (c *keyInput) asksForLarge(tokens, limit int) bool {
	if limit <= 0 || tokens <= limit || c.Again("large", "send") {
		return false
	}
	c.ShowHint("About %s tokens, of %s that the model takes: {send} again sends it all the same", text.Tokens(tokens), text.Tokens(limit))
	return true
}

// SendDraft sends the draft, while a turn runs with a delivery; a command, or what begins with !, it runs.
func (c *keyInput) SendDraft(busy session.Delivery) tea.Cmd {
	if c.draft.Rewording.ID != "" {
		return c.queue.reworded()
	}
	d := c.Composer.Draft()
	prompt := d.Prompt()
	switch {
	case len(d.Chips) == 0 && c.Questions.AnswerKey(strings.TrimSpace(prompt)):
		return c.focusQuestionInstead()
	case c.commands.begins(d):
		return c.commands.command(d)
	case c.Questions.BegunOnCard(c.win.Now):
		return c.holdTypedOnCard(d, busy)
	case c.ReadOnly != nil && (d.Empty() || c.win.Foreign(c.ReadOnly.Session)):
		return c.OnlyRead()
	case c.ReadOnly != nil:
		return c.ShowHint("Read only: {continue-here} continues this session, with what you wrote.")
	case composer.Begins(d, "!"):
		return c.shell.runDraft(d)
	}
	if strings.TrimSpace(prompt) == "" || c.checkpoints.asksForRedo(d, func() tea.Cmd { return c.SendDraft(busy) }) {
		return nil
	}
	out := composer.Outgoing{Input: session.Input{Prompt: prompt, Delivery: session.Enqueue}, Draft: d}
	if c.Timeline.Status().Busy {
		out.Delivery = busy
	}
	if instead, refused := c.refusesPrompt(out); refused {
		return instead
	}
	c.checkpoints.rewound = rewound{}
	keep := c.draft.take()
	c.Composer.Sent(out)
	c.Pane.ToEnd()
	c.Wrote = true
	if c.Session == nil {
		c.queue.Early = append(c.queue.Early, out)
		return keep
	}
	return tea.Batch(keep, c.queue.send(out))
}

// holdTypedOnCard leaves a draft that begins as keys of the question that waits. What
// moving the command to the background asks is asked with it.
func (c *keyInput) holdTypedOnCard(d drafts.Draft, busy session.Delivery) tea.Cmd {
	if busy == session.Immediate && c.Timeline.Status().AskedShell && !composer.Begins(d, "!") {
		c.Again("steer", "send")
		return c.ShowHint("Not sent: {answer} answers, {send} again moves the command to the background.")
	}
	return c.ShowHint("Not sent: you typed on the question. {answer} answers it, {send} again sends.")
}

// refusesPrompt reports whether a prompt is not sent as things are, and returns what is
// done instead.
func (c *keyInput) refusesPrompt(out composer.Outgoing) (instead tea.Cmd, refused bool) {
	status := c.Timeline.Status()
	switch {
	case c.Session == nil && !c.Opening:
		return c.ShowHint("The session has ended: /new starts another. The draft stays."), true
	case c.account.stopsPrompt(status.Busy):
		return c.account.signInToSend(), true
	case c.asksForLarge(len(out.Prompt)/bytesPerToken, status.ContextLimit):
		return nil, true
	case out.Delivery == session.Immediate && status.RunningShell && !c.Again("steer", "send"):
		return c.ShowHint("This moves the running command to the background: {send} again, or {queue}"), true
	case out.Delivery == session.Immediate && status.AskedShell && !c.Again("steer", "send"):
		return c.ShowHint("Once allowed, the command moves to the background: {send} again, or {queue}"), true
	}
	return nil, false
}

// offerAsAnswer lets the user choose whether the draft is the answer to the question that
// waits, which is written on its line then and not sent, or goes to the agent.
func (c *keyInput) offerAsAnswer(d drafts.Draft, busy session.Delivery) tea.Cmd {
	prompt := d.Prompt()
	beside := "queued"
	if busy == session.Immediate {
		beside = "for its next step"
	}
	rows := []widget.Row{
		{Value: "answer", Label: "The answer to the question", Detail: "written on its line: " + c.win.says("{send}") + " there sends it"},
		{Value: "send", Label: "For the agent, beside the question", Detail: beside},
	}
	c.Pick(&picker.Picker{List: widget.List{Rows: rows}, Title: "What is it for?", Pick: Doing(func(r widget.Row) tea.Cmd {
		if r.Value == "send" {
			return c.SendDraft(busy)
		}
		c.draft.SetDraft(drafts.Draft{})
		c.Questions.Compose(prompt, c.win.Now)
		return nil
	})}, "answer")
	return nil
}

// begins reports whether a draft begins with a slash command, known or not, and not with
// a path. A name without a second slash may be that of a file until all commands are read.
func (c *slashCommands) begins(d drafts.Draft) bool {
	if !composer.Begins(d, "/") {
		return false
	}
	name, _, _ := keymap.ParseSlash(d.Prompt())
	return !keymap.IsPath(c.slashes(), name) || !strings.Contains(name, "/") && (c.Opening || c.listing || c.unread(d))
}

// unread reports whether commands are to be read before a draft is known to be none: it may
// be a prompt file that is new.
func (c *slashCommands) unread(d drafts.Draft) bool {
	return c.Session != nil && c.ReadOnly == nil && c.again != d.Prompt()
}

// command runs a slash command. One that is unknown, or that nothing is there
// for, stays in the composer; until the agent's own are known it may be one of these.
func (c *slashCommands) command(d drafts.Draft) tea.Cmd {
	name, args, _ := keymap.ParseSlash(d.Prompt())
	all := c.slashes()
	command, ok := keymap.Find(all, name)
	switch {
	case ok:
	case c.Opening || c.listing:
		c.early = d.Prompt()
		return c.ShowHint("/%s runs once the agent has said which commands it has.", c.win.Cut(name, keymap.LongestName))
	case c.unread(d):
		c.early, c.again, c.listing = d.Prompt(), d.Prompt(), true
		return c.readSlashes()
	default:
		c.again = ""
		if unknown := keymap.Unknown(all, name); text.Width(unknown) <= c.win.Width-2*widget.Margin {
			c.ShowHint("%s", unknown) // a slip is no part of the conversation
		} else {
			c.Warn("command", unknown)
			c.Pane.ToEnd()
		}
		return nil
	}
	if !c.can(command) {
		return nil
	}
	keep := c.draft.take()
	if command.ID == "plan" { // it takes what follows its name as a draft, chips and all
		return tea.Batch(keep, c.planFirst(composer.After(d, len(d.Text)-len(strings.TrimLeft(d.Text[1+len(name):], " \n")))))
	}
	return tea.Batch(keep, c.run(command, args))
}

// can reports whether there is a session for a command that needs one, and says
// so if not.
func (c *slashCommands) can(command keymap.Command) bool {
	switch {
	case command.Live && !command.Reads && c.ReadOnly != nil:
		c.OnlyRead()
		return false
	case !command.Live || c.Session != nil:
		return true
	case c.Opening:
		c.ShowHint(sessionStarts)
	default:
		c.ShowHint("The session has ended: {send} reconnects, /new starts another.")
	}
	return false
}

// do runs a command with the words after it.
func (c *slashCommands) do(command keymap.Command, args string) tea.Cmd {
	if !c.can(command) {
		return nil
	}
	return c.run(command, args)
}

// Run runs a command of the table by its ID, with the words after it, as its name does.
func (c *slashCommands) Run(id, args string) tea.Cmd {
	i := slices.IndexFunc(c.win.commands, func(command keymap.Command) bool { return command.ID == id })
	if i < 0 {
		return nil
	}
	return c.do(c.win.commands[i], args)
}

// run runs a command of the table, or of the agent, for which it can be run. One that
// is the window's is asked for.
func (c *slashCommands) run(command keymap.Command, args string) tea.Cmd {
	switch {
	case command.Context == keymap.InPrompts:
		return c.fillPrompt(command, args)
	case command.Context != keymap.InAgent:
		if handle := c.Handlers[command.ID]; handle != nil {
			return handle(args)
		}
		c.request(RunInWindow{command, args})
		return nil
	}
	i := slices.IndexFunc(c.AgentCommands, func(t session.SlashCommand) bool { return "agent:"+t.Name == command.ID })
	if i < 0 {
		return nil // the agent has it no more
	}
	return c.invoke(c.AgentCommands[i], args)
}
