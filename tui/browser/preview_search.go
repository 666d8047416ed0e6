package browser

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/render/text"
	"parley/theme"
	"parley/timeline"
	"parley/tui/transcript"
)

// A preview goes from one drawn line with words of the query to the next: within
// an entry by what is drawn of it, about a screen of lines for each turn of the
// loop, and from entry to entry by what their texts have.

// stepLines bounds the drawn lines that are looked at in one turn of the loop.
const stepLines = 96

// way is the way to another hit. What is drawn on the screen does not change
// before its end, which may take several turns of the loop.
type way struct {
	by    int    // 1 goes down, -1 up
	turn  uint64 // the keys there were when it began: any other one ends it
	hit   int    // the entry with hits that is looked through
	here  bool   // that is the one of the present hit
	whole bool   // it is looked through as if it was unfolded
	tried int    // entries that it came to
}

// stops are the drawn lines with words of the query of one entry, as far as its
// units were looked at.
type stops struct {
	entry timeline.EntryID
	drawn render.Options // how it is drawn
	found []transcript.Place
	units int
}

// hopIn sets out to the next line with a hit in a preview, or for -1 to the one
// before. It goes around the ends. A hop the same way as one that is not at its
// end yet is that one.
func (b *Browser) hopIn(p *preview, by int) tea.Cmd {
	turn := b.pressed
	if len(p.hits) == 0 {
		return nil
	}
	if p.way != nil && p.way.by == by {
		p.way.turn = turn
		return nil
	}
	w := &way{by: by, turn: turn, hit: p.hit, here: p.now != nil}
	p.way = w
	if !w.here {
		w.enter(p, map[int]int{1: 0, -1: len(p.hits) - 1}[by])
	}
	return b.walkIn(p, w)
}

// walkIn goes on until a hit is found or the turn is over.
func (b *Browser) walkIn(p *preview, w *way) tea.Cmd {
	for looked := 0; p.way == w; {
		if looked > stepLines {
			nothing := func(context.Context) (bool, error) { return true, nil }
			return job(b.ctx, b, nothing, func(_ bool, _ error) tea.Cmd {
				switch {
				case p.way != w:
					return nil
				case b.closed || b.preview != p || b.pressed != w.turn:
					p.way = nil
					return nil
				}
				return b.walkIn(p, w)
			})
		}
		looked += 1 + p.walk(w)
	}
	return nil
}

// enter comes to another entry with hits.
func (w *way) enter(p *preview, hit int) {
	w.hit, w.here, w.whole = hit, false, false
	if w.tried++; w.tried > len(p.hits) { // nothing of it can be shown
		p.way = nil
	}
}

// walk looks at the next unit and returns how many lines it has, or goes to a hit
// that is known.
func (p *preview) walk(w *way) (lines int) {
	i, ok := p.pane.Timeline.Find(p.hits[w.hit].ID)
	if !ok {
		p.leave(w)
		return 0
	}
	e := p.pane.Timeline.At(i)
	drawn := p.pane.Options(e)
	if w.whole {
		drawn.Fold = render.Whole
	}
	s := &p.stops
	if s.entry != e.ID || s.drawn != drawn {
		*s = stops{entry: e.ID, drawn: drawn}
	}
	n, known := p.next(w, s.units >= p.pane.Cache.Units(e, drawn))
	switch {
	case !known:
		block := p.pane.Cache.Lines(e, s.units, drawn)
		for line, content := range block {
			if len(p.query.Marks(text.Unstyled(content))) > 0 {
				s.found = append(s.found, transcript.Place{Entry: i, Unit: s.units, Line: line})
			}
		}
		s.units++
		return len(block)
	case n >= 0:
		p.land(w, s.found[n], n)
	case w.here:
		p.leave(w)
	case drawn.Fold != render.Whole:
		w.whole = true
	case s.units > 0 && len(p.pane.Cache.Lines(e, 0, drawn)) > 0: // a hit is broken in two, or in nothing that is drawn
		p.land(w, transcript.Place{Entry: i}, 0)
	default:
		p.leave(w)
	}
	return 0
}

// next is the number of the stop to go to in the entry that is looked through; -1
// is none there. Whether all of the entry was looked at says all; known is false
// where more of it must be.
func (p *preview) next(w *way, all bool) (n int, known bool) {
	found := p.stops.found
	switch {
	case w.here && w.by > 0:
		now := p.place()
		n = slices.IndexFunc(found, func(at transcript.Place) bool { return transcript.Before(now, at) })
		return n, all || n >= 0
	case w.here:
		now := p.place()
		if n = slices.IndexFunc(found, func(at transcript.Place) bool { return !transcript.Before(at, now) }); n >= 0 {
			return n - 1, true
		}
		return len(found) - 1, all || p.stops.units > now.Unit
	case w.by > 0:
		return min(0, len(found)-1), all || len(found) > 0
	}
	return len(found) - 1, all
}

// leave goes on to the entry with hits after this one, or before it.
func (p *preview) leave(w *way) { w.enter(p, (w.hit+w.by+len(p.hits))%len(p.hits)) }

// place is where the hit is that is shown.
func (p *preview) place() transcript.Place {
	at, _ := p.pane.Find(*p.now)
	return at
}

// land brings a hit into view: the one of its entry with that number. An entry is
// unfolded where only that shows hits, and what was unfolded for the one before
// is folded again.
func (p *preview) land(w *way, at transcript.Place, n int) {
	h := p.hits[w.hit]
	if p.opened != h.ID {
		p.refold()
	}
	if w.whole {
		p.opened = h.ID
		p.pane.Unfold(h.ID)
	}
	if !slices.Contains(p.pane.Rows(), at) {
		p.pane.Show(at)
	}
	now := p.pane.Spot(at)
	p.way, p.hit, p.now, p.nth = nil, w.hit, &now, h.Before+1+min(n, h.Count-1)
}

func (p *preview) refold() {
	if p.opened != "" {
		delete(p.pane.Folds, p.opened)
		p.opened = ""
	}
}

// forget goes back to how the session is shown without a search.
func (p *preview) forget() {
	p.refold()
	p.way, p.stops = nil, stops{}
	p.now, p.nth, p.hit = nil, 0, -1
}

// view draws what is in view, with the present hit marked.
func (p *preview) view(th *theme.Theme) []string {
	lines := p.pane.View()
	if p.now == nil || p.matcher == nil {
		return lines
	}
	at := slices.Index(p.pane.Rows(), p.place())
	if at >= 0 && at < len(lines) {
		lines[at] = text.Highlight(lines[at], p.query.Marks, theme.MatchNow, th)
	}
	return lines
}

// marked marks the words of the query in a drawn line.
func (b *Browser) marked(line string) string {
	if len(b.read.Words) == 0 {
		return line
	}
	return text.Highlight(line, b.read.Marks, theme.Match, b.Theme)
}
