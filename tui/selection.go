package tui

import (
	"strings"

	"parley/render"
	"parley/theme"
	"parley/timeline"
	"parley/tui/widget"
)

// selection is text of a pane that is selected: from one cell of its lines to
// another, in any order, both included. It belongs to the text, not to the
// screen: what comes below moves neither it nor the lines around it.
type selection struct {
	on       bool
	from, to mark
	followed bool // the end was followed before
	top      spot // the first line shown since
}

// mark is a cell of a line.
type mark struct {
	spot
	column int
}

// bound is a mark whose line was looked up.
type bound struct {
	place
	column int
}

// lineEnd is a column behind every line.
const lineEnd = 1 << 20

// mark is the cell in a column of row y of the screen. Above the first line is
// its start, below the last its end; ok is false where nothing is shown.
func (p *pane) mark(x, y int) (m mark, ok bool) {
	rows := p.rows()
	switch {
	case len(rows) == 0:
		return mark{}, false
	case y < 0:
		x, y = 0, 0
	case y >= len(rows):
		x, y = lineEnd, len(rows)-1
	}
	return mark{p.spot(rows[y]), max(0, x)}, true
}

// bound looks a mark up.
func (p *pane) bound(m mark) (bound, bool) {
	at, ok := p.find(m.spot)
	return bound{at, m.column}, ok
}

// selected are the first cell that is selected and that behind the last; ok is
// false when nothing is, or not any more.
func (p *pane) selected() (from, to bound, ok bool) {
	if !p.selection.on {
		return bound{}, bound{}, false
	}
	from, ok = p.bound(p.selection.from)
	to, found := p.bound(p.selection.to)
	if !ok || !found {
		return bound{}, bound{}, false
	}
	if before(to.place, from.place) || to.place == from.place && to.column < from.column {
		from, to = to, from
	}
	to.column++
	return from, to, true
}

// choose selects from one cell to another. The screen stays as it is until
// nothing is selected any more.
func (p *pane) choose(from, to mark) {
	s := &p.selection
	if !s.on {
		*s = selection{on: true, followed: p.follow || p.held}
	}
	s.from, s.to = from, to
	p.freeze()
	s.top = p.top
}

// freeze lets nothing that comes move the lines on the screen.
func (p *pane) freeze() {
	if at, ok := p.first(); ok {
		p.leave()
		p.follow, p.held, p.loose, p.top = false, false, false, p.spot(at)
	}
}

// deselect selects nothing. The end is followed again, if it was before and
// nobody scrolled since.
func (p *pane) deselect() {
	s := p.selection
	p.selection = selection{}
	if s.on && s.followed && !p.follow && p.top == s.top {
		p.end()
	}
}

// chosen draws what is selected of some lines of a unit, the first of which is
// at.
func (p *pane) chosen(from, to bound, at place, lines []string) []string {
	last := at
	last.line += len(lines) - 1
	if at.unit < 0 || before(last, from.place) || before(to.place, at) {
		return lines
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		left, right := widget.Margin, lineEnd
		here := place{at.entry, at.unit, at.line + i}
		switch {
		case before(here, from.place) || before(to.place, here):
			right = 0
		case here == from.place && here == to.place:
			left, right = max(left, from.column), to.column
		case here == from.place:
			left = max(left, from.column)
		case here == to.place:
			right = to.column
		}
		out[i] = render.Paint(line, left, right, theme.Selected, p.opts.Theme)
	}
	return out
}

// selectedText is what is selected, as it was said: of an entry that is selected
// and shown whole, its source; of others what the lines that are selected were
// drawn from.
func (p *pane) selectedText() string {
	from, to, ok := p.selected()
	if !ok {
		return ""
	}
	var b strings.Builder
	for i := from.entry; i <= to.entry; i++ {
		if !p.shown(i) {
			continue
		}
		text := p.entryText(i, from, to)
		if text == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(strings.Repeat("\n", 1+min(1, len(p.lines(i, -1)))))
		}
		b.WriteString(text)
	}
	return b.String()
}

// entryText is what is selected of entry i.
func (p *pane) entryText(i int, from, to bound) string {
	e := p.timeline.At(i)
	if from.entry < i && i < to.entry && p.all(e) {
		return strings.TrimRight(timeline.Source(e), "\n")
	}
	first, last := place{entry: i}, place{entry: i, unit: p.units(i) - 1}
	if p.all(e) && p.covers(first, from, to) && p.covers(last, from, to) {
		if from.entry == to.entry {
			return timeline.Source(e)
		}
		return strings.TrimRight(timeline.Source(e), "\n")
	}
	return p.unitsText(e, first, last.unit, from, to)
}

// unitsText is what is selected of an entry whose units are selected in part, from
// the unit at on to the last.
func (p *pane) unitsText(e *timeline.Entry, at place, last int, from, to bound) string {
	if from.entry == at.entry {
		at.unit = max(0, from.unit)
	}
	if to.entry == at.entry {
		last = min(last, to.unit)
	}
	var b strings.Builder
	for ; at.unit <= last; at.unit++ {
		text, source := p.unitText(at, from, to), p.cache.Source(e, at.unit, p.options(e))
		if text == "" {
			continue
		}
		if b.Len() > 0 && strings.HasPrefix(source, "\n") && !strings.HasPrefix(text, "\n") {
			b.WriteString("\n")
		}
		b.WriteString(text)
		if at.unit < last && (source == "" || strings.HasSuffix(source, "\n")) && !strings.HasSuffix(text, "\n") {
			b.WriteString("\n")
		}
	}
	return strings.Trim(b.String(), "\n")
}

// all reports whether all of an entry is shown.
func (p *pane) all(e *timeline.Entry) bool {
	return p.options(e).Fold == render.Whole || !render.Foldable(e)
}

// covers reports whether all that the unit at says is selected.
func (p *pane) covers(at place, from, to bound) bool {
	if before(place{at.entry, at.unit, 0}, place{from.entry, from.unit, 0}) || before(place{to.entry, to.unit, 0}, at) {
		return false
	}
	lines := p.lines(at.entry, at.unit)
	a, b := selectedCells(at, len(lines), from, to)
	return render.Blank(lines, render.Cell{Column: widget.Margin}, a) && render.Blank(lines, b, render.Cell{Line: len(lines)})
}

// unitText is what is selected of the unit at.
func (p *pane) unitText(at place, from, to bound) string {
	e, lines := p.timeline.At(at.entry), p.lines(at.entry, at.unit)
	source := p.cache.Source(e, at.unit, p.options(e))
	if source != "" && p.all(e) && p.covers(at, from, to) {
		return source
	}
	a, b := selectedCells(at, len(lines), from, to)
	return render.Excerpt(source, lines, a, b)
}

// selectedCells are the cells that are selected of the unit at, which has n lines.
func selectedCells(at place, n int, from, to bound) (a, b render.Cell) {
	b = render.Cell{Line: n}
	if from.entry == at.entry && from.unit == at.unit {
		a = render.Cell{Line: from.line, Column: from.column}
	}
	if to.entry == at.entry && to.unit == at.unit {
		b = render.Cell{Line: to.line, Column: to.column}
	}
	return a, b
}

// chooseWord selects the word at a cell.
func (p *pane) chooseWord(m mark) {
	if at, ok := p.find(m.spot); ok && at.unit >= 0 {
		if from, to := render.Word(p.lines(at.entry, at.unit)[at.line], m.column); from < to {
			p.choose(mark{m.spot, from}, mark{m.spot, to - 1})
		}
	}
}

// chooseLine selects the line at a cell, as it was written: all of a long one.
func (p *pane) chooseLine(m mark) {
	at, ok := p.find(m.spot)
	if !ok || at.unit < 0 {
		return
	}
	e := p.timeline.At(at.entry)
	first, last := render.SourceLine(p.cache.Source(e, at.unit, p.options(e)), p.lines(at.entry, at.unit), at.line)
	p.choose(mark{spot{m.id, at.unit, first}, 0}, mark{spot{m.id, at.unit, last}, lineEnd})
}
