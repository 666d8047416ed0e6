package tui

import (
	"errors"
	"time"

	"parley/terminal/handover"

	tea "charm.land/bubbletea/v2"
)

// edition is a text on its way through the user's own editor and back.
type edition struct {
	text     string
	name     string // of the file, for its extension
	readOnly bool
	result   string // what the user saved
	// back takes what was saved. It is called only when the editor ended well
	// and the text was to be written on.
	back func(text string) tea.Cmd
}

// returnedMsg ends an edition, or another program that had the terminal: it is
// the window's again.
type returnedMsg struct {
	at      time.Time
	edition *edition
	err     error
	then    func(err error) tea.Cmd // takes the end of another program; nil for an edition
}

// handOver hands the terminal to another program, by a command that ends in a
// returnedMsg. Until then, what is typed is meant for that program.
func (m *Model) handOver(to func() tea.Cmd) tea.Cmd {
	if m.away {
		return nil
	}
	m.away = true
	m.front.lookAway(m.win.now)
	return to()
}

// retaken follows the terminal back to the window. A question that was open must
// be painted anew before it listens. What the window drew so far may have been
// before that: it draws all again.
func (m *Model) retaken(at time.Time) tea.Cmd {
	m.win.images.Gone()
	m.front.questions.Resize(at)
	m.frame.open = true                                           // the screen is cleared next: what is drawn then is this view
	return tea.Batch(tea.ClearScreen, tea.RequestBackgroundColor) // no report came if it changed meanwhile
}

// returned takes the terminal back from another program. Nothing that happened
// meanwhile answers a question.
func (m *Model) returned(msg returnedMsg) tea.Cmd {
	m.win.pass(msg.at)
	m.away, m.since = false, msg.at
	m.lookBack(msg.at)
	return tea.Batch(m.retaken(msg.at), m.front.programReturned(msg))
}

// programReturned takes what came of the other program.
func (c *conversation) programReturned(msg returnedMsg) tea.Cmd {
	if msg.then != nil {
		return msg.then(msg.err)
	}
	e := msg.edition
	if msg.err != nil {
		next := "Set EDITOR to an editor that is installed, such as EDITOR=vim."
		var failed *handover.ExitError
		if errors.As(msg.err, &failed) {
			next = "Your text is unchanged."
		}
		c.fail("edit the text", msg.err, next)
		return nil
	}
	if e.readOnly {
		return nil
	}
	return e.back(handover.EditedText(e.text, e.result))
}

// editDraft opens the draft in the editor.
func (c *promptDraft) editDraft(string) tea.Cmd {
	before := c.composer.Draft()
	return c.request(editText{&edition{text: before.Prompt(), name: "prompt.md", back: func(text string) tea.Cmd {
		if text == c.composer.Text() {
			return nil
		}
		if now := c.composer.Draft(); now.Prompt() != before.Prompt() {
			c.win.stash(now, "replaced") // something came back meanwhile
		}
		c.composer.Editor.SetDraft(before.Edited(text))
		return c.edited()
	}}})
}
