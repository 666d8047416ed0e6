package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/tui/appearance"
	"parley/tui/browser"
	"parley/tui/overlay"
	"parley/tui/panel"
	"parley/tui/picker"
	"parley/tui/settingslist"
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

// overlayFacts are those of now.
func (t *tabs) overlayFacts() overlay.Facts {
	f := t.front.overlayFacts()
	f.Open = make([]overlay.Session, 0, len(t.all))
	for _, c := range t.all {
		if one := (overlay.Session{ID: c.shownID(), ReadOnly: c.readOnly != nil}); c == t.front {
			f.Open = slices.Insert(f.Open, 0, one)
		} else {
			f.Open = append(f.Open, one)
		}
	}
	return f
}

// overlaid gives what lies over the window something. What it asks for is done then.
func (t *tabs) overlaid(do func(o overlay.Overlay) tea.Cmd) tea.Cmd {
	o := t.win.overlay
	o.SetFacts(t.overlayFacts())
	return do(o)
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

// answer does what an overlay has asked for.
func (m *Model) answer(asked []overlay.Request) tea.Cmd {
	var cmds []tea.Cmd
	for _, r := range asked {
		cmds = append(cmds, m.forOverlay(r))
	}
	return tea.Batch(cmds...)
}

// forOverlay does what an overlay asks for.
func (m *Model) forOverlay(r overlay.Request) tea.Cmd {
	switch r := r.(type) {
	case overlay.Close:
		m.front.closeOverlays()
	case overlay.Copy:
		return m.front.copyText(r.Text)
	case overlay.OpenAddress:
		return m.front.openAddress(r.URL)
	case overlay.Batch:
		var cmds []tea.Cmd
		for _, r := range r {
			cmds = append(cmds, m.forOverlay(r))
		}
		return tea.Batch(cmds...)
	case overlay.OpenInEditor:
		return m.front.request(editText{&edition{text: r.Text, name: r.Name, readOnly: true}})
	case overlay.Comment:
		m.front.draft.comment(r.Text)
	case settingslist.Open:
		m.front.pick(r.List, r.Chosen)
	case settingslist.Set:
		return m.win.prefer(r.Setting, r.Value)
	case appearance.Chosen:
		return m.forAppearance(m.appearance.Keep(r), nil)
	case doThis:
		return r.do()
	case browser.Marked:
		return m.recents.find()
	default:
		return m.library.answer(r)
	}
	return nil
}

// comment begins a comment on a line of a diff in the draft.
func (c *promptDraft) comment(on string) {
	c.closeOverlays()
	if before := c.composer.Text(); before != "" && !strings.HasSuffix(before, "\n") {
		on = "\n" + on
	}
	c.composer.SetOffset(len(c.composer.Text()))
	c.insert(on)
	c.tell("Write what is to be said about the line.")
}

// listHeight is the lines that lists above the composer want.
func (m *Model) listHeight() int {
	switch {
	case m.win.overlay != nil:
		return m.win.overlay.Lines()
	case m.win.chord.listed(m.win.now):
		return len(m.win.chordLines())
	case m.front.composer.Completions() != nil:
		return 1 + min(len(m.front.composer.Completions().Rows), widget.ListRows) // a line of air above
	}
	return 0
}

// listView draws the list above the composer, with the cursor of a picker.
func (m *Model) listView(height int) ([]string, *tea.Cursor) {
	switch {
	case height == 0:
	case m.win.overlay != nil && m.win.overlay.Cover() == overlay.AboveDraft:
		return m.win.overlay.View(m.win.width, height)
	case m.win.chord.listed(m.win.now):
		return m.win.chordLines(), nil
	case m.front.composer.Completions() != nil:
		rows := m.front.composer.Completions().View(m.win.width, max(1, height-1), m.win.theme)
		if height > len(rows) {
			rows = append([]string{""}, rows...)
		}
		return rows, nil
	}
	return nil, nil
}
