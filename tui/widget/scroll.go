package widget

import (
	"fmt"

	"parley/render/text"
	"parley/theme"
)

// Scroll is the part of a list or of a text that is in view.
type Scroll struct {
	First, Shown int // the rows in view
	All          int // how many rows there are
}

// Whole reports whether all of it is in view.
func (s Scroll) Whole() bool { return s.Shown >= s.All }

// At names one row, counted from 0, among all, as in "12 of 65". It is "" if all of
// them are in view, and no row (-1) is only their number.
func (s Scroll) At(row int) string {
	switch {
	case s.Whole():
		return ""
	case row < 0:
		return text.Number(s.All)
	}
	return text.Number(row+1) + " of " + text.Number(s.All)
}

// Rows names the rows in view, as in "1-20 of 163"; "" if these are all.
func (s Scroll) Rows() string {
	if s.Whole() {
		return ""
	}
	return fmt.Sprintf("%s-%s of %s", text.Number(s.First+1), text.Number(min(s.First+s.Shown, s.All)), text.Number(s.All))
}

// Mark marks in the last column of width that there is more above the lines, or below
// them. The lines leave that column blank; what does not is cut.
func (s Scroll) Mark(th *theme.Theme, lines []string, width int) {
	mark := func(i int, m theme.Mark) {
		line := text.Truncate(lines[i], max(0, width-1), "")
		lines[i] = line + Blank(width-1-text.Width(line)) + th.Render(theme.Dim, th.Glyph(m))
	}
	if len(lines) == 0 {
		return
	}
	if s.First > 0 {
		mark(0, theme.MarkAbove)
	}
	if last := len(lines) - 1; s.First+s.Shown < s.All && (last > 0 || s.First == 0) {
		mark(last, theme.MarkBelow)
	}
}

// Spread puts two texts at the ends of a line: the left one is shortened first, and the
// right one is left out if nothing of the left one would remain.
func Spread(th *theme.Theme, left, right string, room int) string {
	if text.Width(right)+ColumnGap >= room {
		right = ""
	}
	most := room
	if right != "" {
		most -= text.Width(right) + ColumnGap
	}
	left = text.Truncate(left, max(0, most), th.Glyph(theme.MarkEllipsis))
	if right == "" {
		return left
	}
	return left + Blank(room-text.Width(left)-text.Width(right)) + th.Render(theme.Dim, right)
}
