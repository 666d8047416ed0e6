package tui

import (
	"fmt"
	"time"

	"parley/render"
	"parley/theme"
	"parley/tui/status"
	"parley/tui/widget"
)

// statusBar is the status line of the window.
type statusBar struct {
	status.Line
	script status.Script
	saving bool // the settings file is being written
}

// statusLine says how the agent works and what it does now. A hint takes its
// place for a while.
func (m *Model) statusLine() string {
	if hint := m.hinted(); hint != "" {
		return widget.Indent + m.theme.Render(theme.Accent, m.cut(hint, max(0, m.width-widget.Margin-1)))
	}
	return m.status.Draw(m.statusFacts())
}

// hinted is the hint that is to be shown now, if any.
func (m *Model) hinted() string {
	switch {
	case m.chord:
		return m.keymap.Leader + " and then a key"
	case !m.aborting.IsZero() && m.now.Sub(m.aborting) >= abortPatience:
		return m.wayOut()
	case m.now.Before(m.hint.until):
		return m.hint.text
	}
	return ""
}

// wayOut says how to go on without an answer to the interrupt.
func (c *conversation) wayOut() string {
	end := "/stop ends it"
	if c.info.Remote {
		end = "/stop leaves it, and the turn goes on there"
	}
	return fmt.Sprintf("not stopped after %s: %s, /new starts another, or wait", render.Duration(c.now.Sub(c.aborting)), end)
}

// abortPatience is how long an interrupt may take before a way out is offered.
const abortPatience = 10 * time.Second

// statusFacts is what the status line is made of now.
func (m *Model) statusFacts() status.Facts {
	s := m.timeline.Status()
	f := status.Facts{
		Session: s, Theme: m.theme, Width: m.width, Now: m.now.In(m.zone), Still: m.still(),
		Agent: m.info.Agent, Dir: m.info.Dir, ModelAsked: m.info.Model, Mode: m.mode(), Demo: m.info.Demo,
		ReadOnly: m.readOnly != nil, AllowAllHere: m.config.AllowAll, Vim: m.composer.editor.VimMode(),
		State: m.sessionState(), CancelledAt: m.aborting, Spinner: m.spinner(), Stop: m.howToStop(),
		OtherSessions: m.othersItem(), Queued: m.waitingPrompts(),
		Todos: len(m.todos.items), TodosDone: finished(m.todos.items), TodosShown: m.layout.todo.height > 0,
		ContextKnown: m.metered, ContextStale: m.outdated,
	}
	f.Script, f.ScriptStale = m.status.script.Text()
	if m.rewording.ID != "" {
		f.Rewording = m.says("{send} keeps it, {interrupt} does not")
	}
	if f.Background = m.runsBesides(); s.Busy {
		f.Background = m.besides()
	}
	if m.timeline.Len() > 0 {
		f.Begun = m.timeline.At(0).At
	}
	return f
}

// sessionState is what the session of the conversation on the screen is doing.
func (m *Model) sessionState() status.State {
	s := m.timeline.Status()
	switch {
	case m.opening && m.readOnly == nil:
		return status.Starting
	case m.lost:
		return status.Disconnected
	case m.readOnly.growing() && (m.opening || m.session != nil):
		return status.Reading
	case m.readOnly != nil && m.session != nil:
		return status.Read
	case m.session == nil:
		return status.Ended
	case m.questions.Len() > 0 && len(m.card) == 0 && !m.covered():
		return status.AskingHidden
	case m.questions.Len() > 0:
		return status.Asking
	case !m.aborting.IsZero():
		return status.Cancelling
	case len(m.shells) > 0 && !s.Busy && !s.Compacting:
		return status.RunningCommand
	}
	return status.Ready
}

// howToStop is which key stops what runs now; "" if nothing runs that it would
// stop at once.
func (c *conversation) howToStop() string {
	key := c.keyFor("interrupt")
	switch {
	case key == "" || c.questions.Len() > 0 || !c.aborting.IsZero() || c.lost || c.opening:
		return ""
	case c.busy() && !c.interruptsAtOnce():
		return key + " " + key + " stops"
	case c.busy() || len(c.shells) > 0:
		return key + " stops"
	}
	return ""
}
