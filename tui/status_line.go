package tui

import (
	"fmt"
	"time"

	"parley/render/text"
	"parley/theme"
	"parley/tui/status"
	"parley/tui/widget"
)

// statusBar is the status line of the window.
type statusBar struct {
	status.Line
	win    *windowState
	script status.Script
	saving bool // the settings file is being written
}

// statusLine says how the agent works and what it does now. A hint takes its
// place for a while.
func (m *Model) statusLine() string {
	if hint := m.front.hinted(); hint != "" {
		return widget.Indent + m.win.theme.Render(theme.Accent, m.win.cut(hint, max(0, m.win.width-widget.Margin-1)))
	}
	return m.status.Draw(m.statusFacts())
}

// hinted is the hint that is to be shown now, if any.
func (c *core) hinted() string {
	switch {
	case c.win.chord.pressed:
		return c.win.keymap.Leader + " …"
	case !c.aborting.IsZero() && c.win.now.Sub(c.aborting) >= abortPatience:
		return c.wayOut()
	case c.win.now.Before(c.hint.until):
		return c.hint.text
	}
	return ""
}

// wayOut shows what to do without an answer to the interrupt.
func (c *core) wayOut() string {
	end := "/stop ends it"
	if c.info.Remote {
		end = "/stop leaves it, and the turn continues there"
	}
	return fmt.Sprintf("not stopped after %s: %s, /new starts another, or wait", text.Duration(c.win.now.Sub(c.aborting)), end)
}

// abortPatience is how long an interrupt may take before a way out is offered.
const abortPatience = 10 * time.Second

// statusFacts is what the status line is made of now.
func (m *Model) statusFacts() status.Facts {
	s := m.front.timeline.Status()
	f := status.Facts{
		Session: s, Theme: m.win.theme, Width: m.win.width, Now: m.win.now.In(m.win.zone), Still: m.win.still(),
		Agent: m.front.info.Agent, Dir: m.front.info.Dir, ModelAsked: m.front.info.Model, Mode: m.front.mode(), Demo: m.front.info.Demo,
		ReadOnly: m.front.readOnly != nil, AllowAllHere: m.win.config.AllowAll, Vim: m.front.composer.VimMode(),
		State: stateOf(m.front, len(m.view.card) == 0 && !m.win.covered()), CancelledAt: m.front.aborting,
		Spinner: m.win.spinner(), Stop: m.front.howToStop(),
		OtherSessions: m.othersItem(), Queued: m.front.queue.waitingPrompts(),
		Todos: len(m.front.todos.items), TodosDone: finished(m.front.todos.items), TodosShown: m.view.layout.todo.height > 0,
		ContextKnown: m.front.metered, ContextStale: m.front.outdated,
	}
	f.Script, f.ScriptStale = m.status.script.Text()
	if m.front.draft.rewording.ID != "" {
		f.Rewording = m.win.says("{send} keeps it, {interrupt} does not")
	}
	if f.Background = m.front.tasks.runningText(); s.Busy {
		f.Background = m.front.tasks.backgroundText()
	}
	if m.front.timeline.Len() > 0 {
		f.Begun = m.front.timeline.At(0).At
	}
	return f
}

// stateOf is what the session of a conversation is doing. Its open question may be
// hidden.
func stateOf(c *conversation, hidden bool) status.State {
	s := c.timeline.Status()
	switch {
	case c.opening && c.readOnly == nil:
		return status.Starting
	case c.disconnected:
		return status.Disconnected
	case c.readOnly.growing() && (c.opening || c.session != nil):
		return status.Reading
	case c.readOnly != nil && c.session != nil:
		return status.Read
	case c.session == nil:
		return status.Ended
	case c.questions.Len() > 0 && hidden:
		return status.AskingHidden
	case c.questions.Len() > 0:
		return status.Asking
	case !c.aborting.IsZero():
		return status.Cancelling
	case len(c.shells) > 0 && !s.Busy && !s.Compacting:
		return status.RunningCommand
	}
	return status.Ready
}

// howToStop is which key stops what runs now; "" if nothing runs that it would
// stop at once.
func (c *core) howToStop() string {
	key := c.win.keyFor("interrupt")
	switch {
	case key == "" || c.questions.Len() > 0 || !c.aborting.IsZero() || c.disconnected || c.opening:
		return ""
	case c.busy() && !c.win.interruptsAtOnce():
		return key + " " + key + " stops"
	case c.busy() || len(c.shells) > 0:
		return key + " stops"
	}
	return ""
}
