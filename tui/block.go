package tui

import (
	"cmp"
	"slices"

	"github.com/charmbracelet/x/ansi"

	"parley/render"
	"parley/theme"
	"parley/timeline"
	"parley/tui/widget"
)

// The block cursor stands on one entry of the timeline, which keys then fold,
// copy and open.

// shown reports whether entry i draws anything.
func (p *pane) shown(i int) bool {
	e := p.timeline.At(i)
	return render.Shown(e, p.options(e))
}

// above is the nearest entry before i that draws something; -1 is none.
func (p *pane) above(i int) int {
	found := p.visible.above(p.timeline, p.density, i)
	for id := range p.folds {
		if at, ok := p.timeline.Find(id); ok && at < i && at > found && p.shown(at) {
			found = at
		}
	}
	return found
}

// below is the nearest entry after i that draws something; Len is none.
func (p *pane) below(i int) int {
	found := p.visible.below(p.timeline, p.density, i)
	for id := range p.folds {
		if at, ok := p.timeline.Find(id); ok && at > i && at < found && p.shown(at) {
			found = at
		}
	}
	return found
}

// block is the entry that the cursor stands on.
func (p *pane) block() (*timeline.Entry, bool) {
	i, ok := p.timeline.Find(p.cursor)
	if !ok || !p.shown(i) {
		return nil, false
	}
	return p.timeline.At(i), true
}

// lastShown is the last entry that is shown; nil if there is none.
func (p *pane) lastShown() *timeline.Entry {
	for i := p.timeline.Len() - 1; i >= 0; i-- {
		if p.shown(i) {
			return p.timeline.At(i)
		}
	}
	return nil
}

// point puts the cursor on entry i and brings it into view.
func (p *pane) point(i int) {
	p.cursor = p.timeline.At(i).ID
	p.reveal(i)
}

// step moves the cursor by an entry that is shown. Without a cursor it begins at
// what is lowest on the screen, of what has a text that can be copied.
func (p *pane) step(down bool) {
	i, ok := p.timeline.Find(p.cursor)
	switch {
	case !ok || !p.shown(i):
		i = p.begin()
	case down:
		i = p.below(i)
	default:
		i = p.above(i)
	}
	if i >= 0 && i < p.timeline.Len() {
		p.point(i)
	}
}

// begin is where the cursor is put first: on the last entry on the screen that
// has a text, rather than on a summary below it.
func (p *pane) begin() int {
	rows := p.rows()
	for _, at := range slices.Backward(rows) {
		if at.unit >= 0 && timeline.Source(p.timeline.At(at.entry)) != "" {
			return at.entry
		}
	}
	return p.lowest()
}

// lowest is the last entry on the screen; -1 is none.
func (p *pane) lowest() int {
	last := -1
	for _, at := range p.rows() {
		if at.unit >= 0 {
			last = at.entry
		}
	}
	return last
}

// rows are the places of the lines on the screen, top to bottom.
func (p *pane) rows() []place {
	if p.timeline.Len() == 0 || p.height <= 0 {
		return nil
	}
	at, ok := p.first()
	rows := make([]place, 0, p.height)
	for ok && len(rows) < p.height {
		rows = append(rows, at)
		at, ok = p.forth(at)
	}
	return rows
}

// at is the place on row y of the screen.
func (p *pane) at(y int) (place, bool) {
	rows := p.rows()
	if y < 0 || y >= len(rows) {
		return place{}, false
	}
	return rows[y], true
}

// reveal scrolls as little as is needed to show entry i whole, or from its start
// where it is longer than the screen.
func (p *pane) reveal(i int) {
	rows := p.rows()
	head := place{entry: i}
	if len(p.lines(i, 0)) == 0 {
		head, _ = p.forth(head)
	}
	switch {
	case len(rows) == 0:
	case before(head, rows[0]):
		p.settle(head)
	default:
		tail := place{entry: i, unit: p.units(i) - 1}
		tail.line = max(0, len(p.lines(i, tail.unit))-1)
		last := rows[len(rows)-1]
		if !before(last, tail) {
			return
		}
		top := tail
		for range p.height - 1 {
			next, more := p.back(top)
			if !more || before(next, head) {
				break
			}
			top = next
		}
		p.settle(top)
	}
}

// before reports whether place a comes before b.
func before(a, b place) bool {
	return cmp.Or(cmp.Compare(a.entry, b.entry), cmp.Compare(a.unit, b.unit), cmp.Compare(a.line, b.line)) < 0
}

// toggle shows entry i whole, or folded. The row it was toggled on stays where
// it is on the screen: what changes is below.
func (p *pane) toggle(i int) {
	top, ok := p.first()
	e := p.timeline.At(i)
	switch usual := render.FoldOf(e, p.density); {
	case p.options(e).Fold != render.Whole:
		p.folds[e.ID] = render.Whole
	case usual == render.Whole || p.expanded:
		p.folds[e.ID] = render.Folded
	default:
		delete(p.folds, e.ID)
	}
	if !ok {
		return
	}
	if top.entry == i && top.unit > 0 {
		top.unit, top.line = 0, 0
	}
	p.hold(top)
}

// peek scrolls where an entry that was just unfolded begins so low on the screen
// that next to nothing of it is seen.
func (p *pane) peek(i int) {
	const least = 3 // lines
	rows := p.rows()
	seen := 0
	for _, at := range rows {
		if at.entry == i && at.unit >= 0 {
			seen++
		}
	}
	if n := len(rows); n > least && seen > 0 && seen <= least && rows[n-1].entry == i {
		if _, more := p.forth(rows[n-1]); more {
			p.reveal(i)
		}
	}
}

// hold keeps the line at the top of the screen where it is. Once the end is out
// of view again, it is followed as before.
func (p *pane) hold(top place) {
	p.leave()
	p.held = p.held || p.follow
	p.follow, p.top = false, p.spot(top)
	p.loose = p.held && p.ends()
}

// ends reports whether the last line is in view.
func (p *pane) ends() bool {
	rows := p.rows()
	if len(rows) == 0 {
		return true
	}
	_, more := p.forth(rows[len(rows)-1])
	return !more
}

// resettle follows the end again, where only a fold kept the screen from it.
func (p *pane) resettle() {
	if p.loose && !p.ends() {
		p.end()
	}
}

// pointed marks the lines of the block under the cursor, in the margin.
func (p *pane) pointed(lines []string) []string {
	th := p.opts.Theme
	bar := th.Render(theme.Accent, th.Glyph(theme.MarkCaret))
	out := make([]string, len(lines))
	for i, line := range lines {
		pad := max(0, widget.Margin-ansi.StringWidth(line))
		line += widget.Blank(pad)
		out[i] = ansi.Truncate(line, widget.Margin-1, "") + bar + ansi.TruncateLeft(line, widget.Margin, "")
	}
	return out
}
