package editor

import "slices"

// textRows is where the rows of one line start at one width, as far as anyone
// asked. Rows are filled greedily, so a row depends on what follows its start
// and on nothing before.
type textRows struct {
	width  int
	chips  *chips
	starts []int // byte offsets, rising, the first is 0; the last may be the line's length
	whole  bool  // there are no more
}

// more finds one more row of text, the line.
func (r *textRows) more(text string) {
	if next := nextRow(text, r.starts[len(r.starts)-1], r.width, r.chips); next >= 0 {
		r.starts = append(r.starts, next)
		return
	}
	r.whole = true
}

// reach finds the rows of text up to the one that holds byte off, and the end
// of that one.
func (r *textRows) reach(text string, off int) {
	for !r.whole && r.starts[len(r.starts)-1] <= off {
		r.more(text)
	}
}

// index returns which of the rows found holds byte off.
func (r *textRows) index(off int) int {
	i, found := slices.BinarySearch(r.starts, off)
	if !found {
		i--
	}
	return i
}

// start returns where the row that holds byte off begins.
func (r *textRows) start(off int) int { return r.starts[r.index(off)] }

// sameRows is how many rows after a change are found anew before the rest is
// left until somebody looks there.
const sameRows = 32

// edited returns the rows of text, in which added bytes at offset at took the
// place of removed ones of a line that had size bytes. Only the rows near the
// change are found anew. It returns nil, for not known, if the sizes say that
// something else changed too.
func (r *textRows) edited(text string, size, at, removed, added int) *textRows {
	shift := added - removed
	if r == nil || len(text)-size != shift || at+removed > size {
		return nil
	}
	// A row ends where the next grapheme has no room: that depends on the
	// beginning of the row below, and on one more where a row holds only one. The
	// pieces of a rune of four bytes may have a row each until the last of them
	// comes (see codedLen).
	first := max(0, r.index(at)-4)
	edited := &textRows{width: r.width, chips: r.chips, starts: slices.Clone(r.starts[:first+1])}
	for range sameRows {
		edited.more(text)
		last := len(edited.starts) - 1
		if edited.whole {
			break
		}
		if s := edited.starts[last]; s >= at+added {
			if i, same := slices.BinarySearch(r.starts, s-shift); same {
				for _, old := range r.starts[i+1:] {
					edited.starts = append(edited.starts, old+shift)
				}
				edited.whole = r.whole
				break
			}
		}
	}
	return edited
}

// nextRow returns where the row after the one that begins at start begins, or
// -1 if that is the last. A row breaks after a space and around a wide grapheme
// or a chip, or else where it is full. Its last column is left to the caret and
// to the space at which it breaks.
func nextRow(text string, start, width int, c *chips) int {
	room := max(1, width-1)
	x, gap := 0, -1
	for i := start; i < len(text); {
		n, w := plain(text, i)
		if n == 0 {
			n, _, w = c.grapheme(text[i:], width)
		}
		space := text[i] == ' ' || text[i] == '\t'
		wide := (w == 2 || text[i] == codeByte) && !space
		if wide {
			gap = i
		}
		if x+w > room && i > start && (!space || x+w > width) {
			if gap > start {
				return gap
			}
			return i
		}
		x, i = x+w, i+n
		if space || wide {
			gap = i
		}
	}
	if x >= width && width > 1 {
		return len(text) // the caret behind the last space
	}
	return -1
}

// rows returns the rows of line i up to the one that holds byte off.
func (e *Editor) rows(i, off int) *textRows {
	l := &e.lines[i]
	if l.rows == nil || l.rows.width != e.width {
		l.rows = &textRows{width: e.width, chips: &e.chips, starts: []int{0}}
	}
	l.rows.reach(e.content(i), off)
	return l.rows
}

// textRow is one row of one line.
type textRow struct{ line, index int }

func (r textRow) before(s textRow) bool {
	return r.line < s.line || r.line == s.line && r.index < s.index
}

// rowOf returns the row that shows p; a place between two rows is the start of
// the second.
func (e *Editor) rowOf(p textPos) textRow {
	return textRow{p.line, e.rows(p.line, p.off).index(p.off)}
}

// span returns the bytes of its line that r shows, and whether the line
// continues in the row below.
func (e *Editor) span(r textRow) (from, to int, on bool) {
	from = e.lines[r.line].rows.starts[r.index]
	if starts := e.rows(r.line, from).starts; r.index+1 < len(starts) {
		return from, starts[r.index+1], true
	}
	return from, len(e.content(r.line)), false
}

// above returns the row above r; ok is false if r is the first.
func (e *Editor) above(r textRow) (_ textRow, ok bool) {
	switch {
	case r.index > 0:
		return textRow{r.line, r.index - 1}, true
	case r.line > 0:
		r.line--
		return e.rowOf(textPos{r.line, len(e.content(r.line))}), true
	}
	return r, false
}

// below returns the row below r; ok is false if r is the last.
func (e *Editor) below(r textRow) (_ textRow, ok bool) {
	_, _, on := e.span(r)
	switch {
	case on:
		return textRow{r.line, r.index + 1}, true
	case r.line < len(e.lines)-1:
		return e.rowOf(textPos{line: r.line + 1}), true
	}
	return r, false
}
