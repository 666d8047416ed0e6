package viewer

import (
	"path/filepath"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/render/diff"
	"parley/tui/keymap"
	"parley/tui/overlay"
)

// Key implements overlay.Overlay.
func (v *Viewer) Key(press tea.KeyPressMsg) tea.Cmd {
	v.lay()
	switch action := v.Keys.Action(keymap.InViewer, press); action {
	case "view-close":
		v.Ask(overlay.Close{})
	case "view-keys":
		v.Ask(overlay.Help{Context: keymap.InViewer})
	case "view-edit.newer":
		v.stepEdit(false)
	case "view-edit.older":
		v.stepEdit(true)
	case "view-since":
		v.stepSince()
	case "view-split":
		v.toggleSides()
	case "view-wrap.wrap":
		v.layout.wrap, v.left = !v.layout.wrap, 0
		v.relay()
	case "view-editor":
		v.Ask(overlay.OpenInEditor{Text: v.text, Name: filepath.Base(v.name) + ".diff"})
	case "view-comment":
		v.comment()
	case "view-copy.line":
		v.Ask(overlay.Copy{Text: v.line()})
	case "view-copy.edit":
		v.Ask(overlay.Copy{Text: v.text})
	default:
		v.move(action, v.visible())
	}
	return nil
}

// sideStep is how many columns one key moves to the side.
const sideStep = 8

// move goes through the diff by an action.
func (v *Viewer) move(action string, rows int) {
	page := max(1, rows-2)
	if line, ok := map[string]int{
		"view-line.before": v.cursor - 1, "view-ends.start": 0, "view-change.before": v.review.Change(v.cursor, -1),
		"view-line.after": v.cursor + 1, "view-ends.end": v.review.Lines() - 1, "view-change.next": v.review.Change(v.cursor, 1),
	}[action]; ok {
		v.selectLine(line, rows)
	} else if by, ok := map[string]int{
		"view-page.up": -page, "view-page.half-up": -rows / 2, "view-page.down": page, "view-page.half-down": rows / 2,
	}[action]; ok {
		v.page(by, rows)
	}
	v.left += map[string]int{"view-wrap.left": -sideStep, "view-wrap.right": sideStep}[action]
}

// selectLine selects a line and scrolls to it.
func (v *Viewer) selectLine(line, rows int) {
	v.cursor = max(0, min(line, v.review.Lines()-1))
	v.follow(rows)
	if v.cursor == 0 {
		v.top = 0 // what stands above the first line
	}
}

// page scrolls by n rows; at an end it selects the last line there.
func (v *Viewer) page(n, rows int) {
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
func (v *Viewer) line() string {
	if v.review.Lines() == 0 {
		return ""
	}
	text := v.review.Text(v.cursor)
	return text[min(1, len(text)):]
}

// stepEdit shows the next older edit, or the next newer one. What was edited
// meanwhile is in the list from then on.
func (v *Viewer) stepEdit(older bool) {
	edits := v.trees.with(Edits(v.timeline))
	if i := slices.Index(edits, v.edits[v.at]); i >= 0 {
		v.edits, v.at = edits, i
	}
	by := -1
	if older {
		by = 1
	}
	if n := v.at + by; n >= 0 && n < len(v.edits) {
		v.Open(n)
	}
}

// stepSince goes from what changed since the session began to what changed since the last
// commit, to the newest edit, and from any edit back.
func (v *Viewer) stepSince() {
	n := v.at + 1
	if v.at >= len(v.trees) {
		n = 0
	}
	v.Open(n % len(v.edits))
}

// toggleSides shows diffs side by side, or in one column.
func (v *Viewer) toggleSides() {
	switch {
	case v.split() != (v.Width >= diff.SplitFrom):
		v.layout.sides = sidesByWidth
	case v.split():
		v.layout.sides = oneSide
	default:
		v.layout.sides = twoSides
	}
	v.relay()
}

// relay follows a change of how diffs are shown: the selected line stays on the
// screen.
func (v *Viewer) relay() {
	v.lay()
	v.follow(v.visible())
}

// comment begins a comment on the selected line in the draft.
func (v *Viewer) comment() {
	if v.review.Lines() > 0 {
		v.Ask(overlay.Comment{Text: v.review.Place(v.cursor, v.Dir) + "\n> " + v.review.Text(v.cursor) + "\n"})
	}
}

// Wheel scrolls the viewer with the wheel.
func (v *Viewer) Wheel(_, n int) tea.Cmd {
	v.lay()
	v.page(n, v.visible())
	return nil
}

// Click selects the line that was clicked on.
func (v *Viewer) Click(c tea.MouseClickMsg) tea.Cmd {
	v.lay()
	row := c.Y - (viewerFrame - 1)
	if c.Button == tea.MouseLeft && row >= 0 && row < v.visible() && v.top+row < v.rows {
		v.cursor = v.review.LineAt(v.top + row)
	}
	return nil
}
