// Package overlay is what lists, texts, the edits and the past sessions have in common:
// each lies over the conversation, has the keys while it does, and knows nothing of the
// window but the Facts that it is given. What it wants of the window it asks for with a
// Request.
package overlay

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/session"
	"parley/theme"
	"parley/tui/keymap"
	"parley/tui/widget"
)

// Overlay lies over the conversation and has the keys until it is closed.
type Overlay interface {
	// SetFacts is called before every other method, with the facts of the moment.
	SetFacts(f Facts)
	// Requests returns what was asked for since it was called last.
	Requests() []Request
	Cover() Cover
	// Lines is how many lines it wants; of use only AboveDraft.
	Lines() int
	// View draws at most height lines. The cursor is counted from their first cell and
	// nil without a cursor.
	View(width, height int) ([]string, *tea.Cursor)
	Key(press tea.KeyPressMsg) tea.Cmd
	// Paste takes a paste; not ok means that it is for the draft.
	Paste(text string) (cmd tea.Cmd, ok bool)
	// Wheel scrolls n lines down, in column x.
	Wheel(x, n int) tea.Cmd
	// Click takes a click, which is counted from the first cell.
	Click(c tea.MouseClickMsg) tea.Cmd
	// Close ends what it waits for.
	Close()
}

// Cover is the part of the window that an overlay takes.
type Cover uint8

// The parts of the window.
const (
	AboveDraft   Cover = iota // some lines
	OverTimeline              // the place of the timeline
	OverAll                   // the whole window
)

// Facts are what overlays draw with and decide by.
type Facts struct {
	Theme         *theme.Theme
	Keys          *keymap.Map
	Unicode       bool // the terminal shows more than ASCII
	Width, Height int  // of the window
	Now           time.Time
	Zone          *time.Location
	Home, Dir     string // the user's folder, and that of the session
	Pending       bool   // a question waits
	Hint          string // of the window; "" without a hint

	Options render.Options // how the timeline is drawn
	Density render.Density

	Keeper string    // of the sessions that this window can continue; "" is any
	Open   []Session // in this window, the one on the screen first

	// ContextUse is how the context is filled as the events report; nil if they do not.
	ContextUse *session.ContextUse
}

// Session is a session that is open in the window.
type Session struct {
	ID       session.ID
	ReadOnly bool
	Renames  bool // it can be given a name where it is open
}

// Base is embedded by overlays: it holds the facts and what was asked for, takes no
// paste and has nothing to end.
type Base struct {
	Facts
	asked []Request
	hints widget.HintLine
}

// SetFacts implements Overlay.
func (b *Base) SetFacts(f Facts) { b.Facts = f }

// Lines implements Overlay.
func (b *Base) Lines() int { return 0 }

// Paste implements Overlay.
func (b *Base) Paste(string) (tea.Cmd, bool) { return nil, false }

// Close implements Overlay.
func (b *Base) Close() {}

// Ask asks the window for something; nil asks for nothing.
func (b *Base) Ask(r Request) {
	if r != nil {
		b.asked = append(b.asked, r)
	}
}

// Requests implements Overlay.
func (b *Base) Requests() []Request {
	asked := b.asked
	b.asked = nil
	return asked
}

// Hints returns hints of pairs of an action and what it does, with the user's keys.
func (b *Base) Hints(pairs ...string) []key.Binding { return b.Keys.Hints(b.Unicode, pairs...) }

// FitHints draws as many hints, from the first, as there is room for.
func (b *Base) FitHints(room int, hints ...key.Binding) string {
	return b.hints.Fitted(room, b.Theme, hints)
}

// HintLine draws hints, however many there are.
func (b *Base) HintLine(hints ...key.Binding) string { return b.hints.Draw(b.Theme, hints) }

// Cut makes s safe and shortens it to a width with an ellipsis.
func (b *Base) Cut(s string, width int) string { return widget.Cut(b.Theme, s, width) }

// Dot separates short texts in a line.
func (b *Base) Dot() string { return b.Theme.Dot() }
