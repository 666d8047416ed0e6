package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/tui/overlay"
	"parley/tui/picker"
	"parley/tui/widget"
)

// overlayFacts are those of now.
func (m *Model) overlayFacts() overlay.Facts {
	_, renames := session.As[session.Renamer](m.session)
	f := overlay.Facts{
		Theme: m.theme, Keys: m.keymap, Unicode: m.config.Environment().Unicode(), Width: m.width, Height: m.height,
		Now: m.now, Zone: m.zone, Home: m.config.Home, Dir: m.info.Dir, Keeper: m.config.Keeper,
		Pending: m.questions.Len() > 0, Hint: m.hinted(), Options: m.pane.Opts, Density: m.pane.Density,
		Open: make([]overlay.Session, 0, len(m.all)), Renames: renames && m.session != nil,
		ContextUse: m.contextTold(),
	}
	for _, c := range m.all {
		if one := (overlay.Session{ID: c.shownID(), ReadOnly: c.readOnly != nil}); c == m.conversation {
			f.Open = slices.Insert(f.Open, 0, one)
		} else {
			f.Open = append(f.Open, one)
		}
	}
	return f
}

// cover lays something over the window, in the place of what is there.
func (m *Model) cover(o overlay.Overlay) {
	if m.overlay != nil {
		m.overlay.Close()
	}
	o.SetFacts(m.overlayFacts())
	m.overlay, m.completion = o, nil
}

// overlaid gives what lies over the window something, and does what it asks for then.
func (m *Model) overlaid(do func(o overlay.Overlay) tea.Cmd) tea.Cmd {
	o := m.overlay
	o.SetFacts(m.overlayFacts())
	return m.answer(o, do(o))
}

// over is what lies over the window, if it is of a type; nil if it is not.
func over[T overlay.Overlay](m *Model) T {
	o, _ := m.overlay.(T)
	return o
}

// doThis does what the user chose.
type doThis struct{ do func() tea.Cmd }

func (doThis) OverlayRequest() {}

// doing asks to do something with a row.
func doing(do func(r widget.Row) tea.Cmd) func(r widget.Row) overlay.Request {
	return func(r widget.Row) overlay.Request { return doThis{func() tea.Cmd { return do(r) }} }
}

// pick opens a picker with the row current chosen.
func (m *Model) pick(p *picker.Picker, current string) {
	if !m.behind() {
		p.Start(current)
		m.cover(p)
	}
}

// refreshList follows what an open list is about, and closes it once there is nothing
// left in it.
func (m *Model) refreshList() {
	if p := over[*picker.Picker](m); p != nil && !m.behind() && !p.Refresh() {
		m.closeOverlays()
	}
}

// answer does what an overlay asks for after it was given something, which ended in
// cmd.
func (m *Model) answer(of interface{ Requests() []overlay.Request }, cmd tea.Cmd) tea.Cmd {
	cmds := []tea.Cmd{cmd}
	for _, r := range of.Requests() {
		cmds = append(cmds, m.forOverlay(r))
	}
	return tea.Batch(cmds...)
}

// forOverlay does what an overlay asks for.
func (m *Model) forOverlay(r overlay.Request) tea.Cmd {
	switch r := r.(type) {
	case overlay.Close:
		m.closeOverlays()
	case overlay.Copy:
		return m.copyText(r.Text)
	case overlay.OpenInEditor:
		return m.visit(&edition{text: r.Text, name: r.Name, readOnly: true})
	case overlay.Comment:
		m.comment(r.Text)
	case doThis:
		return r.do()
	default:
		return m.forBrowser(r)
	}
	return nil
}

// comment begins a comment on a line of a diff in the draft.
func (m *Model) comment(on string) {
	m.closeOverlays()
	if before := m.composer.editor.Text(); before != "" && !strings.HasSuffix(before, "\n") {
		on = "\n" + on
	}
	m.composer.editor.SetOffset(len(m.composer.editor.Text()))
	m.insert(on)
	m.tell("Write what is to be said about the line.")
}

// listHeight is the lines that lists above the composer want.
func (m *Model) listHeight() int {
	switch {
	case m.overlay != nil:
		return m.overlay.Lines()
	case m.which():
		return len(m.chordLines())
	case m.completion != nil:
		return 1 + min(len(m.completion.Rows), widget.ListRows) // a line of air above
	}
	return 0
}

// listView draws the list above the composer, with the cursor of a picker.
func (m *Model) listView(height int) ([]string, *tea.Cursor) {
	switch {
	case height == 0:
	case m.overlay != nil && m.overlay.Cover() == overlay.AboveDraft:
		return m.overlay.View(m.width, height)
	case m.which():
		return m.chordLines(), nil
	case m.completion != nil:
		rows := m.completion.View(m.width, max(1, height-1), m.theme)
		if height > len(rows) {
			rows = append([]string{""}, rows...)
		}
		return rows, nil
	}
	return nil, nil
}
