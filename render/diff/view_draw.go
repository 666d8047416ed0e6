package diff

import (
	"sort"
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
	case r.o.Width < numbersFrom:
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
	for side, n := range room {
		c.gutter[side] = c.indent
		for _, digits := range r.numbers(c, side) {
			c.gutter[side] += digits + 1
		}
		c.text[side] = max(1, n-c.gutter[side]-signCells)
	}
	return c
}

func (r *View) numbers(c sides, side int) []int {
	var out []int
	if c.old > 0 && (!r.o.Split || side == 0) {
		out = append(out, c.old)
	}
	if c.now > 0 && (!r.o.Split || side == 1) {
		out = append(out, c.now)
	}
	return out
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
		rows := r.textRows(b)
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
	body := th.RenderOn(ground, tok, sign) + th.RenderOn(ground, theme.Text, " ") + s
	if th.Paints(ground) {
		body += th.RenderOn(ground, theme.Text, text.Spaces(r.sides.text[side]+signCells-text.Width(body)))
	}
	return r.gutter(line, side, k) + body
}

// piece is the text of row k of a line, drawn, and whether there is that row.
func (r *View) piece(line, side, k int, ground theme.Token) (drawn string, ok bool) {
	l, width, th := r.line(line), r.sides.text[side], r.o.Theme
	n := 1
	if r.o.Wrap {
		n = l.rows(width)
	}
	switch {
	case k < n && r.o.Wrap:
		from, to := l.row(width, k)
		return l.paint(th, ground, from, to), true
	case k < n:
		return r.window(l, width, ground), true
	case k == n && r.d.Lines[line].Open:
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
	put := func(n, digits int) {
		s := ""
		if n > 0 {
			s = strconv.Itoa(n)
		}
		out += text.Spaces(digits-len(s)) + th.Render(tok, s) + " "
	}
	if !r.o.Split && c.old == 0 && c.now > 0 {
		n := l.New
		if l.Op == patch.Delete {
			n = l.Old
		}
		put(n, c.now)
		return out
	}
	if c.old > 0 && (!r.o.Split || side == 0) {
		put(l.Old, c.old)
	}
	if c.now > 0 && (!r.o.Split || side == 1) {
		put(l.New, c.now)
	}
	return out
}

// window is the part of a line that is seen without Wrap: from the column Left
// on, with a mark where it is cut.
func (r *View) window(l *viewLine, width int, ground theme.Token) string {
	from, pad := l.skip(r.o.Left)
	to, used := l.take(from, width-pad)
	if to == len(l.text) {
		return r.o.Theme.RenderOn(ground, theme.Text, text.Spaces(pad)) + l.paint(r.o.Theme, ground, from, to)
	}
	mark := r.o.Theme.Glyph(theme.MarkEllipsis)
	if text.Width(mark) >= width {
		mark = ""
	} else {
		to, used = l.take(from, width-pad-text.Width(mark))
	}
	return r.o.Theme.RenderOn(ground, theme.Text, text.Spaces(pad)) + l.paint(r.o.Theme, ground, from, to) +
		r.o.Theme.RenderOn(ground, theme.Text, text.Spaces(width-pad-used-text.Width(mark))) + r.o.Theme.RenderOn(ground, theme.Dim, mark)
}

// skip returns the byte at which column col of a line is, and how many cells
// of a wide character before it are left over.
func (l *viewLine) skip(col int) (at, pad int) {
	if l.simple {
		return min(col, len(l.text)), 0
	}
	for at < len(l.text) && col > 0 {
		n, w := text.Cluster(l.text[at:])
		at, col = at+n, col-w
	}
	return at, max(0, -col)
}

// take returns the end of as much text as width has room for, and its width.
func (l *viewLine) take(from, width int) (to, used int) {
	if l.simple {
		to = min(len(l.text), from+max(0, width))
		return to, to - from
	}
	for to = from; to < len(l.text); {
		n, w := text.Cluster(l.text[to:])
		if used+w > width {
			break
		}
		to, used = to+n, used+w
	}
	return to, used
}

// rows is the number of rows of a line that continues in the next row.
func (l *viewLine) rows(width int) int {
	if l.simple {
		return max(1, (len(l.text)+width-1)/width)
	}
	return len(l.broken(width)) + 1
}

// row is where row k of them is in the text.
func (l *viewLine) row(width, k int) (from, to int) {
	if l.simple {
		return min(k*width, len(l.text)), min((k+1)*width, len(l.text))
	}
	breaks := l.broken(width)
	to = len(l.text)
	if k > 0 {
		from = breaks[k-1]
	}
	if k < len(breaks) {
		to = breaks[k]
	}
	return from, to
}

// broken is where the rows of a line begin, without the first.
func (l *viewLine) broken(width int) []int {
	if l.width == width {
		return l.breaks
	}
	l.width, l.breaks = width, nil
	at := 0
	for at < len(l.text) {
		to, _ := l.take(at, width)
		if to == at { // a character wider than the row has it for itself
			n, _ := text.Cluster(l.text[at:])
			to = at + n
		}
		if at = to; at < len(l.text) {
			l.breaks = append(l.breaks, at)
		}
	}
	return l.breaks
}

// paint draws text[from:to] in its roles. A role begins with a character,
// never inside one: a terminal draws what belongs together as one.
func (l *viewLine) paint(th *theme.Theme, ground theme.Token, from, to int) string {
	k := sort.Search(len(l.runs), func(i int) bool { return l.runs[i].Start > from }) - 1
	var b strings.Builder
	for from < to {
		end := to
		if k+1 < len(l.runs) && l.runs[k+1].Start < to {
			end = l.runs[k+1].Start
			if !l.simple {
				end = clusterEnd(l.text, from, end)
			}
		}
		if end > from {
			b.WriteString(th.RenderOn(ground, l.runs[k].Token, l.text[from:min(end, to)]))
			from = end
		}
		k++
	}
	return b.String()
}

// clusterEnd is the first end of a cluster at or after p, counted from the
// start of one at from.
func clusterEnd(s string, from, p int) int {
	for from < p {
		n, _ := text.Cluster(s[from:])
		from += n
	}
	return from
}
