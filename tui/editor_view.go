package tui

import (
	"strings"

	"parley/render"
	"parley/theme"
)

// editorRows is how far Rows counts: more than any composer is high.
const editorRows = 256

// Rows returns how many rows the text takes at width, or 256 if it takes more.
func (e *editor) Rows(width int) int {
	e.resize(width)
	n := 0
	for r, ok := e.rowOf(textPos{}), true; ok && n < editorRows; r, ok = e.below(r) {
		n++
	}
	return n
}

// View draws the rows around the caret, at most maxRows and each at most width
// cells wide. What was in sight stays where it was as long as the caret does.
func (e *editor) View(width, maxRows int, th *theme.Theme) []string {
	top, _ := e.window(width, maxRows)
	lines := make([]string, 0, max(1, maxRows))
	for r, ok := top, true; ok && len(lines) < max(1, maxRows); r, ok = e.below(r) {
		from, to, _ := e.span(r)
		lines = append(lines, drawRow(e.content(r.line), from, to, e.width, th))
	}
	return lines
}

// Cursor returns the cell of the caret in what View draws for the same size.
func (e *editor) Cursor(width, maxRows int) (x, y int) {
	_, y = e.window(width, maxRows)
	return min(e.column(e.caret), e.width-1), y
}

func (e *editor) resize(width int) { e.width = max(1, width) }

// window returns the first row to show and how far below it the caret is. It
// moves what is in sight no more than the caret needs, and leaves no row empty
// that text could fill.
func (e *editor) window(width, maxRows int) (top textRow, y int) {
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
func (e *editor) column(p textPos) int {
	text, x := e.content(p.line), 0
	for i := e.rows(p.line, p.off).start(p.off); i < p.off; {
		n, drawn, _ := grapheme(text[i:])
		x += e.method.StringWidth(drawn)
		i += n
	}
	return x
}

// at returns the last boundary of r whose cell is not right of column x. The
// end of a row that goes on below belongs to the row below.
func (e *editor) at(r textRow, x int) textPos {
	from, to, on := e.span(r)
	text := e.content(r.line)
	for i, right := from, 0; i < to; {
		n, drawn, _ := grapheme(text[i:])
		right += e.method.StringWidth(drawn)
		if right > x || on && i+n == to {
			return textPos{r.line, i}
		}
		i += n
	}
	return textPos{r.line, to}
}

// drawRow draws a row of text: the graphemes from one offset to another.
func drawRow(text string, from, to, width int, th *theme.Theme) string {
	var b, run strings.Builder
	tok := theme.Text
	flush := func(next theme.Token) {
		b.WriteString(th.Render(tok, run.String()))
		run.Reset()
		tok = next
	}
	x := 0
	for i := from; i < to; {
		n, drawn, w := grapheme(text[i:])
		next := theme.Text
		if drawn != text[i:i+n] && drawn != tabCells {
			next = theme.Hidden
		}
		if next != tok {
			flush(next)
		}
		if x += w; x > width {
			drawn = render.Truncate(drawn, max(0, width-x+w), "")
		}
		run.WriteString(drawn)
		i += n
	}
	flush(tok)
	return b.String()
}
