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
type frame struct {
	open  bool // the next view is built anew
	dirty bool // something changed since the last one
	timed bool // a message will come at the end of the frame
	input bool // the user's part of the frame is taken
	soon  bool // the next view shows what the user did
	built tea.View
}

// frameTime is the least time between two frames.
const frameTime = time.Second / conversation.FrameRate

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

// frameMsg says that the next frame may be built.
type frameMsg struct{}

// frameEnd is the end of a frame that begins.
func (m *Model) frameEnd(begins bool) tea.Cmd {
	if !begins {
		return nil
	}
	return m.win.After(frameTime, func(time.Time) tea.Msg { return frameMsg{} })
}

// draw has build draw the view if it is due.
func (f *frame) draw(build func() tea.View) {
	if f.open {
		f.open, f.dirty = false, false
		f.built = build()
	}
}
