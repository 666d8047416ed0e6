package transcript

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

// Shown reports whether entry i draws anything.
func (p *Pane) Shown(i int) bool {
	e := p.Timeline.At(i)
	return render.Shown(e, p.Options(e))
}

// Above is the nearest entry before i that draws something; -1 is none.
func (p *Pane) Above(i int) int {
	found := p.visible.above(p.Timeline, p.Density, i)
	for id := range p.Folds {
		if at, ok := p.Timeline.Find(id); ok && at < i && at > found && p.Shown(at) {
			found = at
		}
	}
	return found
}

// Below is the nearest entry after i that draws something; Len is none.
func (p *Pane) Below(i int) int {
	found := p.visible.below(p.Timeline, p.Density, i)
	for id := range p.Folds {
		if at, ok := p.Timeline.Find(id); ok && at > i && at < found && p.Shown(at) {
			found = at
		}
	}
	return found
}

// Block is the entry that the cursor stands on.
func (p *Pane) Block() (*timeline.Entry, bool) {
	i, ok := p.Timeline.Find(p.Cursor)
	if !ok || !p.Shown(i) {
		return nil, false
	}
	return p.Timeline.At(i), true
}

// LastShown is the last entry that is shown; nil if no entry is shown.
func (p *Pane) LastShown() *timeline.Entry {
	if i := p.Above(p.Timeline.Len()); i >= 0 {
		return p.Timeline.At(i)
	}
	return nil
}

// Point puts the cursor on entry i and brings it into view.
func (p *Pane) Point(i int) {
	p.Cursor = p.Timeline.At(i).ID
	p.Reveal(i)
}

// Step moves the cursor by an entry that is shown. Without a cursor it begins at
// what is lowest on the screen, of what has a text that can be copied.
func (p *Pane) Step(down bool) {
	i, ok := p.Timeline.Find(p.Cursor)
	switch {
	case !ok || !p.Shown(i):
		i = p.begin()
	case down:
		i = p.Below(i)
	default:
		i = p.Above(i)
	}
	if i >= 0 && i < p.Timeline.Len() {
		p.Point(i)
	}
}

// begin is where the cursor is put first: on the last entry on the screen that
// has a text, rather than on a summary below it or on how the turn ended.
func (p *Pane) begin() int {
	for _, at := range slices.Backward(p.Rows()) {
		e := p.Timeline.At(at.Entry)
		if _, divider := e.Body.(*timeline.Divider); at.Unit >= 0 && !divider && timeline.Source(e) != "" {
			return at.Entry
		}
	}
	return p.Lowest()
}

// Lowest is the last entry on the screen; -1 is none.
func (p *Pane) Lowest() int {
	for _, at := range slices.Backward(p.Rows()) {
		if at.Unit >= 0 {
			return at.Entry
		}
	}
	return -1
}

// Rows are the places of the lines on the screen, top to bottom.
func (p *Pane) Rows() []Place {
	if p.Timeline.Len() == 0 || p.Height <= 0 {
		return nil
	}
	at, ok := p.First()
	rows := make([]Place, 0, p.Height)
	for ok && len(rows) < p.Height {
		rows = append(rows, at)
		at, ok = p.Forth(at)
	}
	return rows
}

// At is the place on row y of the screen.
func (p *Pane) At(y int) (Place, bool) {
	rows := p.Rows()
	if y < 0 || y >= len(rows) {
		return Place{}, false
	}
	return rows[y], true
}

// Reveal scrolls as little as is needed to show entry i whole, or from its start
// where it is longer than the screen.
func (p *Pane) Reveal(i int) {
	rows := p.Rows()
	head := Place{Entry: i}
	if len(p.Lines(i, 0)) == 0 {
		head, _ = p.Forth(head)
	}
	switch {
	case len(rows) == 0:
	case Before(head, rows[0]):
		p.Settle(head)
	default:
		tail := Place{Entry: i, Unit: p.Units(i) - 1}
		tail.Line = max(0, len(p.Lines(i, tail.Unit))-1)
		last := rows[len(rows)-1]
		if !Before(last, tail) {
			return
		}
		top := tail
		for range p.Height - 1 {
			next, more := p.back(top)
			if !more || Before(next, head) {
				break
			}
			top = next
		}
		p.Settle(top)
	}
}

// Before reports whether place a comes before b.
func Before(a, b Place) bool {
	return cmp.Or(cmp.Compare(a.Entry, b.Entry), cmp.Compare(a.Unit, b.Unit), cmp.Compare(a.Line, b.Line)) < 0
}

// Toggle shows entry i whole, or folded. The row it was toggled on stays where
// it is on the screen: what changes is below.
func (p *Pane) Toggle(i int) {
	top, ok := p.First()
	e := p.Timeline.At(i)
	switch usual := render.FoldOf(e, p.Density); {
	case p.Options(e).Fold != render.Whole:
		p.Folds[e.ID] = render.Whole
	case usual == render.Whole || p.Expanded:
		p.Folds[e.ID] = render.Folded
	default:
		delete(p.Folds, e.ID)
	}
	if !ok {
		return
	}
	if top.Entry == i && top.Unit > 0 {
		top.Unit, top.Line = 0, 0
	}
	p.hold(top)
}

// Peek scrolls where an entry that was just unfolded begins so low on the screen
// that next to nothing of it is seen.
func (p *Pane) Peek(i int) {
	const least = 3 // lines
	rows := p.Rows()
	seen := 0
	for _, at := range rows {
		if at.Entry == i && at.Unit >= 0 {
			seen++
		}
	}
	if n := len(rows); n > least && seen > 0 && seen <= least && rows[n-1].Entry == i {
		if _, more := p.Forth(rows[n-1]); more {
			p.Reveal(i)
		}
	}
}

// hold keeps the line at the top of the screen where it is. Once the end is out
// of view again, it is followed as before.
func (p *Pane) hold(top Place) {
	p.leave()
	p.Held = p.Held || p.Follow
	p.Follow, p.Top = false, p.Spot(top)
	p.Loose = p.Held && p.Ends()
}

// Ends reports whether the last line is in view.
func (p *Pane) Ends() bool {
	rows := p.Rows()
	if len(rows) == 0 {
		return true
	}
	_, more := p.Forth(rows[len(rows)-1])
	return !more
}

// Resettle follows the end again, if only a fold prevented that.
func (p *Pane) Resettle() {
	if p.Loose && !p.Ends() {
		p.End()
	}
}

// pointed marks the lines of the block under the cursor, in the margin.
func (p *Pane) pointed(lines []string) []string {
	th := p.Opts.Theme
	bar := th.Render(theme.Accent, th.Glyph(theme.MarkCaret))
	out := make([]string, len(lines))
	for i, line := range lines {
		pad := max(0, widget.Margin-ansi.StringWidth(line))
		line += widget.Blank(pad)
		out[i] = ansi.Truncate(line, widget.Margin-1, "") + bar + ansi.TruncateLeft(line, widget.Margin, "")
	}
	return out
}

// ShowBy shows the conversation by a density, with the same entry at the top.
func (p *Pane) ShowBy(d render.Density) {
	top, ok := p.First()
	p.Density, p.Expanded = d, false
	clear(p.Folds)
	if ok && !p.Follow {
		p.Top = p.Spot(top)
	}
}

// Unfold shows an entry whole, whatever the density is.
func (p *Pane) Unfold(id timeline.EntryID) { p.Folds[id] = render.Whole }
