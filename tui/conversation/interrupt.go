package conversation

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// escapeRest is how long after an escape that closed something the next one counts as meant
// for that, too, and not as the first of two.
const escapeRest = time.Second

// escape, pressed twice or as often as the settings say, interrupts the agent.
// Idle, it puts the draft away, or without one shows where the conversation can
// go back to. What lies on top takes its first press before it comes here.
func (c *keyInput) escape(string) tea.Cmd {
	switch {
	case c.stepBack():
		c.win.escaped = c.win.Now
	case c.Busy() && (c.win.interruptsAtOnce() || c.Again("interrupt", "interrupt")):
		return c.Interrupt()
	case c.Busy():
		c.ShowHint("{interrupt} again to interrupt")
	case c.shell.stopShells():
	case !c.Composer.Empty() && c.Again("clear", "interrupt"):
		c.draft.putAway("cleared")
		c.ShowHint("Draft stashed; {stash} or {undo.undo} restores it.")
	case !c.Composer.Empty():
		c.ShowHint("{interrupt} again to stash the draft")
	case c.win.Now.Sub(c.win.escaped) < escapeRest: // one too many for what was closed
		c.win.escaped = c.win.Now
	case c.Again("rewind", "interrupt"):
		return c.checkpoints.rewind("")
	case c.ReadOnly != nil:
		c.Armed = Armed{}
		return c.OnlyRead()
	default:
		c.ShowHint("{interrupt} again to go back to an earlier prompt")
	}
	return nil
}

// interruptsAtOnce reports whether the first press of the key interrupts.
func (w *Window) interruptsAtOnce() bool {
	return w.Config.Settings.Interrupt == "single" && !w.Vim
}

// stepBack leaves what the draft is in the place of, and reports whether there
// was something.
func (c *keyInput) stepBack() bool {
	switch {
	case c.draft.Rewording.ID != "":
		c.queue.stopRewording()
		c.ShowHint("The prompt stays as it was.")
	case c.Nav.Beneath():
		c.blocks.Do(c.Nav.Leave())
	default:
		return false
	}
	return true
}

// Interrupt asks the agent to stop the turn. The request leaves at once, and
// again each time the user asks.
func (c *keyInput) Interrupt() tea.Cmd {
	if c.Session == nil || c.ReadOnly != nil {
		return nil
	}
	if c.Aborting.IsZero() {
		c.Aborting = c.win.Now
	}
	c.Hint = Hint{}
	ctx, s := c.win.Ctx, c.Session
	return c.own(func() tea.Msg { return AbortedMsg{s, s.Abort(ctx)} })
}

// aborted takes the end of the request to stop; that the turn has stopped is
// an event.
func (c *Conversation) aborted(msg AbortedMsg) {
	if msg.Session == c.Session && msg.Err != nil {
		c.Aborting = time.Time{}
		c.Fail("interrupt the agent", msg.Err, "/stop ends it.")
	}
}
