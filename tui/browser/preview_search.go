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

// A preview moves from one drawn line with words of the query to the next: within an
// entry by its drawn lines, about a screen of them for each message, and between entries
// by the results of the search.

// stepLines bounds the drawn lines that are searched for each message.
const stepLines = 96

// hop is the way to another hit. The screen does not change before it ends, which may take
// several messages.
type hop struct {
	direction    int    // 1 is down, -1 is up
	keyPress     uint64 // its number: any other key press cancels the hop
	hit          int    // the index in hits of the entry that is searched
	fromCurrent  bool   // that is the entry of the current hit
	unfolded     bool   // it is searched as if it were unfolded
	entriesTried int
}

// matchLines are the drawn lines of an entry with words of the query, as far as its units
// were searched.
type matchLines struct {
	entry timeline.EntryID
	drawn render.Options // what the lines were drawn with
	found []transcript.Place
	units int
}

// startHop starts a hop to the next line with a hit, or for -1 to the one before, around
// the ends. A hop in the same direction that is under way continues instead.
func (b *Browser) startHop(p *preview, by int) tea.Cmd {
	turn := b.keyPresses
	if len(p.hits) == 0 {
		return nil
	}
	if p.hop != nil && p.hop.direction == by {
		p.hop.keyPress = turn
		return nil
	}
	w := &hop{direction: by, keyPress: turn, hit: p.hit, fromCurrent: p.current != nil}
	p.hop = w
	if !w.fromCurrent {
		w.enterEntry(p, map[int]int{1: 0, -1: len(p.hits) - 1}[by])
	}
	return b.continueHop(p, w)
}

// continueHop searches until it finds a hit or has searched enough for one message.
func (b *Browser) continueHop(p *preview, w *hop) tea.Cmd {
	for looked := 0; p.hop == w; {
		if looked > stepLines {
			nothing := func(context.Context) (bool, error) { return true, nil }
			return job(b.ctx, b, nothing, func(_ bool, _ error) tea.Cmd {
				switch {
				case p.hop != w:
					return nil
				case b.preview != p || b.keyPresses != w.keyPress:
					p.hop = nil
					return nil
				}
				return b.continueHop(p, w)
			})
		}
		looked += 1 + p.step(w)
	}
	return nil
}

// enterEntry continues in another entry with hits.
func (w *hop) enterEntry(p *preview, hit int) {
	w.hit, w.fromCurrent, w.unfolded = hit, false, false
	if w.entriesTried++; w.entriesTried > len(p.hits) { // no line shows a hit
		p.hop = nil
	}
}

// step searches the next unit and returns how many lines it has, or goes to a hit that is
// known.
func (p *preview) step(w *hop) (lines int) {
	i, ok := p.pane.Timeline.Find(p.hits[w.hit].ID)
	if !ok {
		p.nextEntry(w)
		return 0
	}
	e := p.pane.Timeline.At(i)
	drawn := p.pane.Options(e)
	if w.unfolded {
		drawn.Fold = render.Whole
	}
	s := &p.matchLines
	if s.entry != e.ID || s.drawn != drawn {
		*s = matchLines{entry: e.ID, drawn: drawn}
	}
	n, known := p.next(w, s.units >= p.pane.Cache.Units(e, drawn))
	switch {
	case !known:
		block := p.pane.Cache.Lines(e, s.units, drawn)
		for line, content := range block {
			if len(p.query.Matches(text.Unstyled(content))) > 0 {
				s.found = append(s.found, transcript.Place{Entry: i, Unit: s.units, Line: line})
			}
		}
		s.units++
		return len(block)
	case n >= 0:
		p.show(w, s.found[n], n)
	case w.fromCurrent:
		p.nextEntry(w)
	case drawn.Fold != render.Whole:
		w.unfolded = true
	case s.units > 0 && len(p.pane.Cache.Lines(e, 0, drawn)) > 0: // the hit is broken between lines, or not drawn
		p.show(w, transcript.Place{Entry: i}, 0)
	default:
		p.nextEntry(w)
	}
	return 0
}

// next returns the number of the match line to go to in the entry that is searched; -1 if
// there is none. all reports that the whole entry was searched. known is false if more of
// it must be searched first.
func (p *preview) next(w *hop, all bool) (n int, known bool) {
	found := p.matchLines.found
	switch {
	case w.fromCurrent && w.direction > 0:
		now := p.currentPlace()
		n = slices.IndexFunc(found, func(at transcript.Place) bool { return transcript.Before(now, at) })
		return n, all || n >= 0
	case w.fromCurrent:
		now := p.currentPlace()
		if n = slices.IndexFunc(found, func(at transcript.Place) bool { return !transcript.Before(at, now) }); n >= 0 {
			return n - 1, true
		}
		return len(found) - 1, all || p.matchLines.units > now.Unit
	case w.direction > 0:
		return min(0, len(found)-1), all || len(found) > 0
	}
	return len(found) - 1, all
}

// nextEntry continues in the next entry with hits, or in the one before.
func (p *preview) nextEntry(w *hop) { w.enterEntry(p, (w.hit+w.direction+len(p.hits))%len(p.hits)) }

// currentPlace is where the current hit is.
func (p *preview) currentPlace() transcript.Place {
	at, _ := p.pane.Find(*p.current)
	return at
}

// show scrolls to match line n of its entry and makes it the current hit. An entry is
// unfolded if only that shows hits; one that was unfolded for the hit before is folded
// again.
func (p *preview) show(w *hop, at transcript.Place, n int) {
	h := p.hits[w.hit]
	if p.unfolded != h.ID {
		p.refold()
	}
	if w.unfolded {
		p.unfolded = h.ID
		p.pane.Unfold(h.ID)
	}
	if !slices.Contains(p.pane.Rows(), at) {
		p.pane.Show(at)
	}
	now := p.pane.Spot(at)
	p.hop, p.hit, p.current, p.currentNumber = nil, w.hit, &now, h.Before+1+min(n, h.Count-1)
}

func (p *preview) refold() {
	if p.unfolded != "" {
		delete(p.pane.Folds, p.unfolded)
		p.unfolded = ""
	}
}

// clearSearch shows the session as it is without a search.
func (p *preview) clearSearch() {
	p.refold()
	p.hop, p.matchLines = nil, matchLines{}
	p.current, p.currentNumber, p.hit = nil, 0, -1
}

// view draws the visible lines, with the current hit highlighted.
func (p *preview) view(th *theme.Theme) []string {
	lines := p.pane.View()
	if p.current == nil || p.matcher == nil {
		return lines
	}
	at := slices.Index(p.pane.Rows(), p.currentPlace())
	if at >= 0 && at < len(lines) {
		lines[at] = text.Highlight(lines[at], p.query.Matches, theme.MatchNow, th)
	}
	return lines
}

// highlight marks the words of the query in a drawn line.
func (b *Browser) highlight(line string) string {
	if len(b.parsed.Words) == 0 {
		return line
	}
	return text.Highlight(line, b.parsed.Matches, theme.Match, b.Theme)
}
