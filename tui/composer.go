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

// recall shows the prompt n further, if there is one. A recalled prompt that was
// changed is the draft from then on.
func (c *composer) recall(n int) {
	if text := c.editor.Text(); c.at == len(c.sent) || text != c.sent[c.at] {
		c.at, c.draft = len(c.sent), text
	}
	to := c.at + n
	if to < 0 || to > len(c.sent) {
		return
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

// giveBack returns texts that could not be sent to the draft; what was typed
// meanwhile follows them.
func (c *composer) giveBack(texts ...string) {
	if rest := c.editor.Text(); rest != "" {
		texts = append(texts, rest)
	}
	c.editor.SetText(strings.Join(texts, "\n"))
}

// submit sends the draft. While a turn runs it steers that turn.
func (m *Model) submit(string) tea.Cmd {
	if m.composer.editor.TakeBackslash() {
		return m.edited()
	}
	if m.now.Before(m.hush) {
		return nil
	}
	if m.lost && !m.composer.slash() {
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
	case in.Delivery == session.Immediate && status.RunningShell && !m.again("steer", "send"):
		m.tell("Steering moves the running command to the background: enter again, or ctrl+q")
		return nil
	}
	m.composer.take()
	m.edited()
	m.pane.end()
	m.wrote = true
	if m.session == nil {
		m.held = append(m.held, in)
		return nil
	}
	return m.send(in)
}

// sent takes the end of a send. What could not be sent is a draft again.
func (m *Model) sent(msg sentMsg) tea.Cmd {
	if msg.err == nil {
		return nil
	}
	m.composer.giveBack(msg.input.Prompt)
	if msg.session == m.session {
		m.fail("send the prompt", msg.err, "It is in the composer again.")
	}
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

// slash reports whether the draft is a command.
func (c *composer) slash() bool { return strings.HasPrefix(c.editor.lines[0].text, "/") }

// completions opens or closes the list of commands as a slash command is
// typed. A list that was moved in or closed stays so until the text changes.
func (m *Model) completions() {
	if m.list != nil && m.list.picking {
		return
	}
	typed := ""
	if e := m.composer.editor; m.composer.slash() && len(e.lines) == 1 && !strings.Contains(e.lines[0].text, " ") {
		typed = e.lines[0].text
	}
	if typed == m.completed {
		return
	}
	m.completed, m.list = typed, nil
	if typed == "" {
		return
	}
	var rows []row
	for _, c := range complete(m.commands, typed[1:]) {
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
