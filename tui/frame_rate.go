package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/tui/conversation"
)

// frame lets the view be rebuilt at most once per frame: at once for the first
// change, then not before the frame is over. Bubble Tea asks for the view after
// every message, however many there are.
//
// In low-bandwidth mode, where frames are long, what the user did first in a frame that
// something else began is shown at once too. Whatever else changes waits for some frames in
// which nothing else was drawn, and for longer if that took many bytes.
type frame struct {
	low   bool // the window is in low-bandwidth mode
	open  bool // the next view is built anew
	dirty bool // something changed since the last one
	timed bool // a message will come at the end of the frame
	input bool // the user's part of the frame is taken
	late  bool // the user did more in this frame, which is shown in the next one
	built tea.View

	width, height int // of the terminal that it is for

	passed int    // frames since a view was built
	from   uint64 // bytes that were written until then
}

const (
	// frameTime is the least time between two frames.
	frameTime = time.Second / conversation.FrameRate
	// lowFrameTime is that in low-bandwidth mode, for what the user does: keys that come
	// sooner, as of one that is held, are drawn together.
	lowFrameTime = time.Second / 12
	// lowLeast is how many such frames are between two for anything else, so that there are
	// four of those a second, and lowMost how many if they are large.
	lowLeast, lowMost = 3, 6
	// lowBytes is what such a frame may take to be followed by as few: 2 KB a second.
	lowBytes = 2000 / 12
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
	case input && f.low && !f.input:
		f.open = true
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

// next ends the frame, and begins another if anything changed meanwhile. So many bytes
// were written to the terminal so far.
func (f *frame) next(written uint64) (begins bool) {
	if f.passed++; f.low && f.rests(written) {
		f.open = f.open || f.late
		f.input, f.late = f.late, false
		return true
	}
	f.timed, f.late = false, false
	return f.dirty && f.touch(false)
}

// rests reports whether the next frame shows only what the user does.
func (f *frame) rests(written uint64) bool {
	return f.passed < lowMost && (f.passed < lowLeast || uint64(f.passed)*lowBytes < written-f.from)
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

// written is how many bytes the terminal has got so far, which matters in low-bandwidth mode.
func (m *Model) written() uint64 {
	if !m.frame.low {
		return 0
	}
	return m.win.Written()
}

// draw has build draw the view if it is due.
func (f *frame) draw(build func() tea.View, written uint64) {
	if f.open {
		f.open, f.dirty, f.late = false, false, false
		f.passed, f.from = 0, written
		f.built = build()
	}
}
