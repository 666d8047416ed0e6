// Package transcript is the pane that shows a timeline: a window of lines over
// entries, what is folded and selected in it, and the images that the terminal
// shows there. It draws and scrolls; what keys mean is the window's.
package transcript

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

// Pane shows the timeline: a window of lines over entries and their units. It
// scrolls by an anchor, never by a height, so that its work is bounded by the
// screen and what happens below does not move the text under the reader's eye (ARCHITECTURE.md,
// section 8).
type Pane struct {
	Timeline *timeline.Timeline
	Cache    *render.Cache
	Opts     render.Options // Width, Theme and what else every entry is drawn with
	Height   int

	Position

	Asked bool // the end is followed because the user went there by key
	// answered is the answer at whose first line following ended last.
	answered timeline.EntryID

	Air      bool // there is a blank line above the first entry
	Expanded bool // every entry is shown whole
	Thinking bool // reasoning is shown whole

	Density render.Density
	visible visible
	Folds   map[timeline.EntryID]render.Fold // of entries that the user, or a search, folded or unfolded
	// highlight marks what was searched for in a drawn line; nil marks nothing.
	// It must not change the width of the line.
	Highlight func(line string) string

	// outside reports whether the model saw what an event says and does so no
	// more; nil: it sees everything.
	Outside func(session.EventID) bool

	Images *Images // that the terminal shows itself; nil for none
	sights []sight // entries with images in the last view

	Selection Selection

	Agent *timeline.Subagent // whose timeline this is; nil is the conversation's
	Over  *Pane              // what is shown again when this one is left
}

// Position is what of a timeline is on the screen, and who has the keys.
type Position struct {
	Follow bool // the last line stays at the bottom
	Held   bool // the end was followed until something was folded or unfolded
	Loose  bool // and it is in view since: it is followed again when more comes
	Top    Spot // the first line shown while not following
	Left   Spot // the last line there was when following ended
	Floor  Spot // the last line that a cleared screen hides

	Browsing bool             // the keys are for the timeline
	Cursor   timeline.EntryID // the block that keys are for; "" is none
}

// Spot is one line of the timeline. Unit -1 is the space above the entry.
type Spot struct {
	ID         timeline.EntryID
	Unit, Line int
}

// Place is a spot whose entry was looked up.
type Place struct {
	Entry, Unit, Line int
}

// CacheLines bounds the drawn lines that are cached: some two hundred screens.
const CacheLines = 20_000

// New is a pane of a timeline, which follows its end.
func New(t *timeline.Timeline, opts render.Options) Pane {
	return Pane{
		Timeline: t, Cache: render.NewCache(CacheLines), Opts: opts, Position: Position{Follow: true},
		Folds: map[timeline.EntryID]render.Fold{},
	}
}

// Options are those of one entry.
func (p *Pane) Options(e *timeline.Entry) render.Options {
	o := p.Opts
	_, thinking := e.Body.(*timeline.Reasoning)
	o.Fold = render.FoldOf(e, p.Density)
	if o.Fold != render.Hidden && (p.Expanded || thinking && p.Thinking) {
		o.Fold = render.Whole
	}
	if fold, ok := p.Folds[e.ID]; ok {
		o.Fold = fold
	}
	o.Images = p.Images.of(p.Timeline, e.ID)
	return o
}

// Show brings a line into view, a third from the top, and stops following.
func (p *Pane) Show(at Place) {
	for range p.Height / 3 {
		before, more := p.back(at)
		if !more {
			break
		}
		at = before
	}
	p.Settle(at)
}

// ShowTop brings entry i to the top of the screen.
func (p *Pane) ShowTop(i int) {
	if at, ok := p.Forth(Place{Entry: i, Unit: -1}); ok {
		p.Settle(at)
	}
}

// Lines returns what is drawn of a unit; unit -1 is the space above entry i.
func (p *Pane) Lines(i, unit int) []string {
	e := p.Timeline.At(i)
	if unit >= 0 {
		return p.Cache.Lines(e, unit, p.Options(e))
	}
	if !p.Shown(i) {
		return nil
	}
	prev := p.Above(i)
	switch {
	case prev < 0 && p.Air:
		return []string{""}
	case prev < 0:
		return nil
	}
	return render.Space(p.Timeline.At(prev), e, p.Options(e))
}

// Units is the number of units of entry i.
func (p *Pane) Units(i int) int {
	e := p.Timeline.At(i)
	return p.Cache.Units(e, p.Options(e))
}

// back returns the line before at; ok is false at the first line.
func (p *Pane) back(at Place) (Place, bool) {
	if at.Line > 0 {
		at.Line--
		return at, true
	}
	for {
		if at.Unit--; at.Unit < -1 {
			if at.Entry = p.Above(at.Entry); at.Entry < 0 {
				return Place{}, false
			}
			at.Unit = p.Units(at.Entry) - 1
		}
		if n := len(p.Lines(at.Entry, at.Unit)); n > 0 {
			at.Line = n - 1
			return at, true
		}
	}
}

// Forth returns the line after at; ok is false at the last line.
func (p *Pane) Forth(at Place) (Place, bool) {
	if at.Line+1 < len(p.Lines(at.Entry, at.Unit)) {
		at.Line++
		return at, true
	}
	at.Line = 0
	for {
		if at.Unit++; at.Unit >= p.Units(at.Entry) {
			at.Unit = -1
			if at.Entry = p.Below(at.Entry); at.Entry >= p.Timeline.Len() {
				return Place{}, false
			}
		}
		if len(p.Lines(at.Entry, at.Unit)) > 0 {
			return at, true
		}
	}
}

// beyond is the place after the last line, where going back starts.
func (p *Pane) beyond() Place { return Place{Entry: p.Timeline.Len(), Unit: -1} }

// First is the first line shown. ok is false when there is nothing to show.
func (p *Pane) First() (Place, bool) {
	if !p.Follow {
		if at, ok := p.Find(p.Top); ok {
			return at, true
		}
	}
	at, ok := p.beyond(), false
	for range p.Height {
		before, more := p.back(at)
		if !more || p.cleared(before) {
			break
		}
		at, ok = before, true
	}
	return at, ok
}

// cleared reports whether at lies above the floor that a cleared screen has.
func (p *Pane) cleared(at Place) bool {
	floor, ok := p.Find(p.Floor)
	if !ok {
		return false
	}
	if at.Unit < 0 && p.Above(at.Entry) <= floor.Entry {
		return true // the space above the first entry that is shown after it
	}
	return !Before(floor, at)
}

// Find looks a spot up. When its unit or line does not exist any more, because the entry was
// folded or drawn at another width, the nearest one takes its place; when its
// entry was removed, ok is false.
func (p *Pane) Find(s Spot) (Place, bool) {
	i, ok := p.Timeline.Find(s.ID)
	if !ok {
		return Place{}, false
	}
	at := Place{Entry: i, Unit: min(s.Unit, p.Units(i)-1)}
	at.Line = min(s.Line, len(p.Lines(i, at.Unit))-1)
	if at.Line < 0 {
		at.Line = 0
		return p.Forth(at)
	}
	return at, true
}

// View returns the lines on the screen, at most the pane's height.
func (p *Pane) View() []string {
	p.sights = p.sights[:0]
	if p.Timeline.Len() == 0 || p.Height <= 0 {
		return nil
	}
	at, ok := p.First()
	shown := make([]string, 0, p.Height)
	var edged [][2]int // runs of lines
	from, to, selected := p.selected()
	for ok && len(shown) < p.Height {
		block := p.Lines(at.Entry, at.Unit)
		p.sight(at)
		block = block[at.Line:min(len(block), at.Line+p.Height-len(shown))]
		at.Line += len(block) - 1
		e := p.Timeline.At(at.Entry)
		if at.Unit >= 0 && e.ID == p.Cursor {
			block = p.pointed(block)
		}
		if selected {
			block = p.chosen(from, to, Place{at.Entry, at.Unit, at.Line - len(block) + 1}, block)
		}
		shown = append(shown, block...)
		if p.outOfContext(at.Entry) && (at.Unit >= 0 || p.outOfContext(p.Above(at.Entry))) {
			edged = append(edged, [2]int{len(shown) - len(block), len(shown)})
		}
		at, ok = p.Forth(at)
	}
	if p.Highlight != nil {
		for i, line := range shown {
			if !strings.ContainsRune(line, render.Placeholder) { // its colour says which image it is
				shown[i] = p.Highlight(line)
			}
		}
	}
	for _, s := range edged {
		p.edge(shown[s[0]:s[1]])
	}
	return shown
}

// outOfContext reports whether the model saw what entry i says and does so no more. What
// Parley itself adds up is nothing that it ever saw.
func (p *Pane) outOfContext(i int) bool {
	if p.Outside == nil || i < 0 {
		return false
	}
	e := p.Timeline.At(i)
	switch e.Body.(type) {
	case *timeline.Summary, *timeline.SessionEnd:
		return false
	}
	return slices.ContainsFunc(e.Origin, p.Outside)
}

// edge marks lines of what the model does not see any more, in the column of air
// at the right edge.
func (p *Pane) edge(lines []string) {
	mark := p.Opts.Theme.Render(theme.Dim, p.Opts.Theme.Glyph(theme.MarkOutside))
	for i, line := range lines {
		lines[i] = line + widget.Blank(p.Opts.Width-ansi.StringWidth(line)) + mark
	}
}

// Scroll moves the view by n lines, down when n is positive. Reaching the end
// follows it again.
func (p *Pane) Scroll(n int) {
	if n < 0 {
		p.Floor = Spot{} // what a cleared screen hides is above
	}
	at, ok := p.First()
	if !ok {
		return
	}
	move := p.Forth
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
	p.Settle(at)
}

// leave notes what there is when the end is followed no more.
func (p *Pane) leave() {
	if p.Follow {
		p.Asked = false
		p.Left = p.last()
	}
}

// Settle makes at the first line shown, or follows the end when it is in view.
func (p *Pane) Settle(at Place) {
	end := at
	for range p.Height {
		next, more := p.Forth(end)
		if !more {
			p.End()
			return
		}
		end = next
	}
	p.leave()
	p.Follow, p.Held, p.Loose = false, false, false
	p.Top = p.Spot(at)
}

// Home goes to the first line.
func (p *Pane) Home() {
	if p.Timeline.Len() == 0 {
		return
	}
	p.Floor = Spot{}
	at, ok := Place{Unit: -1}, true
	if len(p.Lines(0, -1)) == 0 {
		at, ok = p.Forth(at)
	}
	if ok {
		p.Settle(at)
	}
}

// End goes to the last line and follows it.
func (p *Pane) End() { p.Follow, p.Top, p.Left, p.Held, p.Loose = true, Spot{}, Spot{}, false, false }

// Clear makes the screen empty; what was there is still above it.
func (p *Pane) Clear() {
	p.End()
	p.Floor = p.last()
}

// last is the last line of the timeline; an empty spot if it has no lines.
func (p *Pane) last() Spot {
	if at, ok := p.back(p.beyond()); ok {
		return p.Spot(at)
	}
	return Spot{}
}

// Spot is a place that stays valid when entries come and go.
func (p *Pane) Spot(at Place) Spot {
	return Spot{p.Timeline.At(at.Entry).ID, at.Unit, at.Line}
}
