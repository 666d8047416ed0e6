package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// frame lets the view be rebuilt at most once per frame: at once for the first
// change, then not before the frame is over. What the user did first in a
// frame that something else began is shown at once too, so that a key never
// waits for two frames. Bubble Tea asks for the view after every message,
// however many there are.
type frame struct {
	open  bool // the next view is built anew
	dirty bool // something changed since the last one
	timed bool // a message will come at the end of the frame
	input bool // the user's part of the frame is taken
	soon  bool // the next view shows what the user did
	built tea.View
}

// frameTime is the least time between two frames.
const frameTime = time.Second / frameRate

// touch notes a change, by the user or by anything else. It reports whether a frame
// begins, whose end next is to be called at.
func (f *frame) touch(input bool) (begins bool) {
	f.dirty = true
	if input && (!f.timed || !f.input) {
		f.open, f.soon = true, true
	}
	f.open = f.open || !f.timed
	if f.timed {
		f.input = f.input || input
		return false
	}
	f.timed, f.input = true, input
	return true
}

// next ends the frame, and begins another if anything changed meanwhile.
func (f *frame) next() (begins bool) {
	f.timed = false
	return f.dirty && f.touch(false)
}

// frameEnd is the end of a frame that begins.
func (w *windowState) frameEnd(begins bool) tea.Cmd {
	if !begins {
		return nil
	}
	return w.after(frameTime, func(time.Time) tea.Msg { return frameMsg{} })
}

// view returns the view, built by build if it is due.
func (f *frame) view(build func() tea.View) tea.View {
	if f.open {
		f.open, f.dirty = false, false
		f.built = build()
	}
	return f.built
}

// painting follows one generation of a question's card to the terminal: it
// must have been part of a view, that view must have been flushed, and the
// terminal must have answered what was asked after it (decision 2).
type painting struct {
	generation uint64 // followed now; 0 is none
	drawn      uint64 // generation of the card in the last view that showed one
	writes     uint64 // writes to the terminal when its first view was built
	asked      bool   // the terminal was asked for its cursor
	checks     int    // times the flush was looked for
}

// paintTime is two frames: after it, a view that was built has been flushed.
const paintTime = 2 * time.Second / frameRate

// paintChecks bounds how often a flush is looked for: half a second.
const paintChecks = 30

// followCard starts to follow a new generation of the card.
func (c *core) followCard() tea.Cmd {
	g := c.questions.Generation()
	if c.questions.Len() == 0 || g == c.painting.generation {
		return nil
	}
	c.painting.generation, c.painting.asked, c.painting.checks = g, false, 0
	return c.win.checkPaint(g)
}

func (w *windowState) checkPaint(generation uint64) tea.Cmd {
	return w.after(paintTime, func(time.Time) tea.Msg { return paintMsg{generation} })
}

// painted asks the terminal where its cursor is once the card was flushed. The
// answer comes after every key that was pressed before the card could be seen.
func (c *core) painted(msg paintMsg) tea.Cmd {
	p := &c.painting
	switch {
	case msg.generation != p.generation || c.questions.Len() == 0:
		return nil
	case p.drawn != p.generation || c.win.flushed() <= p.writes:
		if p.checks++; p.checks > paintChecks {
			return nil // nothing changed on screen; the queue's own time limit decides
		}
		return c.win.checkPaint(msg.generation)
	}
	p.asked = true
	return tea.RequestCursorPosition
}

// answered takes the terminal's answer.
func (c *core) answered(at time.Time) {
	if p := &c.painting; p.asked {
		p.asked = false
		c.questions.Painted(p.generation, at)
	}
}
