package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/tui/conversation"
)

// frame lets the view be rebuilt at most once per frame: at once for the first
// change, then not before the frame is over. What the user did first in a
// frame that something else began is shown at once too, so that a key never
// waits for two frames. Bubble Tea asks for the view after every message,
// however many there are.
//
// In low-bandwidth mode that is so for what the user does only. Whatever else changes waits
// until some frames are over in which nothing was drawn.
type frame struct {
	low   bool // the window is in low-bandwidth mode
	open  bool // the next view is built anew
	dirty bool // something changed since the last one
	timed bool // a message will come at the end of the frame
	input bool // the user's part of the frame is taken
	late  bool // the user did more in this frame, which is shown in the next one
	soon  bool // the next view shows what the user did
	rest  int  // frames to come in which only what the user does is shown
	built tea.View
}

const (
	// frameTime is the least time between two frames.
	frameTime = time.Second / conversation.FrameRate
	// lowFrameTime is that in low-bandwidth mode, for what the user does: keys that come
	// sooner, as of one that is held, are drawn together.
	lowFrameTime = time.Second / 12
	// lowRest is how many such frames are between two for anything else.
	lowRest = 2
)

// time is how long a frame takes.
func (f *frame) time() time.Duration {
	if f.low {
		return lowFrameTime
	}
	return frameTime
}

// touch notes a change, by the user or by anything else. It reports whether a frame
// begins, whose end next is to be called at.
func (f *frame) touch(input bool) (begins bool) {
	f.dirty = true
	switch {
	case input && (!f.timed || !f.input):
		f.open, f.soon = true, true
	case input:
		f.late = true
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
	if f.rest > 0 {
		f.rest--
		f.open = f.open || f.late
		f.input, f.late = f.late, false
		return true
	}
	f.timed = false
	f.late = false
	return f.dirty && f.touch(false)
}

// frameMsg says that the next frame may be built.
type frameMsg struct{}

// frameEnd is the end of a frame that begins.
func (m *Model) frameEnd(begins bool) tea.Cmd {
	if !begins {
		return nil
	}
	return m.win.After(m.frame.time(), func(time.Time) tea.Msg { return frameMsg{} })
}

// draw has build draw the view if it is due.
func (f *frame) draw(build func() tea.View) {
	if f.open {
		f.open, f.dirty, f.late = false, false, false
		if f.low {
			f.rest = lowRest
		}
		f.built = build()
	}
}
