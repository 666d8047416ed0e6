package tui

import (
	"parley/tui/overlay"
	"parley/tui/picker"
)

// screen is what the window shows: one conversation, and what lies over it.
type screen struct {
	shown   conversationID  // the conversation that is on it
	overlay overlay.Overlay // what lies over that one and has the keys; nil if nothing does
	chord   chord
}

// over is what lies over the window, if it is of a type; nil if it is not.
func over[T overlay.Overlay](w *windowState) T {
	o, _ := w.overlay.(T)
	return o
}

// covered reports whether something that the user opened lies over the question: it
// has the room, and the question is painted anew behind it.
func (w *windowState) covered() bool { return w.overlay != nil || w.chord.listed(w.now) }

// inFront reports whether the conversation is the one on the screen. Another opens
// nothing there, and takes no key.
func (c *core) inFront() bool { return c.id == c.win.screen.shown }

// cover lays something over the conversation, in the place of what is there. It does
// nothing if another conversation is on the screen.
func (c *core) cover(o overlay.Overlay) {
	if !c.inFront() {
		return
	}
	if c.win.overlay != nil {
		c.win.overlay.Close()
	}
	o.SetFacts(c.overlayFacts())
	c.win.overlay = o
	c.composer.CloseCompletions()
}

// closeOverlays closes what lies over the conversation. What lies over another one
// stays.
func (c *core) closeOverlays() {
	if !c.inFront() {
		return
	}
	if c.win.covered() {
		c.questions.Resize(c.win.now) // what was on the screen was no question
	}
	if c.win.overlay != nil {
		c.win.overlay.Close()
		c.win.overlay = nil
	}
}

// pick opens a picker with the row current chosen.
func (c *core) pick(p *picker.Picker, current string) {
	if c.inFront() {
		p.Start(current)
		c.cover(p)
	}
}

// refreshList follows what an open list is about, and closes it once there is nothing
// left in it.
func (c *core) refreshList() {
	if p := over[*picker.Picker](c.win); p != nil && c.inFront() && !p.Refresh() {
		c.closeOverlays()
	}
}
