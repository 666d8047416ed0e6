package transcript

import (
	"strings"

	"parley/render"
	"parley/render/text"
	"parley/theme"
	"parley/timeline"
	"parley/tui/widget"
)

// Selection is text of a pane that is selected: from one cell of its lines to
// another, in any order, both included. It belongs to the text, not to the
// screen: what comes below moves neither it nor the lines around it.
type Selection struct {
	On       bool
	From, To Mark
	Followed bool // the end was followed before
	top      Spot // the first line shown since
}

// Mark is a cell of a line.
type Mark struct {
	Spot
	Column int
}

// bound is a mark whose line was looked up.
type bound struct {
	Place
	Column int
}

// LineEnd is a column behind every line.
const LineEnd = 1 << 20

// Mark is the cell in a column of row y of the screen. Above the first line is
// its start, below the last its end; ok is false where nothing is shown.
func (p *Pane) Mark(x, y int) (m Mark, ok bool) {
	rows := p.Rows()
	switch {
	case len(rows) == 0:
		return Mark{}, false
	case y < 0:
		x, y = 0, 0
	case y >= len(rows):
		x, y = LineEnd, len(rows)-1
	}
	return Mark{p.Spot(rows[y]), max(0, x)}, true
}

// bound looks a mark up.
func (p *Pane) bound(m Mark) (bound, bool) {
	at, ok := p.Find(m.Spot)
	return bound{at, m.Column}, ok
}

// Selecting reports whether anything is selected that is still there.
func (p *Pane) Selecting() bool {
	_, _, ok := p.selected()
	return ok
}

// selected are the first cell that is selected and that behind the last; ok is
// false when nothing is, or not any more.
func (p *Pane) selected() (from, to bound, ok bool) {
	if !p.Selection.On {
		return bound{}, bound{}, false
	}
	from, ok = p.bound(p.Selection.From)
	to, found := p.bound(p.Selection.To)
	if !ok || !found {
		return bound{}, bound{}, false
	}
	if Before(to.Place, from.Place) || to.Place == from.Place && to.Column < from.Column {
		from, to = to, from
	}
	to.Column++
	return from, to, true
}

// Choose selects from one cell to another. The screen stays as it is until
// nothing is selected any more.
func (p *Pane) Choose(from, to Mark) {
	s := &p.Selection
	if !s.On {
		*s = Selection{On: true, Followed: p.Follow || p.Held}
	}
	s.From, s.To = from, to
	p.freeze()
	s.top = p.Top
}

// freeze lets nothing that comes move the lines on the screen.
func (p *Pane) freeze() {
	if at, ok := p.First(); ok {
		p.leave()
		p.Follow, p.Held, p.Loose, p.Top = false, false, false, p.Spot(at)
	}
}

// Deselect selects nothing. The end is followed again, if it was before and
// the user has not scrolled since.
func (p *Pane) Deselect() {
	s := p.Selection
	p.Selection = Selection{}
	if s.On && s.Followed && !p.Follow && p.Top == s.top {
		p.End()
	}
}

// chosen draws what is selected of some lines of a unit, the first of which is
// at.
func (p *Pane) chosen(from, to bound, at Place, lines []string) []string {
	last := at
	last.Line += len(lines) - 1
	if at.Unit < 0 || Before(last, from.Place) || Before(to.Place, at) {
		return lines
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		left, right := widget.Margin, LineEnd
		here := Place{at.Entry, at.Unit, at.Line + i}
		switch {
		case Before(here, from.Place) || Before(to.Place, here):
			right = 0
		case here == from.Place && here == to.Place:
			left, right = max(left, from.Column), to.Column
		case here == from.Place:
			left = max(left, from.Column)
		case here == to.Place:
			right = to.Column
		}
		out[i] = text.Paint(line, left, right, theme.Selected, p.Opts.Theme)
	}
	return out
}

// SelectedText is what is selected, as it was said: of an entry that is selected
// and shown whole, its source; of others what the lines that are selected were
// drawn from.
func (p *Pane) SelectedText() string {
	from, to, ok := p.selected()
	if !ok {
		return ""
	}
	var b strings.Builder
	for i := from.Entry; i <= to.Entry; i++ {
		if !p.Shown(i) {
			continue
		}
		text := p.entryText(i, from, to)
		if text == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(strings.Repeat("\n", 1+min(1, len(p.Lines(i, -1)))))
		}
		b.WriteString(text)
	}
	return b.String()
}

// Text is what entry i says; of one that says nothing by itself, as the summary of a turn
// without files does, what its rows show.
func (p *Pane) Text(i int) string {
	e := p.Timeline.At(i)
	if said := timeline.Source(e); said != "" {
		return said
	}
	from, to := bound{Place: Place{Entry: i - 1}}, bound{Place: Place{Entry: i + 1}}
	return p.unitsText(e, Place{Entry: i}, p.Units(i)-1, from, to)
}

// entryText is what is selected of entry i.
func (p *Pane) entryText(i int, from, to bound) string {
	e := p.Timeline.At(i)
	if from.Entry < i && i < to.Entry && p.all(e) {
		return strings.TrimRight(timeline.Source(e), "\n")
	}
	first, last := Place{Entry: i}, Place{Entry: i, Unit: p.Units(i) - 1}
	if p.all(e) && p.covers(first, from, to) && p.covers(last, from, to) {
		if from.Entry == to.Entry {
			return timeline.Source(e)
		}
		return strings.TrimRight(timeline.Source(e), "\n")
	}
	return p.unitsText(e, first, last.Unit, from, to)
}

// unitsText is what is selected of an entry whose units are selected in part, from
// the unit at on to the last.
func (p *Pane) unitsText(e *timeline.Entry, at Place, last int, from, to bound) string {
	if from.Entry == at.Entry {
		at.Unit = max(0, from.Unit)
	}
	if to.Entry == at.Entry {
		last = min(last, to.Unit)
	}
	var b strings.Builder
	for ; at.Unit <= last; at.Unit++ {
		text, source := p.unitText(at, from, to), p.Cache.Source(e, at.Unit, p.Options(e))
		if text == "" {
			continue
		}
		if b.Len() > 0 && strings.HasPrefix(source, "\n") && !strings.HasPrefix(text, "\n") {
			b.WriteString("\n")
		}
		b.WriteString(text)
		if at.Unit < last && (source == "" || strings.HasSuffix(source, "\n")) && !strings.HasSuffix(text, "\n") {
			b.WriteString("\n")
		}
	}
	return strings.Trim(b.String(), "\n")
}

// all reports whether all of an entry is shown.
func (p *Pane) all(e *timeline.Entry) bool {
	return p.Options(e).Fold == render.Whole || !render.Foldable(e)
}

// covers reports whether all that the unit at says is selected.
func (p *Pane) covers(at Place, from, to bound) bool {
	if Before(Place{at.Entry, at.Unit, 0}, Place{from.Entry, from.Unit, 0}) || Before(Place{to.Entry, to.Unit, 0}, at) {
		return false
	}
	lines := p.untimed(at)
	a, b := selectedCells(at, len(lines), from, to)
	return text.Blank(lines, text.Cell{Column: widget.Margin}, a) && text.Blank(lines, b, text.Cell{Line: len(lines)})
}

// unitText is what is selected of the unit at.
func (p *Pane) unitText(at Place, from, to bound) string {
	e, lines := p.Timeline.At(at.Entry), p.untimed(at)
	source := p.Cache.Source(e, at.Unit, p.Options(e))
	if source != "" && p.all(e) && p.covers(at, from, to) {
		return source
	}
	a, b := selectedCells(at, len(lines), from, to)
	return text.Excerpt(source, lines, a, b)
}

// untimed are the lines of the unit at without the time beside them, which is never copied.
func (p *Pane) untimed(at Place) []string {
	e := p.Timeline.At(at.Entry)
	return render.WithoutTime(e, at.Unit, p.Lines(at.Entry, at.Unit), p.Options(e))
}

// selectedCells are the cells that are selected of the unit at, which has n lines.
func selectedCells(at Place, n int, from, to bound) (a, b text.Cell) {
	b = text.Cell{Line: n}
	if from.Entry == at.Entry && from.Unit == at.Unit {
		a = text.Cell{Line: from.Line, Column: from.Column}
	}
	if to.Entry == at.Entry && to.Unit == at.Unit {
		b = text.Cell{Line: to.Line, Column: to.Column}
	}
	return a, b
}

// ChooseWord selects the word at a cell.
func (p *Pane) ChooseWord(m Mark) {
	if at, ok := p.Find(m.Spot); ok && at.Unit >= 0 {
		if from, to := text.Word(p.Lines(at.Entry, at.Unit)[at.Line], m.Column); from < to {
			p.Choose(Mark{m.Spot, from}, Mark{m.Spot, to - 1})
		}
	}
}

// ChooseLine selects the line at a cell, as it was written: all of a long one.
func (p *Pane) ChooseLine(m Mark) {
	at, ok := p.Find(m.Spot)
	if !ok || at.Unit < 0 {
		return
	}
	e := p.Timeline.At(at.Entry)
	first, last := text.SourceLine(p.Cache.Source(e, at.Unit, p.Options(e)), p.Lines(at.Entry, at.Unit), at.Line)
	p.Choose(Mark{Spot{m.ID, at.Unit, first}, 0}, Mark{Spot{m.ID, at.Unit, last}, LineEnd})
}
