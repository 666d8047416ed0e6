package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"parley/render"
	"parley/session"
	"parley/theme"
	"parley/timeline"
	"parley/tui/widget"
)

// pane shows the timeline: a window of lines over entries and their units. It
// scrolls by an anchor, never by a height, so that its work is bounded by the
// screen and what happens below does not move the text under the reader's eye
// (architecture, section 8).
type pane struct {
	timeline *timeline.Timeline
	cache    *render.Cache
	opts     render.Options // Width, Theme and what else every entry is drawn with
	height   int

	follow bool // the last line stays at the bottom
	asked  bool // because the user went there by key
	// answered is the answer at whose first line following ended last.
	answered timeline.EntryID
	top      spot // the first line shown while not following
	left     int  // entries there were when following ended
	// counted are the entries that fresh has looked at since, of which news are
	// shown.
	counted, news int
	floor         spot // the last line that a cleared screen hides

	expanded bool // every entry is shown whole
	thinking bool // reasoning is shown whole

	density render.Density
	visible visible
	folds   map[timeline.EntryID]render.Fold // of entries that the user, or a search, folded or unfolded
	// highlight marks what was searched for in a drawn line; nil marks nothing.
	// It must not change the width of the line.
	highlight func(line string) string

	// outside reports whether the model saw what an event says and does so no
	// more; nil: it sees everything.
	outside func(session.EventID) bool

	pictures *pictures // that the terminal shows itself; nil for none
	sights   []sight   // entries with pictures in the last view

	cursor    timeline.EntryID // the block that keys are for; "" is none
	selection selection

	held  bool               // the end was followed until something was folded or unfolded
	loose bool               // and it is in view since: it is followed again when more comes
	agent *timeline.Subagent // whose timeline this is; nil is the conversation's
	over  *pane              // what is shown again when this one is left
}

// spot is one line of the timeline. Unit -1 is the space above the entry.
type spot struct {
	id         timeline.EntryID
	unit, line int
}

// place is a spot whose entry was looked up.
type place struct {
	entry, unit, line int
}

// cacheLines bounds the drawn lines that are kept: some two hundred screens.
const cacheLines = 20_000

func newPane(t *timeline.Timeline, opts render.Options) pane {
	return pane{
		timeline: t, cache: render.NewCache(cacheLines), opts: opts, follow: true,
		folds: map[timeline.EntryID]render.Fold{},
	}
}

// options are those of one entry.
func (p *pane) options(e *timeline.Entry) render.Options {
	o := p.opts
	_, thinking := e.Body.(*timeline.Reasoning)
	o.Fold = render.FoldOf(e, p.density)
	if o.Fold != render.Hidden && (p.expanded || thinking && p.thinking) {
		o.Fold = render.Whole
	}
	if fold, ok := p.folds[e.ID]; ok {
		o.Fold = fold
	}
	o.Pictures = p.pictures.of(p.timeline, e.ID)
	return o
}

// as shows as much as another pane does.
func (p *pane) as(other *pane) {
	p.density, p.expanded, p.thinking = other.density, other.expanded, other.thinking
}

// unfold shows an entry whole, whatever the density says.
func (p *pane) unfold(id timeline.EntryID) { p.folds[id] = render.Whole }

// show brings a line into view, a third from the top, and stops following.
func (p *pane) show(at place) {
	for range p.height / 3 {
		before, more := p.back(at)
		if !more {
			break
		}
		at = before
	}
	p.settle(at)
}

// showTop brings entry i to the top of the screen.
func (p *pane) showTop(i int) {
	if at, ok := p.forth(place{entry: i, unit: -1}); ok {
		p.settle(at)
	}
}

// lines returns what is drawn of a unit; unit -1 is the space above entry i.
func (p *pane) lines(i, unit int) []string {
	e := p.timeline.At(i)
	if unit >= 0 {
		return p.cache.Lines(e, unit, p.options(e))
	}
	if !p.shown(i) {
		return nil
	}
	prev := p.above(i)
	if prev < 0 {
		return nil
	}
	return render.Space(p.timeline.At(prev), e, p.options(e))
}

// units is the number of units of entry i.
func (p *pane) units(i int) int {
	e := p.timeline.At(i)
	return p.cache.Units(e, p.options(e))
}

// back returns the line before at; ok is false at the first line.
func (p *pane) back(at place) (place, bool) {
	if at.line > 0 {
		at.line--
		return at, true
	}
	for {
		if at.unit--; at.unit < -1 {
			if at.entry = p.above(at.entry); at.entry < 0 {
				return place{}, false
			}
			at.unit = p.units(at.entry) - 1
		}
		if n := len(p.lines(at.entry, at.unit)); n > 0 {
			at.line = n - 1
			return at, true
		}
	}
}

// forth returns the line after at; ok is false at the last line.
func (p *pane) forth(at place) (place, bool) {
	if at.line+1 < len(p.lines(at.entry, at.unit)) {
		at.line++
		return at, true
	}
	at.line = 0
	for {
		if at.unit++; at.unit >= p.units(at.entry) {
			at.unit = -1
			if at.entry = p.below(at.entry); at.entry >= p.timeline.Len() {
				return place{}, false
			}
		}
		if len(p.lines(at.entry, at.unit)) > 0 {
			return at, true
		}
	}
}

// beyond is the place after the last line, where going back starts.
func (p *pane) beyond() place { return place{entry: p.timeline.Len(), unit: -1} }

// first is the first line shown. ok is false when there is nothing to show.
func (p *pane) first() (place, bool) {
	if !p.follow {
		if at, ok := p.find(p.top); ok {
			return at, true
		}
	}
	at, ok := p.beyond(), false
	for range p.height {
		before, more := p.back(at)
		if !more || p.cleared(before) {
			break
		}
		at, ok = before, true
	}
	return at, ok
}

// cleared reports whether at lies above the floor that a cleared screen has.
func (p *pane) cleared(at place) bool {
	floor, ok := p.find(p.floor)
	if !ok {
		return false
	}
	if at.unit < 0 && p.above(at.entry) <= floor.entry {
		return true // the space above the first entry that is shown after it
	}
	return !before(floor, at)
}

// find looks a spot up. When its unit or line is gone, because the entry was
// folded or drawn at another width, the nearest one takes its place; when its
// entry is gone, ok is false.
func (p *pane) find(s spot) (place, bool) {
	i, ok := p.timeline.Find(s.id)
	if !ok {
		return place{}, false
	}
	at := place{entry: i, unit: min(s.unit, p.units(i)-1)}
	at.line = min(s.line, len(p.lines(i, at.unit))-1)
	if at.line < 0 {
		at.line = 0
		return p.forth(at)
	}
	return at, true
}

// view returns the lines on the screen, at most the pane's height.
func (p *pane) view() []string {
	p.sights = p.sights[:0]
	if p.timeline.Len() == 0 || p.height <= 0 {
		return nil
	}
	at, ok := p.first()
	shown := make([]string, 0, p.height)
	var edged []span
	from, to, selected := p.selected()
	for ok && len(shown) < p.height {
		block := p.lines(at.entry, at.unit)
		p.sight(at)
		block = block[at.line:min(len(block), at.line+p.height-len(shown))]
		at.line += len(block) - 1
		e := p.timeline.At(at.entry)
		if at.unit >= 0 && e.ID == p.cursor {
			block = p.pointed(block)
		}
		if selected {
			block = p.chosen(from, to, place{at.entry, at.unit, at.line - len(block) + 1}, block)
		}
		shown = append(shown, block...)
		if p.gone(at.entry) && (at.unit >= 0 || p.gone(p.above(at.entry))) {
			edged = append(edged, span{len(shown) - len(block), len(shown)})
		}
		at, ok = p.forth(at)
	}
	if p.highlight != nil {
		for i, line := range shown {
			if !strings.ContainsRune(line, render.Placeholder) { // its colour says which picture it is
				shown[i] = p.highlight(line)
			}
		}
	}
	for _, s := range edged {
		p.edge(shown[s.from:s.to])
	}
	return shown
}

// span is a run of lines.
type span struct{ from, to int }

// gone reports whether the model saw what entry i says and does so no more. What
// Parley itself adds up is nothing that it ever saw.
func (p *pane) gone(i int) bool {
	if p.outside == nil || i < 0 {
		return false
	}
	e := p.timeline.At(i)
	switch e.Body.(type) {
	case *timeline.Summary, *timeline.Closing:
		return false
	}
	return slices.ContainsFunc(e.Origin, p.outside)
}

// edge marks lines of what the model does not see any more, in the column of air
// at the right edge.
func (p *pane) edge(lines []string) {
	mark := p.opts.Theme.Render(theme.Dim, p.opts.Theme.Glyph(theme.MarkOutside))
	for i, line := range lines {
		lines[i] = line + widget.Blank(p.opts.Width-ansi.StringWidth(line)) + mark
	}
}

// scroll moves the view by n lines, down when n is positive. Reaching the end
// follows it again.
func (p *pane) scroll(n int) {
	if n < 0 {
		p.floor = spot{} // what a cleared screen hides is above
	}
	at, ok := p.first()
	if !ok {
		return
	}
	move := p.forth
	if n < 0 {
		move, n = p.back, -n
	}
	for range n {
		next, more := move(at)
		if !more {
			break
		}
		at = next
	}
	p.settle(at)
}

// leave notes what there is when the end is followed no more.
func (p *pane) leave() {
	if p.follow {
		p.asked = false
		p.left = p.timeline.Len()
		p.counted, p.news = p.left, 0
	}
}

// settle makes at the first line shown, or follows the end when it is in view.
func (p *pane) settle(at place) {
	end := at
	for range p.height {
		next, more := p.forth(end)
		if !more {
			p.end()
			return
		}
		end = next
	}
	p.leave()
	p.follow, p.held, p.loose = false, false, false
	p.top = p.spot(at)
}

// home goes to the first line.
func (p *pane) home() {
	if p.timeline.Len() == 0 {
		return
	}
	p.floor = spot{}
	if at, ok := p.forth(place{unit: -1}); ok {
		p.settle(at)
	}
}

// end goes to the last line and follows it.
func (p *pane) end() { p.follow, p.top, p.left, p.held, p.loose = true, spot{}, 0, false, false }

// clear makes the screen empty; what was there is still above it.
func (p *pane) clear() {
	p.end()
	p.floor = spot{}
	if at, ok := p.back(p.beyond()); ok {
		p.floor = p.spot(at)
	}
}

// spot is a place that stays valid when entries come and go.
func (p *pane) spot(at place) spot {
	return spot{p.timeline.At(at.entry).ID, at.unit, at.line}
}

// fresh is the number of entries that came while the reader was elsewhere, as far
// as they are shown.
func (p *pane) fresh() int {
	if p.follow {
		return 0
	}
	if p.counted < p.left || p.counted > p.timeline.Len() {
		p.counted, p.news = p.left, 0
	}
	for ; p.counted < p.timeline.Len(); p.counted++ {
		if p.shown(p.counted) {
			p.news++
		}
	}
	return p.news
}

// showBy shows the conversation by a density, with the same entry at the top.
func (p *pane) showBy(d render.Density) {
	top, ok := p.first()
	p.density, p.expanded = d, false
	clear(p.folds)
	if ok && !p.follow {
		p.top = p.spot(top)
	}
}
