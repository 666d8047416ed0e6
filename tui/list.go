package tui

import (
	"parley/render"
	"parley/theme"
)

// list is rows of which one may be chosen.
type list struct {
	rows   []row
	chosen int  // -1 is none
	moved  bool // the user moved in it
	steady bool // the columns are those of all rows, not of those in view
}

// row is one choice.
type row struct {
	value, label, detail string
	right                string   // at the right edge: a time, a count
	marks                [][2]int // bytes of label that match what was typed
	span                 [2]int   // the bytes that a completion takes the place of; zero: what the list is for
	off                  string   // why it cannot be picked; "" where it can
}

// listRows bounds the rows on screen.
const listRows = 12

// move goes n rows down, around the ends.
func (l *list) move(n int) {
	if len(l.rows) == 0 {
		return
	}
	if l.chosen < 0 && n < 0 {
		l.chosen = 0 // from no row, up goes to the last
	}
	l.chosen = ((l.chosen+n)%len(l.rows) + len(l.rows)) % len(l.rows)
	l.moved = true
}

// leap goes n rows down and stops at the ends.
func (l *list) leap(n int) {
	if len(l.rows) == 0 {
		return
	}
	l.chosen = min(max(l.chosen+n, 0), len(l.rows)-1)
	l.moved = true
}

// row returns the chosen row; not ok means that there is none.
func (l *list) row() (r row, ok bool) {
	if l.chosen < 0 || l.chosen >= len(l.rows) {
		return row{}, false
	}
	return l.rows[l.chosen], true
}

// view draws at most height rows around the chosen one.
func (l *list) view(width, height int, th *theme.Theme) []string {
	shown := max(0, min(height, len(l.rows)))
	first := max(0, min(l.chosen-shown/2, len(l.rows)-shown))
	measured := l.rows[first : first+shown]
	if l.steady {
		measured = l.rows
	}
	c := l.columns(width, measured)
	lines := make([]string, 0, shown)
	for i := first; i < first+shown; i++ {
		lines = append(lines, c.draw(l.rows[i], i == l.chosen, th))
	}
	return lines
}

// columns are the widths of what rows show.
type columns struct{ label, detail, right int }

// columns fits the columns to rows: the right one has what it needs, labels at
// most two thirds of the rest where there are details.
func (l *list) columns(width int, rows []row) columns {
	var c columns
	details := false
	for _, r := range rows {
		c.label = max(c.label, render.Width(render.SanitizeLine(r.label)))
		c.right = max(c.right, render.Width(render.SanitizeLine(r.right)))
		details = details || r.detail != "" || r.off != ""
	}
	c.right = min(c.right, width*2/5)
	room := max(0, width-margin-1)
	if c.right > 0 {
		room = max(0, room-c.right-columnGap)
	}
	if c.label = min(c.label, room); details {
		c.label = min(c.label, room*2/3)
	}
	c.detail = max(0, room-c.label-columnGap)
	if c.right > 0 && !details {
		c.label, c.detail = room, 0
	}
	return c
}

// draw draws one row.
func (c columns) draw(r row, chosen bool, th *theme.Theme) string {
	mark, tok := blank(margin), theme.Text
	detail := r.detail
	if r.off != "" {
		tok, detail = theme.Dim, r.off
	}
	if chosen {
		mark, tok = th.Render(theme.Accent, th.Glyph(theme.MarkChosen))+" ", theme.Strong
	}
	line, width := c.text(r, tok, th)
	line = mark + line
	if c.detail > 0 {
		detail = cut(th, detail, c.detail)
		line += blank(c.label-width+columnGap) + th.Render(theme.Dim, detail)
		width = c.label + columnGap + render.Width(detail)
	}
	if c.right > 0 && r.right != "" {
		right := cut(th, r.right, c.right)
		end := c.label + columnGap + c.right
		if c.detail > 0 {
			end += columnGap + c.detail
		}
		line += blank(end-width-render.Width(right)) + th.Render(theme.Dim, right)
	}
	return line
}

// text draws the label, with what matches in another style, and its width.
func (c columns) text(r row, tok theme.Token, th *theme.Theme) (string, int) {
	label := cut(th, r.label, c.label)
	width := render.Width(label)
	if render.SanitizeLine(r.label) != r.label || len(r.marks) == 0 {
		return th.Render(tok, label), width
	}
	line, from := "", 0
	for _, m := range r.marks {
		if m[0] < from || m[1] > len(label) || label[:m[1]] != r.label[:m[1]] {
			break // cut off
		}
		line += th.Render(tok, label[from:m[0]]) + th.Render(theme.Accent, label[m[0]:m[1]])
		from = m[1]
	}
	return line + th.Render(tok, label[from:]), width
}
