package tui

import (
	"time"

	"parley/terminal/handover"

	tea "charm.land/bubbletea/v2"
)

// cancel is ctrl+c: it undoes the nearest thing that can be undone, and never
// answers a question.
func (m *Model) cancel(string) tea.Cmd {
	switch f := m.front.focus(); {
	case m.mouse.hasSelection():
		return m.front.blocks.do(m.front.nav.CopySelection())
	case f == overlaid:
		m.front.closeOverlays()
	case f == answering:
		m.front.questions.Blur(m.win.now)
	case f == searching || f == browsing || m.front.nav.Beneath():
		return m.front.blocks.do(m.front.nav.Leave())
	case !m.front.composer.Empty():
		m.front.draft.putAway("cleared")
		m.front.showHint("Draft cleared; {undo.undo} or {stash} restores it.")
	case m.front.shell.stopShells():
	case m.front.busy():
		return m.front.input.interrupt()
	case m.front.again("quit", "cancel"):
		return m.win.settled(tea.Quit)
	default:
		m.front.showHint("{cancel} again to quit%s", m.endsToo())
	}
	return nil
}

// escape, pressed twice or as often as the settings say, interrupts the agent.
// Idle, it puts the draft away, or without one shows where the conversation can
// go back to. What lies on top takes its first press before it comes here.
func (c *keyInput) escape(string) tea.Cmd {
	switch {
	case c.stepBack():
	case c.busy() && (c.win.interruptsAtOnce() || c.again("interrupt", "interrupt")):
		return c.interrupt()
	case c.busy():
		c.showHint("{interrupt} again to interrupt")
	case c.shell.stopShells():
	case !c.composer.Empty() && c.again("clear", "interrupt"):
		c.draft.putAway("cleared")
		c.showHint("Draft stashed; {stash} or {undo.undo} restores it.")
	case !c.composer.Empty():
		c.showHint("{interrupt} again to put the draft away")
	case c.again("rewind", "interrupt"):
		return c.checkpoints.rewind("")
	case c.readOnly != nil:
		c.armed = armed{}
		return c.onlyRead()
	default:
		c.showHint("{interrupt} again to go back to an earlier prompt")
	}
	return nil
}

// interruptsAtOnce reports whether the first press of the key interrupts.
func (w *windowState) interruptsAtOnce() bool {
	return w.config.Settings.Interrupt == "single" && !w.vim
}

// stepBack leaves what the draft is in the place of, and reports whether there
// was something.
func (c *keyInput) stepBack() bool {
	switch {
	case c.draft.rewording.ID != "":
		c.queue.stopRewording()
		c.showHint("The prompt stays as it was.")
	case c.nav.Beneath():
		c.blocks.do(c.nav.Leave())
	default:
		return false
	}
	return true
}

// interrupt asks the agent to stop the turn. The request leaves at once, and
// again each time the user asks.
func (c *keyInput) interrupt() tea.Cmd {
	if c.session == nil || c.readOnly != nil {
		return nil
	}
	if c.aborting.IsZero() {
		c.aborting = c.win.now
	}
	c.hint = hint{}
	return c.own(abort(c.win.ctx, c.session))
}

// aborted takes the end of the request to stop; that the turn has stopped is
// an event.
func (c *conversation) aborted(msg abortedMsg) {
	if msg.session == c.session && msg.err != nil {
		c.aborting = time.Time{}
		c.fail("interrupt the agent", msg.err, "/stop ends it.")
	}
}

// quitTwice is ctrl+d on an empty draft; over a draft the editor has the key.
func (m *Model) quitTwice(string) tea.Cmd {
	if m.front.again("quit", "delete") {
		return m.win.settled(tea.Quit)
	}
	m.front.showHint("{delete} again to quit%s", m.endsToo())
	return nil
}

func (w *windowState) suspend(string) tea.Cmd {
	return w.lend(handover.Suspend, func(error) tea.Msg { return tea.ResumeMsg{} })
}

func (w *windowState) quit(string) tea.Cmd { return w.settled(tea.Quit) }
