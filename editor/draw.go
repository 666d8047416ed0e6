package editor

import (
	"slices"
	"strings"

	"parley/render/text"
	"parley/theme"
)

// Span is a part of a line, in bytes, that is drawn in the style of tok.
type Span struct {
	From, To int
	Token    theme.Token
}

// drawnRow is a row to draw: bytes of its line.
type drawnRow struct {
	line, from, to int
	last           bool // the line ends with it
}

// View draws the rows around the caret, at most maxRows and each at most width
// cells wide. What was in sight stays where it was as long as the caret does.
func (e *Editor) View(width, maxRows int, th *theme.Theme) []string {
	e.abbreviate(th.Glyph(theme.MarkEllipsis))
	top, _ := e.window(width, maxRows)
	rows := make([]drawnRow, 0, max(1, maxRows))
	for r, ok := top, true; ok && len(rows) < max(1, maxRows); r, ok = e.below(r) {
		from, to, on := e.span(r)
		rows = append(rows, drawnRow{r.line, from, to, !on})
	}
	selected := e.selected()
	lines := make([]string, 0, len(rows))
	for i := 0; i < len(rows); {
		same := i + 1
		for same < len(rows) && rows[same].line == rows[i].line {
			same++
		}
		spans := e.styles(rows[i].line, rows[i].from, rows[same-1].to)
		for ; i < same; i++ {
			lines = append(lines, e.drawRow(rows[i], spans, selected, th))
		}
	}
	return lines
}

// A line up to spansWhole bytes is given to spans whole. Of a longer one it
// gets what is in sight, and at most spansAround bytes on both sides, so as to
// begin and end at a space.
const (
	spansWhole  = 4 << 10
	spansAround = 512
)

// styles returns how to draw the bytes of a line that are in sight.
func (e *Editor) styles(line, from, to int) []Span {
	if e.spans == nil {
		return nil
	}
	text := e.content(line)
	if len(text) <= spansWhole {
		from, to = 0, len(text)
	} else {
		before := max(0, from-spansAround)
		if i := strings.LastIndexAny(text[before:from], " \t"); i >= 0 || before == 0 {
			from = before + max(0, i)
		}
		after := text[to:min(len(text), to+spansAround)]
		if i := strings.IndexAny(after, " \t"); i >= 0 {
			to += i
		} else if to+len(after) == len(text) {
			to = len(text)
		}
	}
	spans := e.spans(withoutCodes(text[from:to]), line == 0 && from == 0)
	if from > 0 {
		spans = slices.Clone(spans)
		for i := range spans {
			spans[i].From += from
			spans[i].To += from
		}
	}
	return spans
}

// withoutCodes returns text of a line with spaces for all codes in it, at the
// same places.
func withoutCodes(s string) string {
	if strings.IndexByte(s, codeByte) < 0 {
		return s
	}
	b := []byte(s)
	for i := range b {
		if b[i] == codeByte {
			copy(b[i:], "    ")
		}
	}
	return string(b)
}

// textRange is what is selected. Behind the end of a line is its line break.
type textRange struct{ from, to textPos }

func (r textRange) holds(p textPos) bool { return !p.before(r.from) && p.before(r.to) }

// selected returns what to draw as selected; with nothing selected it is empty.
func (e *Editor) selected() textRange {
	if e.vim == nil || e.vim.mode != vimVisual && e.vim.mode != vimLines {
		return textRange{}
	}
	from, to, lines := e.vim.selection()
	if lines {
		to = textPos{to.line + 1, 0}
	}
	return textRange{from, to}
}

// drawRow draws a row of text.
func (e *Editor) drawRow(r drawnRow, spans []Span, selected textRange, th *theme.Theme) string {
	var b, run strings.Builder
	tok := theme.Text
	draw := func(next theme.Token, s string) {
		if next != tok {
			b.WriteString(th.Render(tok, run.String()))
			run.Reset()
			tok = next
		}
		run.WriteString(s)
	}
	str, x := e.content(r.line), 0
	for i := r.from; i < r.to; {
		n, drawn, w := e.chips.grapheme(str[i:], e.width)
		for len(spans) > 0 && spans[0].To <= i {
			spans = spans[1:]
		}
		next := theme.Text
		switch {
		case selected.holds(textPos{r.line, i}):
			next = theme.Selected
		case isChip(str[i:]):
			next = theme.Chip
		case drawn != str[i:i+n] && drawn != tabCells:
			next = theme.Hidden
		case len(spans) > 0 && spans[0].From <= i:
			next = spans[0].Token
		}
		if x += w; x > e.width {
			drawn = text.Truncate(drawn, max(0, e.width-x+w), "")
		}
		draw(next, drawn)
		i += n
	}
	if r.last && x < e.width && selected.holds(textPos{r.line, len(str)}) {
		draw(theme.Selected, " ")
	}
	return b.String() + th.Render(tok, run.String())
}

// editorRows is how far Rows counts: about as much as any composer is high.
const editorRows = 100

// Rows returns how many rows the text takes at width, or 100 if it takes more.
func (e *Editor) Rows(width int) int {
	e.resize(width)
	n := 0
	for r, ok := e.rowOf(textPos{}), true; ok && n < editorRows; r, ok = e.below(r) {
		n++
	}
	return n
}

// Cursor returns the cell of the caret in what View draws for the same size.
func (e *Editor) Cursor(width, maxRows int) (x, y int) {
	_, y = e.window(width, maxRows)
	return min(e.column(e.caret), e.width-1), y
}

func (e *Editor) resize(width int) { e.width = max(1, width) }

// window returns the first row to show and how far below it the caret is. It
// moves what is in sight no more than the caret needs, and leaves no row empty
// that text could fill.
func (e *Editor) window(width, maxRows int) (top textRow, y int) {
	e.resize(width)
	height := max(1, maxRows)
	was := e.rowOf(textPos{min(e.top.line, len(e.lines)-1), e.top.off})
	top = e.rowOf(e.caret)
	rows := 1
	for r, ok := e.below(top); ok && rows < height; r, ok = e.below(r) {
		rows++
	}
	for {
		r, ok := e.above(top)
		inSight := was.before(top) && y < height-1
		if !ok || !inSight && rows+y >= height {
			break
		}
		top, y = r, y+1
	}
	from, _, _ := e.span(top)
	e.top = textPos{top.line, from}
	return top, y
}

// column returns the cell of p in its row.
func (e *Editor) column(p textPos) int {
	text, x := e.content(p.line), 0
	for i := e.rows(p.line, p.off).start(p.off); i < p.off; {
		n, drawn, _ := e.chips.grapheme(text[i:], e.width)
		x += e.method.StringWidth(drawn)
		i += n
	}
	return x
}

// at returns the last boundary of r whose cell is not right of column x. The
// end of a row that continues below belongs to the row below.
func (e *Editor) at(r textRow, x int) textPos {
	from, to, on := e.span(r)
	text := e.content(r.line)
	for i, right := from, 0; i < to; {
		n, drawn, _ := e.chips.grapheme(text[i:], e.width)
		right += e.method.StringWidth(drawn)
		if right > x || on && i+n == to {
			return textPos{r.line, i}
		}
		i += n
	}
	return textPos{r.line, to}
}
