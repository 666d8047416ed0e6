package widget

import (
	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/theme"
)

// List is rows of which one may be chosen.
type List struct {
	Rows   []Row
	Chosen int  // -1 is none
	Moved  bool // the user moved in it
	Steady bool // the columns are those of all rows, not of those in view
}

// Row is one choice.
type Row struct {
	Value, Label, Detail string
	Right                string   // at the right edge: a time, a count
	Group                string   // the heading that the row is below; "" for none
	Name                 string   // what else it is called: as good a match as the label
	Terms                string   // what else a query finds the row by
	Marks                [][2]int // bytes of label that match what was typed
	Span                 [2]int   // the bytes that a completion takes the place of; zero: what the list is for
	Off                  string   // why it cannot be picked; "" where it can
}

// Rows draws what a list is of, each as a row.
func Rows[T any](all []T, row func(T) Row) []Row {
	rows := make([]Row, len(all))
	for i, v := range all {
		rows[i] = row(v)
	}
	return rows
}

// ListRows is how many rows a list has on a screen that is not tall, at most.
const ListRows = 12

// MostRows bounds the rows of a list above the draft in a window of so many lines: half
// of a tall one.
func MostRows(height int) int { return max(ListRows, height/2) }

// Move goes n rows down, around the ends.
func (l *List) Move(n int) {
	if len(l.Rows) == 0 {
		return
	}
	if l.Chosen < 0 && n < 0 {
		l.Chosen = 0 // from no row, up goes to the last
	}
	l.Chosen = ((l.Chosen+n)%len(l.Rows) + len(l.Rows)) % len(l.Rows)
	l.Moved = true
}

// Leap goes n rows down and stops at the ends.
func (l *List) Leap(n int) {
	if len(l.Rows) == 0 {
		return
	}
	l.Chosen = min(max(l.Chosen+n, 0), len(l.Rows)-1)
	l.Moved = true
}

// Selected returns the chosen row; not ok means that no row is chosen.
func (l *List) Selected() (r Row, ok bool) {
	if l.Chosen < 0 || l.Chosen >= len(l.Rows) {
		return Row{}, false
	}
	return l.Rows[l.Chosen], true
}

// Lines is how many lines all rows take, with the headings of their groups.
func (l *List) Lines() int {
	n := len(l.Rows)
	for i := range l.Rows {
		if l.begins(i) {
			n++
		}
	}
	return n
}

// begins reports whether a row is the first of its group.
func (l *List) begins(i int) bool {
	return l.Rows[i].Group != "" && (i == 0 || l.Rows[i].Group != l.Rows[i-1].Group)
}

// scroll is what is in view of height lines, around the chosen row.
func (l *List) scroll(height int) Scroll {
	all, chosen := l.Lines(), l.chosenLine()
	shown := max(0, min(height, all))
	return Scroll{First: max(0, min(chosen-shown/2, all-shown)), Shown: shown, All: all}
}

// chosenLine is the line of the chosen row among those of all.
func (l *List) chosenLine() int {
	line := l.Chosen
	for i := range max(0, min(l.Chosen+1, len(l.Rows))) {
		if l.begins(i) {
			line++
		}
	}
	return line
}

// Cursor is at the chosen row in what View returns; nil if none is chosen.
func (l *List) Cursor(height int) *tea.Cursor {
	in := l.scroll(height)
	line := l.chosenLine() - in.First
	if l.Chosen < 0 || l.Chosen >= len(l.Rows) || line < 0 || line >= in.Shown {
		return nil
	}
	return CaretAt(0, line)
}

// Position is where the chosen row is, as in "12 of 65", in a view of height lines; ""
// if all rows are in view.
func (l *List) Position(height int) string {
	if l.scroll(height).Whole() {
		return ""
	}
	return Scroll{All: len(l.Rows)}.At(l.Chosen)
}

// View draws at most height lines around the chosen row: rows, and the headings of their
// groups. Where there is more, the last column is marked.
func (l *List) View(width, height int, th *theme.Theme) []string {
	in := l.scroll(height)
	var shown []int // rows; -1 before the first of a group
	for i, line := 0, 0; i < len(l.Rows) && line < in.First+in.Shown; i++ {
		if l.begins(i) {
			if line >= in.First {
				shown = append(shown, -1)
			}
			line++
		}
		if line >= in.First && line < in.First+in.Shown {
			shown = append(shown, i)
		}
		line++
	}
	c := l.columns(width, shown)
	if c.right > 0 && !in.Whole() {
		c = l.columns(width-1, shown) // a blank before the mark
	}
	lines := make([]string, 0, len(shown))
	for y, i := range shown {
		switch {
		case i >= 0:
			lines = append(lines, c.draw(l.Rows[i], i == l.Chosen, th))
		case y+1 < len(shown):
			lines = append(lines, Indent+th.Render(theme.Heading, Cut(th, l.Rows[shown[y+1]].Group, width-Margin-1)))
		default:
			lines = append(lines, "") // its rows are below
		}
	}
	in.Mark(th, lines, width)
	return lines
}

// columns are the widths of what rows show.
type columns struct{ label, detail, right int }

// narrow is the width below which a right column that needs more than a third is left out.
const narrow = 72

// columns fits the columns to the rows in view: the right one has what it needs, labels
// at most two thirds of the rest where there are details.
func (l *List) columns(width int, shown []int) columns {
	var c columns
	details := false
	measure := func(r Row) {
		c.label = max(c.label, text.Width(text.SanitizeLine(r.Label)))
		c.right = max(c.right, text.Width(text.SanitizeLine(r.Right)))
		details = details || r.Detail != "" || r.Off != ""
	}
	for _, i := range shown {
		if i >= 0 {
			measure(l.Rows[i])
		}
	}
	if l.Steady {
		for _, r := range l.Rows {
			measure(r)
		}
	}
	room := max(0, width-Margin-1)
	if c.right = min(c.right, width*2/5); width < narrow && c.right > room/3 {
		c.right = 0
	}
	if c.right > 0 {
		room = max(0, room-c.right-ColumnGap)
	}
	if c.label = min(c.label, room); details {
		c.label = min(c.label, room*2/3)
	}
	c.detail = max(0, room-c.label-ColumnGap)
	if c.right > 0 && !details {
		c.label, c.detail = room, 0
	}
	return c
}

// draw draws one row.
func (c columns) draw(r Row, chosen bool, th *theme.Theme) string {
	mark, tok := Indent, theme.Text
	detail := r.Detail
	if r.Off != "" {
		tok, detail = theme.Dim, r.Off
	}
	if chosen {
		mark, tok = th.Render(theme.Accent, th.Glyph(theme.MarkChosen))+" ", theme.Strong
	}
	line, width := c.text(r, tok, th)
	line = mark + line
	if c.detail > 0 {
		detail = Cut(th, detail, c.detail)
		line += Blank(c.label-width+ColumnGap) + th.Render(theme.Dim, detail)
		width = c.label + ColumnGap + text.Width(detail)
	}
	if c.right > 0 && r.Right != "" {
		right := Cut(th, r.Right, c.right)
		end := c.label + ColumnGap + c.right
		if c.detail > 0 {
			end += ColumnGap + c.detail
		}
		line += Blank(end-width-text.Width(right)) + th.Render(theme.Dim, right)
	}
	return line
}

// text draws the label, with what matches in another style, and its width.
func (c columns) text(r Row, tok theme.Token, th *theme.Theme) (string, int) {
	label := Cut(th, r.Label, c.label)
	width := text.Width(label)
	if text.SanitizeLine(r.Label) != r.Label || len(r.Marks) == 0 {
		return th.Render(tok, label), width
	}
	line, from := "", 0
	for _, m := range r.Marks {
		if m[0] < from || m[1] > len(label) || label[:m[1]] != r.Label[:m[1]] {
			break // cut off
		}
		line += th.Render(tok, label[from:m[0]]) + th.Render(theme.Accent, label[m[0]:m[1]])
		from = m[1]
	}
	return line + th.Render(tok, label[from:]), width
}
