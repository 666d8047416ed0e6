package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/tui/overlay"
	"parley/tui/panel"
	"parley/tui/picker"
	"parley/tui/widget"
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

// overlayFacts are those of now, but for the sessions that are open.
func (c *core) overlayFacts() overlay.Facts {
	_, renames := session.As[session.Renamer](c.session)
	return overlay.Facts{
		Theme: c.win.theme, Keys: c.win.keymap, Unicode: c.win.config.Environment().Unicode(), Width: c.win.width, Height: c.win.height,
		Now: c.win.now, Zone: c.win.zone, Home: c.win.config.Home, Dir: c.info.Dir, Keeper: c.win.config.Keeper,
		Pending: c.questions.Len() > 0, Hint: c.hinted(), Options: c.pane.Opts, Density: c.pane.Density,
		Renames: renames && c.session != nil, ContextUse: c.contextTold(),
	}
}

// doThis does what the user chose.
type doThis struct{ do func() tea.Cmd }

// OverlayRequest marks it as a request of an overlay.
func (doThis) OverlayRequest() {}

// doing asks to do something with a row.
func doing(do func(r widget.Row) tea.Cmd) func(r widget.Row) overlay.Request {
	return func(r widget.Row) overlay.Request { return doThis{func() tea.Cmd { return do(r) }} }
}

// openPanel shows a panel. What was open is closed.
func (c *core) openPanel(p *panel.Panel) {
	c.closeOverlays()
	c.cover(p)
}

// openText shows a markdown text.
func (c *core) openText(title, markdown string, keys ...panel.Key) {
	c.openPanel(panel.Markdown(title, markdown, keys...))
}

// onKey is a key of a panel that does something.
func onKey(name, description string, do func() tea.Cmd) panel.Key {
	return panel.NewKey(name, description, doThis{do})
}

// comment begins a comment on a line of a diff in the draft.
func (c *promptDraft) comment(on string) {
	c.closeOverlays()
	if before := c.composer.Text(); before != "" && !strings.HasSuffix(before, "\n") {
		on = "\n" + on
	}
	c.composer.SetOffset(len(c.composer.Text()))
	c.insert(on)
	c.showHint("Write what is to be said about the line.")
}
