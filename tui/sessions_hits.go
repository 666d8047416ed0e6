package tui

import (
	"slices"

	"parley/render"
	"parley/theme"
)

// A preview goes from one drawn line with words of the query to the next: within
// an entry by what is drawn of it, and from entry to entry by what their texts
// have.

// hitLines bounds the drawn lines of an entry that are looked through.
const hitLines = 4000

// hop goes to the next line with a hit, or for -1 to the one before. It goes
// around the ends.
func (p *preview) hop(by int) {
	if len(p.hits) == 0 {
		return
	}
	if p.now != nil {
		stops := p.stops(p.hit)
		at := slices.Index(stops, p.place()) + by
		if at >= 0 && at < len(stops) {
			p.land(stops[at], at)
			return
		}
	} else if by < 0 {
		p.hit = 0 // the last comes before the first
	}
	for range p.hits {
		p.hit = (p.hit + by + len(p.hits)) % len(p.hits)
		stops := p.stopsUnfolded(p.hit)
		if len(stops) == 0 {
			continue
		}
		at := 0
		if by < 0 {
			at = len(stops) - 1
		}
		p.land(stops[at], at)
		return
	}
}

// place is where the hit is that is shown.
func (p *preview) place() place {
	at, _ := p.pane.find(*p.now)
	return at
}

// land brings a hit into view: the one of its entry with that number.
func (p *preview) land(at place, n int) {
	if !slices.Contains(p.pane.rows(), at) {
		p.pane.show(at)
	}
	now := p.pane.spot(at)
	h := p.hits[p.hit]
	p.now, p.nth = &now, h.Before+1+min(n, h.Count-1)
}

// stops are the lines with words of the query that are drawn of an entry.
func (p *preview) stops(hit int) []place {
	i, ok := p.pane.timeline.Find(p.hits[hit].ID)
	if !ok {
		return nil
	}
	var found []place
	seen := 0
	for unit := range p.pane.units(i) {
		lines := p.pane.lines(i, unit)
		for n, line := range lines {
			if len(p.query.Marks(render.Unstyled(line))) > 0 {
				found = append(found, place{i, unit, n})
			}
		}
		if seen += len(lines); seen > hitLines {
			break
		}
	}
	return found
}

// stopsUnfolded are the same, of an entry that is unfolded where that shows hits.
// What was unfolded for the one before is folded again. Where a hit is broken in
// two, or is in nothing that is drawn, its entry stands for it.
func (p *preview) stopsUnfolded(hit int) []place {
	p.refold()
	i, ok := p.pane.timeline.Find(p.hits[hit].ID)
	if !ok {
		return nil
	}
	found := p.stops(hit)
	if len(found) == 0 {
		p.opened = p.hits[hit].ID
		p.pane.unfold(p.opened)
		found = p.stops(hit)
	}
	if len(found) == 0 && p.pane.units(i) > 0 && len(p.pane.lines(i, 0)) > 0 {
		found = []place{{entry: i}}
	}
	return found
}

func (p *preview) refold() {
	if p.opened != "" {
		delete(p.pane.folds, p.opened)
		p.opened = ""
	}
}

// forget goes back to how the session is shown without a search.
func (p *preview) forget() {
	p.refold()
	p.now, p.nth, p.hit = nil, 0, -1
}

// view draws what is in view, with the present hit marked.
func (p *preview) view(th *theme.Theme) []string {
	lines := p.pane.view()
	if p.now == nil || p.matcher == nil {
		return lines
	}
	at := slices.Index(p.pane.rows(), p.place())
	if at >= 0 && at < len(lines) {
		lines[at] = render.Highlight(lines[at], p.query.Marks, theme.MatchNow, th)
	}
	return lines
}

// marked marks the words of the query in a drawn line.
func (m *Model) marked(line string) string {
	if len(m.browser.read.Words) == 0 {
		return line
	}
	return render.Highlight(line, m.browser.read.Marks, theme.Match, m.theme)
}
