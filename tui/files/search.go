package files

import (
	"bytes"
	"cmp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/junegunn/fzf/src/util"
)

// search is one way of a query through the index.
//
// A path is matched in two parts: the last element takes as much of the end of
// the query as it can, and its folder must match the rest. All entries of a
// folder follow one another in the index, so the long part is matched once for
// all of them.
type search struct {
	*Index
	limit   int
	pattern pattern
	name    int     // where in the pattern the part after the last slash starts
	end     letters // the last rune of the pattern
	stem    []byte  // the part after the last slash
	boosts  []boost // of entries with a frecency, in order
	highest int     // the most of them
	rest    []uint8 // of each entry: how many runes of the pattern its folder must match
	floor   int     // what an entry must reach to be among the best
}

// unmatched is the rest of an entry that cannot match.
const unmatched = maxQuery + 1

// boost is what the frecency of an entry is worth.
type boost struct{ entry, worth int }

// ranked is an entry with its score.
type ranked struct{ entry, score int }

// What decides in addition to how well a query matches.
const (
	mostBoost   = 2 * letterScore // at most, of a frecency
	nameBonus   = letterScore / 2 // of each rune, when the name matches
	stemBonus   = letterScore / 2 // when it is the name, without an ending
	searchChunk = 4096            // entries that a goroutine takes at a time
)

func (x *Index) search(query string, frecency map[string]float64, limit int) *search {
	folder, name := cutLast(query)
	s := &search{
		Index: x, limit: limit, pattern: newPattern(query), name: utf8.RuneCountInString(folder), stem: []byte(name),
		rest: make([]uint8, x.Len()),
	}
	if n := len(s.pattern.runes); n > 0 {
		s.end = letterBit(unicode.ToLower(s.pattern.runes[n-1]))
	}
	for path, value := range frecency {
		if i, ok := x.entry(strings.TrimSuffix(path, "/")); ok && value > 0 {
			s.boosts = append(s.boosts, boost{i, worth(value)})
			s.highest = max(s.highest, worth(value))
		}
	}
	slices.SortFunc(s.boosts, func(a, b boost) int { return a.entry - b.entry })
	return s
}

// worth is what a frecency adds to a score: less and less, up to mostBoost.
func worth(frecency float64) int { return 1 + int((mostBoost-1)*(1-1/(1+frecency))) }

// run finds the best entries: first among those whose name matches, and then
// among the others what could still be one of them.
func (s *search) run() []ranked {
	best := s.pass(true)
	if len(best) == s.limit {
		s.floor = best[len(best)-1].score
	}
	best = append(best, s.pass(false)...)
	slices.SortFunc(best, compareRanked)
	return best[:min(s.limit, len(best))]
}

// bonus is what an entry gets for its name.
func (s *search) bonus(named bool) int {
	if named {
		return nameBonus * (len(s.pattern.runes) - s.name)
	}
	return 0
}

// top is the most that an entry of a pass scores without a frecency. Two parts
// have two starts.
func (s *search) top(named bool) int {
	m := len(s.pattern.runes)
	most := ceiling(m) + s.bonus(named)
	if named && len(s.stem) > 0 {
		most += stemBonus
	}
	if m > 1 && (!named || s.name > 0) {
		most += startScore
	}
	return most
}

// pass finds the best of the entries whose name matches, or of the others, on
// all processors. Both passes see every entry in the same order and keep what
// is equally good and comes first, so the result does not depend on how the
// work is shared.
func (s *search) pass(named bool) []ranked {
	if s.floor > s.top(named)+s.highest || len(s.pattern.runes) == 0 && !named {
		return nil
	}
	var next atomic.Int64
	parts := make([][]ranked, min(runtime.GOMAXPROCS(0), 1+s.Len()/searchChunk))
	var all sync.WaitGroup
	for i := range parts {
		all.Go(func() {
			w := searcher{search: s, named: named, slab: newSlab(), scores: make([]int, len(s.pattern.runes)+1)}
			w.bonus, w.most = s.bonus(named), s.top(named)
			for {
				to := int(next.Add(searchChunk))
				if to-searchChunk >= s.Len() {
					break
				}
				w.chunk(to-searchChunk, min(to, s.Len()))
			}
			parts[i] = w.best
		})
	}
	all.Wait()
	best := slices.Concat(parts...)
	slices.SortFunc(best, compareRanked)
	return best[:min(s.limit, len(best))]
}

// searcher is one goroutine of a pass.
type searcher struct {
	*search
	named  bool
	bonus  int // of each entry of this pass
	most   int // the top of this pass
	slab   *util.Slab
	folder []byte   // of the entry before, with its slash
	scores []int    // of the starts of the pattern in folder, by their length
	best   []ranked // so far, sorted
}

// What is in scores other than scores.
const (
	notScored = -1
	noMatch   = -2
)

// chunk goes through the entries from one to another.
func (w *searcher) chunk(from, to int) {
	at, _ := slices.BinarySearchFunc(w.boosts, from, func(b boost, entry int) int { return b.entry - entry })
	w.enter(from)
	for i := from; i < to; i++ {
		extra := 0
		if at < len(w.boosts) && w.boosts[at].entry == i {
			extra = w.boosts[at].worth
			at++
		}
		// The top is highest where names match, so what is hopeless there is
		// hopeless in the second pass too, where it is passed over as well: its
		// rest is 0.
		if w.hopeless(w.most + extra) {
			continue
		}
		if w.named {
			w.rest[i] = w.split(i)
		}
		if w.rest[i] == unmatched || w.named != (int(w.rest[i]) <= w.name) {
			continue
		}
		if folder := w.text[w.starts[i]:w.bases[i]]; len(folder) != len(w.folder) || !bytes.Equal(folder, w.folder) {
			w.enter(i)
		}
		w.consider(i, extra+w.bonus)
	}
}

// split is how much of the pattern the folder of an entry must match.
func (s *search) split(i int) uint8 {
	switch {
	case s.pattern.letters&^s.whole[i] != 0:
		return unmatched
	case s.end&^s.Index.name[i] != 0:
		return uint8(len(s.pattern.runes))
	}
	return uint8(s.pattern.before(s.base(i)))
}

// enter takes the folder of an entry.
func (w *searcher) enter(i int) {
	w.folder = w.text[w.starts[i]:w.bases[i]]
	for k := range w.scores {
		w.scores[k] = notScored
	}
}

// inFolder scores the first k runes of the pattern in the folder.
func (w *searcher) inFolder(k int) int {
	if k == 0 {
		return 0
	}
	if w.scores[k] == notScored {
		p := w.pattern.part(0, k)
		score, ok := p.score(w.folder, w.slab)
		if w.scores[k] = score; !ok {
			w.scores[k] = noMatch
		}
	}
	return w.scores[k]
}

// consider scores an entry, as far as it can still be among the best, and puts
// it there.
func (w *searcher) consider(i, extra int) {
	m, k := len(w.pattern.runes), int(w.rest[i])
	if n := len(w.stem); w.named && n > 0 {
		base := w.base(i)
		if (len(base) == n || len(base) > n && base[n] == '.') && bytes.EqualFold(base[:n], w.stem) {
			extra += stemBonus
		}
	}
	if w.hopeless(ceiling(k) + ceiling(m-k) + extra) {
		return
	}
	score := w.inFolder(k)
	if score < 0 || w.hopeless(score+ceiling(m-k)+extra) {
		return
	}
	if k < m {
		p := w.pattern.part(k, m)
		n, ok := p.score(w.base(i), w.slab)
		if !ok {
			return
		}
		score += n
	}
	r := ranked{i, score + extra}
	if w.hopeless(r.score) {
		return
	}
	if len(w.best) == w.limit {
		w.best = w.best[:w.limit-1]
	}
	place, _ := slices.BinarySearchFunc(w.best, r, compareRanked)
	w.best = slices.Insert(w.best, place, r)
}

// hopeless reports whether a score is not enough for an entry that comes after
// all that were considered.
func (w *searcher) hopeless(score int) bool {
	return score < w.floor || len(w.best) == w.limit && score <= w.best[len(w.best)-1].score
}

// compareRanked orders by score, then as the index does.
func compareRanked(a, b ranked) int {
	return cmp.Or(b.score-a.score, a.entry-b.entry)
}

// match makes the Match of an entry that was found.
func (s *search) match(r ranked) Match {
	k := int(s.rest[r.entry])
	start, base := s.starts[r.entry], s.bases[r.entry]
	folder, name := s.pattern.part(0, k), s.pattern.part(k, len(s.pattern.runes))
	return Match{
		Path: string(s.path(r.entry)), Dir: s.dirs[r.entry],
		Spans: join(folder.spans(s.text[start:base]), shift(name.spans(s.base(r.entry)), int(base-start))),
	}
}

// join puts spans after others, and makes one of two that touch.
func join(a, b [][2]int) [][2]int {
	if n := len(a); n > 0 && len(b) > 0 && a[n-1][1] == b[0][0] {
		a[n-1][1] = b[0][1]
		b = b[1:]
	}
	return append(a, b...)
}

// shift moves spans by n bytes.
func shift(spans [][2]int, n int) [][2]int {
	for i := range spans {
		spans[i][0] += n
		spans[i][1] += n
	}
	return spans
}
