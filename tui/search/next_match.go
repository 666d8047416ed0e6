package search

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/timeline"
	"parley/tui/transcript"
)

// A search knows which entries have matches, from their texts. Where these are
// on the screen only the drawn lines show: a text is wrapped, its markdown is
// gone, and some of it is not shown at all. So going to a match walks the units
// of an entry, a bounded number of lines for each turn of the loop.

// move is where to go in the matches.
type move uint8

const (
	stay     move = iota
	nearest       // the first from where the reader is, else the last before
	onward        // the one after
	backward      // the one before
)

// occurrence is a match on the screen.
type occurrence struct {
	id         timeline.EntryID
	unit, line int
	index      int // among the stops of its unit; -1: only its entry is known
	nth        int // among the matches of its entry, counted from 1
	marks      []lineMark
	fold       render.Fold // of its entry, when the search came there
	matcher    *timeline.Matcher
	first      bool // none of its entry is before it, and none is between it and where the query began to look
}

// seek is the way to a match, which may take several turns of the loop.
type seek struct {
	move   move
	back   bool // it looks upwards
	hit    int  // which of the hits it is in
	begun  bool // its entry was looked at before
	unit   int
	index  int  // the stop of the unit to begin with; atEnd is the last
	nth    int  // what a match found next is of its entry
	any    bool // there was a match in its entry
	inside bool // it began in the middle of an entry and looks for matches beyond a place there
	beyond transcript.Place
	passed *occurrence // the last match before it
	tried  int         // entries it went through
}

const atEnd = -1

// posOf is the position of an entry; 0 if it was removed.
func (s *Search) posOf(id timeline.EntryID) int {
	i, _ := s.pane.Timeline.Find(id)
	return i
}

// move sets out to a match.
func (s *Search) move(to move) tea.Cmd {
	if len(s.hits) == 0 {
		s.at = nil
		s.refold("")
		if to == nearest {
			s.backToOrigin()
		} else {
			s.hint = "No match."
		}
		return nil
	}
	i, here := s.here()
	if here && to != nearest && s.done && s.hits.Total() == 1 {
		s.hint = "There is only this match."
		return nil
	}
	if to != nearest {
		if here {
			s.seek = s.fromMatch(to, i)
			return s.seekOn()
		}
		s.from = s.readersPlace()
	}
	if k := s.fromShorter(to); k != nil {
		s.seek = k
		return s.seekOn()
	}
	pos := s.posOf(s.from.ID)
	k := &seek{move: to, hit: s.hits.From(pos)}
	if k.hit < len(s.hits) && s.hits[k.hit].ID == s.from.ID {
		k.inside, k.beyond = true, transcript.Place{Unit: s.from.Unit, Line: s.from.Line}
	} else if to == backward || to == nearest && k.hit == len(s.hits) {
		k.hit--
		k.back = true
	}
	s.seek = k
	return s.seekOn()
}

// fromShorter sets out from the match of a query that was typed further: the
// first of its matches is not before that.
func (s *Search) fromShorter(to move) *seek {
	if to != nearest || s.at == nil || !s.at.first || !s.matcher.Narrows(s.at.matcher) {
		return nil
	}
	pos, ok := s.pane.Timeline.Find(s.at.id)
	k := &seek{move: to, hit: s.hits.From(pos)}
	switch {
	case !ok || k.hit == len(s.hits):
		return nil
	case s.hits[k.hit].ID == s.at.id && !s.hides(pos, s.hits[k.hit].Count):
		k.begun, k.unit, k.nth = true, s.at.unit, 1
	}
	return k
}

// here is the position of the entry with the present match, if the user is
// still there; they may have folded it.
func (s *Search) here() (pos int, ok bool) {
	at := s.at
	if at == nil || s.pane.Browsing && s.pane.Cursor != at.id {
		return 0, false
	}
	if pos, ok = s.pane.Timeline.Find(at.id); !ok {
		return 0, false
	}
	folded := s.pane.Options(s.pane.Timeline.At(pos)).Fold != at.fold
	return pos, slices.ContainsFunc(s.pane.Rows(), func(row transcript.Place) bool {
		return row == transcript.Place{Entry: pos, Unit: at.unit, Line: at.line} || folded && row.Entry == pos
	})
}

// fromMatch sets out from the present match, which is in the entry at pos.
func (s *Search) fromMatch(to move, pos int) *seek {
	k := &seek{move: to, back: to == backward, hit: s.hits.From(pos)}
	switch {
	case k.hit == len(s.hits) || s.hits[k.hit].ID != s.at.id: // of another kind than is looked for now
		if k.back {
			k.hit--
		}
		return k
	case k.back && s.at.index <= 0:
		k.unit, k.index = s.at.unit-1, atEnd
	case k.back:
		k.unit, k.index = s.at.unit, s.at.index-1
	default:
		k.unit, k.index = s.at.unit, s.at.index+1
	}
	k.begun, k.any, k.nth = true, true, s.at.nth+1
	if k.back {
		k.nth = s.at.nth - 1
	}
	return k
}

// seekLines bounds the drawn lines that are looked at in one turn of the loop.
const seekLines = 96

// seekOn continues until a match is found or the turn is over.
func (s *Search) seekOn() tea.Cmd {
	k := s.seek
	for looked := 0; s.seek == k; {
		if looked > seekLines {
			return func() tea.Msg { return Msg{of: s, seek: k} }
		}
		looked += 1 + s.seekUnit(k)
	}
	return nil
}

// seekUnit looks at the next unit and returns how many lines it has. It ends the
// way if there is a match, or no more to look at.
func (s *Search) seekUnit(k *seek) (lines int) {
	p := s.pane
	hits := len(s.hits)
	if k.tried > hits {
		s.seek = nil // nothing of it can be shown
		return 0
	}
	if k.hit < 0 || k.hit >= hits {
		k.hit = (k.hit + hits) % hits
		s.hint = k.around(s.hits.Total())
	}
	hit := s.hits[k.hit]
	i, ok := p.Timeline.Find(hit.ID)
	if !ok {
		k.tried++
		k.leave()
		return 0
	}
	if !k.begun {
		s.enter(k, i, hit)
	}
	if k.unit < 0 || k.unit >= p.Units(i) {
		s.pastEntry(k, i, hit)
		return 0
	}
	drawn := p.Lines(i, k.unit)
	stops := s.stops(drawn, p.Opts.Width)
	switch {
	case k.inside:
		s.inside(k, hit, stops)
	case k.back:
		if k.index == atEnd {
			k.index = len(stops) - 1
		}
		if k.index >= 0 && k.index < len(stops) {
			s.land(k.found(hit, stops, k.index))
			return len(drawn)
		}
		k.unit, k.index = k.unit-1, atEnd
	case k.index < len(stops):
		s.land(k.found(hit, stops, k.index))
	default:
		k.unit, k.index = k.unit+1, 0
	}
	return len(drawn)
}

// around is the hint that the search continues from the other end.
func (k *seek) around(total int) string {
	switch {
	case total == 1:
		return "There is only this match."
	case k.back:
		return "Wrapped to the last match."
	}
	return "Wrapped to the first match."
}

// found is a stop of the unit as the match of its entry that it is.
func (k *seek) found(hit timeline.SearchHit, stops []stop, index int) occurrence {
	nth := min(max(k.nth, 1), hit.Count)
	return occurrence{id: hit.ID, unit: k.unit, line: stops[index].line, index: index, nth: nth, marks: stops[index].marks}
}

// inside looks for the first match beyond the reader's place in an entry.
func (s *Search) inside(k *seek, hit timeline.SearchHit, stops []stop) {
	for n := range stops {
		found := k.found(hit, stops, n)
		k.any = true
		if transcript.Before(transcript.Place{Unit: k.unit, Line: stops[n].line}, k.beyond) {
			k.passed = &found
			k.nth++
			continue
		}
		if k.move != backward {
			s.land(found)
			return
		}
		k.unit = s.pane.Units(s.posOf(hit.ID)) // the rest is further down
		return
	}
	k.unit++
}

// enter begins to look through entry i. It is unfolded where that shows matches
// that are not to be seen else.
func (s *Search) enter(k *seek, i int, hit timeline.SearchHit) {
	p := s.pane
	k.tried++
	if s.hides(i, hit.Count) {
		e := p.Timeline.At(i)
		fold, set := p.Folds[e.ID]
		s.opened = slices.DeleteFunc(s.opened, func(o opened) bool { return o.id == e.ID }) // folded by the user
		s.opened = append(s.opened, opened{e.ID, p.Folds, fold, set})
		p.Unfold(e.ID)
		if k.inside {
			k.inside, k.back = false, k.move == backward // the place was one of the folded entry
		}
	}
	k.begun, k.any = true, false
	k.unit, k.index, k.nth = 0, 0, 1
	if k.back {
		k.unit, k.index, k.nth = p.Units(i)-1, atEnd, hit.Count
	}
}

// hides reports whether entry i is folded so that some of its matches are not to
// be seen.
func (s *Search) hides(i, matches int) bool {
	p := s.pane
	e := p.Timeline.At(i)
	switch fold := p.Options(e).Fold; {
	case fold == render.Whole:
		return false
	case fold == render.Hidden || fold == render.Line:
		return true
	case !render.Foldable(e):
		return false
	}
	for unit := range p.Units(i) {
		matches -= len(s.stops(p.Lines(i, unit), p.Opts.Width))
	}
	return matches > 0
}

// pastEntry continues after the last unit that was to be looked at in entry i.
func (s *Search) pastEntry(k *seek, i int, hit timeline.SearchHit) {
	last := k.hit == len(s.hits)-1
	switch {
	case k.passed != nil && (k.move == backward || k.move == nearest && last):
		s.land(*k.passed)
	case !k.any && (!k.inside || k.move != backward):
		if !s.landOn(k, i, hit) {
			k.leave()
		}
	case k.inside && (k.move == backward || k.move == nearest && last):
		k.back = true
		k.leave()
	default:
		k.leave()
	}
}

// landOn goes to the first line of an entry in whose drawing no match is found.
func (s *Search) landOn(k *seek, i int, hit timeline.SearchHit) bool {
	p := s.pane
	at, ok := p.Forth(transcript.Place{Entry: i, Unit: -1, Line: len(p.Lines(i, -1))})
	if !ok || at.Entry != i {
		return false
	}
	nth := 1
	if k.back {
		nth = hit.Count
	}
	s.land(occurrence{id: hit.ID, unit: at.Unit, line: at.Line, index: -1, nth: nth})
	return true
}

// leave goes to the entry with matches after this one, or before it.
func (k *seek) leave() {
	k.hit++
	if k.back {
		k.hit -= 2
	}
	k.begun, k.inside, k.passed = false, false, nil
}

// land brings a match into view. What is in view already stays where it is.
func (s *Search) land(at occurrence) {
	p := s.pane
	to := s.seek.move
	at.first = to == nearest && !s.seek.back && at.nth == 1
	at.matcher = s.matcher
	s.at, s.seek = &at, nil
	s.refold(at.id)
	where := transcript.Place{Entry: s.posOf(at.id), Unit: at.unit, Line: at.line}
	s.at.fold = p.Options(p.Timeline.At(where.Entry)).Fold
	if !slices.Contains(p.Rows(), where) {
		p.Floor = transcript.Spot{} // what a cleared screen hides may be above
		p.Show(where)
	}
	if s.pane.Browsing {
		p.Cursor = at.id
	}
	if to != nearest {
		s.from = p.Spot(where)
	}
	s.seen = p.Position
}

// refold folds what the search unfolded, but for one entry, if the user has not
// changed the fold since.
func (s *Search) refold(keep timeline.EntryID) {
	s.opened = slices.DeleteFunc(s.opened, func(o opened) bool {
		if o.id == keep {
			return false
		}
		switch {
		case o.in[o.id] != render.Whole:
		case o.set:
			o.in[o.id] = o.fold
		default:
			delete(o.in, o.id)
		}
		return true
	})
}
