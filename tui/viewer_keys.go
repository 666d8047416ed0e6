package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/tui/keymap"
)

// viewerKey routes a key to the open viewer (product/keys.md, 3).
func (m *Model) viewerKey(press tea.KeyPressMsg) tea.Cmd {
	m.lay()
	v := m.viewer
	switch action := m.keymap.Action(keymap.InViewer, press); action {
	case "view-close":
		m.closeOverlays()
	case "view-edit.newer":
		m.turnEdit(false)
	case "view-edit.older":
		m.turnEdit(true)
	case "view-split":
		m.turnSides()
	case "view-wrap.wrap":
		m.viewing.wrap, v.left = !m.viewing.wrap, 0
		m.turned()
	case "view-editor":
		return m.visit(&edition{text: v.text, name: v.editName(), readOnly: true})
	case "view-comment":
		return m.comment()
	case "view-copy.line":
		return m.copyText(v.line())
	case "view-copy.edit":
		return m.copyText(v.text)
	default:
		v.move(action, m.viewerRows())
	}
	return nil
}

// sideStep is how many columns one key moves to the side.
const sideStep = 8

// move goes through the diff by an action.
func (v *viewer) move(action string, rows int) {
	switch action {
	case "view-line.before":
		v.to(v.cursor-1, rows)
	case "view-line.after":
		v.to(v.cursor+1, rows)
	case "view-page.up":
		v.page(-max(1, rows-2), rows)
	case "view-page.down":
		v.page(max(1, rows-2), rows)
	case "view-page.half-up":
		v.page(-rows/2, rows)
	case "view-page.half-down":
		v.page(rows/2, rows)
	case "view-ends.start":
		v.to(0, rows)
	case "view-ends.end":
		v.to(v.review.Lines()-1, rows)
	case "view-change.next":
		v.to(v.review.Hunk(v.cursor, 1), rows)
	case "view-change.before":
		v.to(v.review.Hunk(v.cursor, -1), rows)
	case "view-wrap.right":
		v.left += sideStep
	case "view-wrap.left":
		v.left -= sideStep
	}
}

// to selects a line and scrolls to it.
func (v *viewer) to(line, rows int) {
	v.cursor = max(0, min(line, v.review.Lines()-1))
	v.follow(rows)
	if v.cursor == 0 {
		v.top = 0 // what stands above the first line
	}
}

// page scrolls by n rows; at an end it selects the last line there.
func (v *viewer) page(n, rows int) {
	top := max(0, min(v.top+n, v.rows-rows))
	switch {
	case top != v.top:
		v.top = top
		v.catchUp(rows)
	case n < 0:
		v.cursor = 0
	default:
		v.cursor = v.review.Lines() - 1
	}
}

// line is the text of the selected line, without the sign.
func (v *viewer) line() string {
	if v.review.Lines() == 0 {
		return ""
	}
	text := v.review.Text(v.cursor)
	return text[min(1, len(text)):]
}

// turnEdit shows the next older edit, or the next newer one. What was edited
// meanwhile is in the list from then on.
func (m *Model) turnEdit(older bool) {
	v := m.viewer
	edits := v.tree.with(m.edits())
	for i, id := range edits {
		if id == v.edits[v.at] {
			v.edits, v.at = edits, i
			break
		}
	}
	by := -1
	if older {
		by = 1
	}
	if n := v.at + by; n >= 0 && n < len(v.edits) {
		m.openEdit(n)
	}
}

// turnSides shows diffs side by side, or in one column.
func (m *Model) turnSides() {
	switch {
	case m.split() != (m.width >= render.SplitFrom):
		m.viewing.sides = sidesByWidth
	case m.split():
		m.viewing.sides = oneSide
	default:
		m.viewing.sides = twoSides
	}
	m.turned()
}

// turned follows a change of how diffs are shown: the selected line stays on the
// screen.
func (m *Model) turned() {
	m.lay()
	m.viewer.follow(m.viewerRows())
}

// comment closes the viewer and begins a comment on the selected line in the
// draft.
func (m *Model) comment() tea.Cmd {
	v := m.viewer
	if v.review.Lines() == 0 {
		return nil
	}
	text := v.review.Place(v.cursor) + "\n> " + v.review.Text(v.cursor) + "\n"
	m.closeOverlays()
	if before := m.composer.editor.Text(); before != "" && !strings.HasSuffix(before, "\n") {
		text = "\n" + text
	}
	m.composer.editor.SetOffset(len(m.composer.editor.Text()))
	m.insert(text)
	m.tell("Write what is to be said about the line.")
	return nil
}

// viewerWheel scrolls the viewer with the wheel.
func (m *Model) viewerWheel(n int) {
	m.lay()
	m.viewer.page(n, m.viewerRows())
}

// viewerClick selects the line that was clicked on.
func (m *Model) viewerClick(c tea.MouseClickMsg) {
	m.lay()
	v := m.viewer
	row := c.Y - (viewerFrame - 1)
	if c.Button == tea.MouseLeft && row >= 0 && row < m.viewerRows() && v.top+row < v.rows {
		v.cursor = v.review.LineAt(v.top + row)
	}
}
