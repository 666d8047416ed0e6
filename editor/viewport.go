package editor

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
