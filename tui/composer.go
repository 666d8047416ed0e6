package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// composer is where prompts are written.
type composer struct {
	editor *editor
	sent   []string // prompts sent from this window, oldest first
	at     int      // the one shown; len(sent) is the draft
	draft  string   // what was typed before going back in sent
}

func newComposer() composer { return composer{editor: newEditor()} }

// recallKey goes through the prompts sent before. The editor has the arrows
// first, and leaves them at the edges of the draft.
func (c *composer) recallKey(name string) {
	switch name {
	case "up", "ctrl+p":
		c.recall(-1)
	case "down", "ctrl+n":
		c.recall(1)
	}
}

// recall shows the prompt n further, if there is one.
func (c *composer) recall(n int) {
	to := c.at + n
	if to < 0 || to > len(c.sent) {
		return
	}
	if c.at == len(c.sent) {
		c.draft = c.editor.Text()
	}
	c.at = to
	text := c.draft
	if to < len(c.sent) {
		text = c.sent[to]
	}
	c.editor.SetText(text)
}

// take empties the draft and remembers it.
func (c *composer) take() {
	text := c.editor.Text()
	c.editor.SetText("")
	if n := len(c.sent); text != "" && (n == 0 || c.sent[n-1] != text) {
		c.sent = append(c.sent, text)
	}
	c.at, c.draft = len(c.sent), ""
}

// giveBack returns a text that could not be sent to the draft; what was typed
// meanwhile follows it.
func (c *composer) giveBack(text string) {
	if rest := c.editor.Text(); rest != "" {
		text += "\n" + rest
	}
	c.editor.SetText(text)
}

// submit sends the draft. While a turn runs it steers that turn.
func (m *Model) submit(string) tea.Cmd {
	if m.composer.editor.TakeBackslash() {
		return m.edited()
	}
	if _, _, slash := parseCommand(m.composer.editor.Text()); m.lost && !slash {
		return m.reconnect()
	}
	return m.sendDraft(session.Immediate)
}

// enqueue sends the draft to be dealt with after the running turn.
func (m *Model) enqueue(string) tea.Cmd { return m.sendDraft(session.Enqueue) }

func (m *Model) sendDraft(busy session.Delivery) tea.Cmd {
	text := m.composer.editor.Text()
	if name, args, ok := parseCommand(text); ok {
		return m.command(name, args)
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	status := m.timeline.Status()
	in := session.Input{Prompt: text, Delivery: session.Enqueue}
	if status.Busy {
		in.Delivery = busy
	}
	switch {
	case m.session == nil && !m.opening:
		m.tell("The session has ended: /new starts another. The draft stays.")
		return nil
	case in.Delivery == session.Immediate && status.RunningShell && !m.steerTold:
		m.steerTold = true
		m.tell("Steering moves the running command to the background: enter again, or ctrl+q")
		return nil
	}
	m.composer.take()
	m.edited()
	m.pane.end()
	if m.session == nil {
		m.held = append(m.held, in)
		return nil
	}
	return send(m.ctx, m.session, in)
}

// sent takes the end of a send. What could not be sent is a draft again.
func (m *Model) sent(msg sentMsg) tea.Cmd {
	if msg.err == nil {
		return nil
	}
	m.composer.giveBack(msg.input.Prompt)
	m.fail("send the prompt", msg.err, "It is in the composer again; press enter to try once more.")
	return m.edited()
}

// command runs a slash command. An unknown one stays in the composer.
func (m *Model) command(name, args string) tea.Cmd {
	c, ok := slash(m.commands, name)
	if !ok {
		m.warn("command", unknown(m.commands, name))
		m.pane.end()
		return nil
	}
	m.composer.take()
	m.edited()
	return c.run(m, args)
}

// completions opens or closes the list of commands as a slash command is
// typed.
func (m *Model) completions() {
	if m.list != nil && m.list.picking {
		return
	}
	m.list = nil
	name, args, ok := parseCommand(m.composer.editor.Text())
	if !ok || args != "" || strings.ContainsAny(m.composer.editor.Text(), " \n") {
		return
	}
	var rows []row
	for _, c := range complete(m.commands, name) {
		rows = append(rows, row{value: "/" + c.Slash, label: strings.TrimSpace("/" + c.Slash + " " + c.Args), detail: c.Title})
	}
	if len(rows) > 0 {
		m.list = &list{rows: rows}
	}
}

// completionKey routes a key to open completions: Tab takes one, the arrows
// move, Esc closes; Enter takes one only after a move, otherwise it submits.
func (m *Model) completionKey(name string) bool {
	l := m.list
	switch name {
	case "up", "ctrl+p":
		l.move(-1)
	case "down", "ctrl+n":
		l.move(1)
	case "esc":
		m.list = nil
	case "tab", "enter":
		value := l.rows[l.chosen].value
		if name == "enter" && (!l.moved || value == m.composer.editor.Text()) {
			return false
		}
		m.composer.editor.SetText(value)
		m.edited()
		if name == "tab" {
			m.composer.editor.Insert(" ")
			m.edited()
		}
	default:
		return false
	}
	return true
}
