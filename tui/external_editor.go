package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/terminal/handover"
	"parley/tui/conversation"
)

// handOver hands the terminal to another program, by a command that ends in a
// ReturnedMsg. Until then, what is typed is meant for that program.
func (m *Model) handOver(to func() tea.Cmd) tea.Cmd {
	if m.away {
		return nil
	}
	m.away = true
	m.win.Front.LookAway(m.win.Now)
	return m.hide(to)
}

// hide gives the terminal away. A window that is below what the terminal has takes itself off it first.
func (m *Model) hide(then func() tea.Cmd) tea.Cmd {
	if !m.win.Config.Inline {
		return then()
	}
	m.inline.hidden, m.frame.open = true, true
	return func() tea.Msg { return hiddenMsg{then} } // which comes once the empty view was taken
}

// suspend stops the process until the shell continues it.
func (m *Model) suspend(string) tea.Cmd {
	if !handover.CanSuspend {
		return m.win.Front.ShowHint("Windows cannot suspend a program; open another tab or window for a shell.")
	}
	return m.hide(func() tea.Cmd { return m.win.Suspend("") })
}

// retaken follows the terminal back to the window. A question that was open must
// be painted anew before it listens. What the window drew so far may have been
// before that: it draws all again.
func (m *Model) retaken(at time.Time) tea.Cmd {
	m.inline.hidden = false
	m.win.Images.Forget()
	m.win.Front.Questions.Resize(at)
	m.frame.open = true                                           // the screen is cleared next: what is drawn then is this view
	return tea.Batch(tea.ClearScreen, tea.RequestBackgroundColor) // no report came if it changed meanwhile
}

// returned takes the terminal back from another program. Nothing that happened
// meanwhile answers a question.
func (m *Model) returned(msg conversation.ReturnedMsg) tea.Cmd {
	m.win.Pass(msg.At)
	m.away, m.since = false, msg.At
	m.lookBack(msg.At)
	return tea.Batch(m.retaken(msg.At), m.win.Front.ProgramReturned(msg))
}
