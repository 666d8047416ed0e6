package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	"parley/session"
	"parley/tui/composer"
	"parley/tui/keymap"
)

// meantCard takes a lone key out of the draft that would answer the question which
// waits, and moves to the question. It answers nothing, and nothing is sent.
func (c *conversation) meantCard() tea.Cmd {
	c.setDraft(drafts.Draft{})
	c.questions.Focus(c.now)
	c.tell("Nothing was sent: a question waits, and has the keys now.")
	return nil
}

// take empties the draft, which was dealt with, and keeps it among the prompts.
func (c *conversation) take() tea.Cmd {
	d := c.composer.Draft()
	c.setDraft(drafts.Draft{})
	if c.readOnly != nil {
		return nil // what one does to read is no prompt
	}
	c.composer.SetFacts(c.composerFacts())
	return c.composer.Remember(d)
}

// submit sends the draft. While a turn runs it steers that turn, or waits for its
// end where the settings say so.
func (m *conversation) submit(string) tea.Cmd {
	if m.composer.TakeBackslash() {
		return m.edited()
	}
	if m.now.Before(m.hush) {
		return nil
	}
	if m.lost && !m.composer.IsCommand() {
		return m.request(reconnectAndSend{})
	}
	if m.config.Settings.BusyEnter == "queue" {
		return m.sendDraft(session.Enqueue)
	}
	return m.sendDraft(session.Immediate)
}

// enqueue sends the draft to be dealt with after the running turn.
func (m *conversation) enqueue(string) tea.Cmd {
	if m.now.Before(m.hush) { // its key may be tab or enter
		return nil
	}
	return m.sendDraft(session.Enqueue)
}

func (m *conversation) sendDraft(busy session.Delivery) tea.Cmd {
	if m.rewording.ID != "" {
		return m.reworded()
	}
	d := m.composer.Draft()
	text := d.Prompt()
	switch {
	case len(d.Chips) == 0 && m.questions.AnswerKey(strings.TrimSpace(text)):
		return m.meantCard()
	case composer.Begins(d, "/"):
		return m.command(d)
	case m.readOnly != nil:
		return m.keepDraft(!d.Empty())
	case composer.Begins(d, "!"):
		return m.runDraft(d)
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	status := m.timeline.Status()
	out := composer.Outgoing{Input: session.Input{Prompt: text, Delivery: session.Enqueue}, Draft: d}
	if status.Busy {
		out.Delivery = busy
	}
	switch {
	case m.session == nil && !m.opening:
		m.tell("The session has ended: /new starts another. The draft stays.")
		return nil
	case out.Delivery == session.Immediate && status.RunningShell && !m.again("steer", "send"):
		m.tell("Steering moves the running command to the background: {send} again, or {queue}")
		return nil
	}
	keep := m.take()
	m.composer.Sent(out)
	m.toEnd()
	m.wrote = true
	if m.session == nil {
		m.held = append(m.held, out)
		return keep
	}
	return tea.Batch(keep, m.send(out))
}

// command runs a slash command. One that is unknown, or that nothing is there
// for, stays in the composer; until the agent's own are known it may be one of these.
func (m *conversation) command(d drafts.Draft) tea.Cmd {
	name, args, _ := keymap.ParseSlash(d.Prompt())
	all := m.slashes()
	c, ok := keymap.Find(all, name)
	switch {
	case ok:
	case m.opening || m.listing:
		m.early = d.Prompt()
		m.tell("/%s runs once the agent has said which commands it has.", m.cut(name, keymap.LongestName))
		return nil
	default:
		m.warn("command", keymap.Unknown(all, name))
		m.toEnd()
		return nil
	}
	if !m.can(c) {
		return nil
	}
	keep := m.take()
	if draft := draftHandler(c.ID); draft != nil {
		return tea.Batch(keep, draft(m, composer.After(d, len(d.Text)-len(strings.TrimLeft(d.Text[1+len(name):], " \n")))))
	}
	return tea.Batch(keep, m.run(c, args))
}

// can reports whether there is a session for a command that needs one, and says
// so if not.
func (c *conversation) can(command keymap.Command) bool {
	switch {
	case command.Live && !command.Reads && c.readOnly != nil:
		c.onlyRead()
		return false
	case !command.Live || c.session != nil:
		return true
	case c.opening:
		c.tell("The session is starting: try again in a moment.")
	default:
		c.tell("The session has ended: {send} reconnects, /new starts another.")
	}
	return false
}

// do runs a command with the words after it.
func (m *conversation) do(c keymap.Command, args string) tea.Cmd {
	if !m.can(c) {
		return nil
	}
	return m.run(c, args)
}

// run runs a command of the table, or of the agent, for which it can be run. One that
// is the window's is asked for.
func (m *conversation) run(c keymap.Command, args string) tea.Cmd {
	if c.Context != keymap.InAgent {
		if handle := m.commandHandlers[c.ID]; handle != nil {
			return handle(m, args)
		}
		m.request(runInWindow{c, args})
		return nil
	}
	i := slices.IndexFunc(m.theirs, func(t session.SlashCommand) bool { return t.Name == c.Slash })
	if i < 0 {
		return nil // the agent has it no more
	}
	return m.invoke(m.theirs[i], args)
}
