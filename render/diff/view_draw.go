package diff

import (
	"cmp"
	"strconv"
	"strings"

	"parley/render/patch"
	"parley/render/text"
	"parley/theme"
)

// sides are the columns of a view: of its one side, or of its two.
type sides struct {
	mark   bool   // a column for the mark of the selected line
	indent int    // blank cells in its place
	old    int    // digits of the numbers before
	now    int    // digits of the numbers after; 0 is no column
	start  [2]int // where each side begins
	gutter [2]int // cells of each side before its sign
	text   [2]int // cells of each side after its sign
}

// signCells are the sign and the space after it.
const signCells = 2

// spokenCells are at most those of what is said before a line.
const spokenCells = 40

// numbersFrom is the width from which lines are numbered.
const numbersFrom = 24

func (r *View) columns() sides {
	c := sides{mark: !r.inline, indent: 1, old: r.d.oldDigits, now: r.d.newDigits}
	if r.inline {
		const usual = 4
		c.indent = text.Margin(r.o.Width)
		if r.o.Width >= text.TinyBelow {
			c.old, c.now = max(usual, c.old), max(usual, c.now)
		}
	}
	switch {
	case r.o.Width < numbersFrom, r.o.Theme.Spoken:
		c.old, c.now = 0, 0
	case r.o.Split:
	case r.inline, r.o.Width < text.NarrowBelow, c.old == 0, c.now == 0:
		c.old, c.now = 0, max(c.old, c.now) // one column for both
	}
	room := [2]int{r.o.Width, r.o.Width}
	if r.o.Split {
		room[0] = (r.o.Width - 1) / 2
		room[1] = r.o.Width - 1 - room[0]
		c.start[1] = room[0] + 1
	}
	sign := signCells
	if r.o.Theme.Spoken {
		sign = spokenCells
	}
	for side, n := range room {
		c.gutter[side] = c.indent
		for _, digits := range r.numbers(c, side) {
			if digits > 0 {
				c.gutter[side] += digits + 1
			}
		}
		c.text[side] = max(1, n-c.gutter[side]-sign)
	}
	return c
}

// numbers are the digits of the numbers before and after the change that a side
// has a column for; 0 is no column.
func (r *View) numbers(c sides, side int) [2]int {
	switch {
	case !r.o.Split:
		return [2]int{c.old, c.now}
	case side == 0:
		return [2]int{c.old, 0}
	}
	return [2]int{0, c.now}
}

// sideOf is the side of a line; one that stays is on both and counted on the
// narrower.
func (r *View) sideOf(line int) int {
	switch {
	case !r.o.Split || r.d.Lines[line].Op == patch.Delete:
		return 0
	case r.d.Lines[line].Op == patch.Same && r.sides.text[0] < r.sides.text[1]:
		return 0
	}
	return 1
}

// Rows returns the rows [from,to) of the last Layout, or those of them that
// there are, each at most its Width wide.
func (r *View) Rows(from, to int) []string {
	from, to = max(0, from), min(to, r.rows)
	if from >= to {
		return nil
	}
	out := make([]string, 0, to-from)
	for i := r.bandAt(from); i < len(r.bands) && int(r.bands[i].row) < to; i++ {
		row := int(r.bands[i].row)
		out = append(out, r.draw(r.bands[i], max(0, from-row), min(to, r.bandEnd(i))-row)...)
	}
	return text.Clip(out, r.o.Width)
}

func (r *View) draw(b rowSpan, from, to int) []string {
	if b.kind != bandLine {
		rows := r.drawTitles(b)
		return rows[min(from, len(rows)):min(to, len(rows))]
	}
	out := make([]string, 0, to-from)
	for k := from; k < to; k++ {
		if !r.o.Split {
			out = append(out, strings.TrimRight(r.row(int(b.at), 0, k), " "))
			continue
		}
		left, right := int(b.at), int(b.side)
		switch r.d.Lines[left].Op {
		case patch.Same:
			right = left
		case patch.Add:
			left, right = -1, left
		case patch.Delete:
		}
		line := r.row(left, 0, k)
		line += text.Spaces(r.sides.start[1]-1-text.Width(line)) + r.o.Theme.Render(theme.Rule, r.o.Theme.Glyph(theme.MarkQuote))
		out = append(out, strings.TrimRight(line+r.row(right, 1, k), " "))
	}
	return out
}

// row draws row k of a line on a side, "" where the side has nothing.
func (r *View) row(line, side, k int) string {
	if line < 0 {
		return ""
	}
	l, th := r.d.Lines[line], r.o.Theme
	ground, tok, sign := theme.Text, theme.Text, " "
	switch l.Op {
	case patch.Add:
		ground, tok, sign = theme.AddedLine, theme.Added, "+"
	case patch.Delete:
		ground, tok, sign = theme.RemovedLine, theme.Removed, th.Glyph(theme.MarkMinus)
	case patch.Same:
	}
	s, ok := r.piece(line, side, k, ground)
	if !ok {
		return ""
	}
	if k > 0 {
		sign = " "
	}
	if th.Spoken {
		return r.gutter(line, side, k) + spokenLine(l, k) + s
	}
	body := th.RenderOn(ground, tok, sign) + th.RenderOn(ground, theme.Text, " ") + s
	if th.Paints(ground) {
		body += th.RenderOn(ground, theme.Text, text.Spaces(r.sides.text[side]+signCells-text.Width(body)))
	}
	return r.gutter(line, side, k) + body
}

// spokenLine says what becomes of a line, before its first row.
func spokenLine(l patch.Line, k int) string {
	if k > 0 {
		return ""
	}
	words := [...]string{patch.Same: "", patch.Add: " added", patch.Delete: " removed"}[l.Op]
	if n := cmp.Or(l.New, l.Old); n > 0 {
		words = "line " + strconv.Itoa(n) + words
	}
	return cmp.Or(strings.TrimSpace(words), "unchanged") + ": "
}

// piece is the text of row k of a line, drawn, and whether there is that row.
func (r *View) piece(line, side, k int, ground theme.Token) (drawn string, ok bool) {
	l, width, th := r.line(line), r.sides.text[side], r.o.Theme
	var rows [][]text.Span
	if r.o.Wrap {
		rows = l.wrapped(width)
	} else {
		rows = [][]text.Span{r.window(l, width)}
	}
	switch {
	case k < len(rows):
		var b strings.Builder
		for _, s := range rows[k] {
			b.WriteString(th.RenderOn(ground, s.Token, s.Text))
		}
		return b.String(), true
	case k == len(rows) && r.d.Lines[line].Open:
		note := text.Truncate(`\ No newline at end of file`, width, "")
		return th.RenderOn(ground, theme.Dim, note), true
	}
	return "", false
}

// gutter is what stands before the sign: the mark of the selected line, and
// numbers in the first row.
func (r *View) gutter(line, side, k int) string {
	l, c, th := r.d.Lines[line], r.sides, r.o.Theme
	if k > 0 {
		return text.Spaces(c.gutter[side])
	}
	tok, out := theme.Hunk, text.Spaces(c.indent)
	if c.mark && line == r.o.Cursor && (side == 0 || l.Op != patch.Same) {
		tok, out = theme.Accent, th.Render(theme.Accent, th.Glyph(theme.MarkChosen))
	}
	digits, numbers := r.numbers(c, side), [2]int{l.Old, l.New}
	if !r.o.Split && c.old == 0 && l.Op == patch.Delete { // one column for both
		numbers[1] = l.Old
	}
	for i, n := range numbers {
		s := ""
		if n > 0 {
			s = strconv.Itoa(n)
		}
		if digits[i] > 0 {
			out += text.Spaces(digits[i]-len(s)) + th.Render(tok, s) + " "
		}
	}
	return out
}

// window is the part of a line that is seen without Wrap: from the column Left
// on, with a mark where it is cut.
func (r *View) window(l *viewLine, width int) []text.Span {
	row, more := l.part(r.o.Left, width)
	mark := r.o.Theme.Glyph(theme.MarkEllipsis)
	if room := width - text.Width(mark); more && room > 0 {
		row, _ = l.part(r.o.Left, room)
		pad := text.Spaces(room - text.SpansWidth(row))
		row = append(row, text.Span{Text: pad, Token: theme.Text}, text.Span{Text: mark, Token: theme.Dim})
	}
	return row
}

// part is what width cells show of a line from column left on, and whether it
// continues behind them. Blanks stand for the rest of a wide character.
func (l *viewLine) part(left, width int) (row []text.Span, more bool) {
	col := -left
	for _, s := range l.spans {
		from := 0
		for at := 0; at < len(s.Text); {
			n, w := text.Cluster(s.Text[at:])
			switch {
			case col < 0:
				from = at + n
				row = append(row, text.Span{Text: text.Spaces(col + w), Token: theme.Text})
			case col+w > width:
				return append(row, text.Span{Text: s.Text[from:at], Token: s.Token}), true
			}
			at, col = at+n, col+w
		}
		row = append(row, text.Span{Text: s.Text[from:], Token: s.Token})
	}
	return row, false
}

// wrapped are the rows of a line that continues in the next row.
func (l *viewLine) wrapped(width int) [][]text.Span {
	if l.width != width {
		l.width, l.rows = width, [][]text.Span{l.spans}
		if l.cells > width {
			l.rows = text.HardWrapSpans(l.spans, width, 0)
		}
	}
	return l.rows
}
