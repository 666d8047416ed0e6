package files

import (
	"bytes"
	"cmp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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
	stem    []byte  // the part after the last slash
	boosts  []boost // of entries with a frecency, in order
	most    int     // that an entry without one scores
}

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
	}
	for path, value := range frecency {
		if i, ok := x.entry(strings.TrimSuffix(path, "/")); ok && value > 0 {
			s.boosts = append(s.boosts, boost{i, worth(value)})
		}
	}
	slices.SortFunc(s.boosts, func(a, b boost) int { return a.entry - b.entry })
	m := len(s.pattern.runes)
	if m > 0 {
		s.most = ceiling(m) + startScore + nameBonus*(m-s.name) + stemBonus // its two parts have a start each
	}
	return s
}

// worth is what a frecency adds to a score: less and less, up to mostBoost.
func worth(frecency float64) int { return 1 + int((mostBoost-1)*(1-1/(1+frecency))) }

// run finds the best entries, on all processors. What is equally good and comes
// first in the index is kept, so the result does not depend on how the work is
// shared.
func (s *search) run() []ranked {
	var next atomic.Int64
	parts := make([][]ranked, min(runtime.GOMAXPROCS(0), 1+s.Len()/searchChunk))
	var all sync.WaitGroup
	for i := range parts {
		all.Go(func() {
			w := searcher{search: s, slab: newSlab(), scores: make([]int, len(s.pattern.runes)+1)}
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

// searcher is one goroutine of a search.
type searcher struct {
	*search
	slab   *util.Slab
	folder []byte   // that scores are of, with its slash; nil if they are of none
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
	for i := from; i < to; i++ {
		extra := 0
		if at < len(w.boosts) && w.boosts[at].entry == i {
			extra = w.boosts[at].worth
			at++
		}
		if w.pattern.letters&^w.letters[i] != 0 || w.hopeless(w.most+extra) {
			continue
		}
		w.consider(i, extra)
	}
}

// inFolder scores the first k runes of the pattern in the folder of an entry.
func (w *searcher) inFolder(k int, folder []byte) int {
	if k == 0 {
		return 0
	}
	if w.folder == nil || !bytes.Equal(folder, w.folder) {
		w.folder = folder
		for n := range w.scores {
			w.scores[n] = notScored
		}
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
	folder, base := w.split(i)
	m, k := len(w.pattern.runes), w.pattern.before(base)
	if k <= w.name { // the name matches
		extra += nameBonus * (m - w.name)
		if n := len(w.stem); n > 0 && (len(base) == n || len(base) > n && base[n] == '.') && bytes.EqualFold(base[:n], w.stem) {
			extra += stemBonus
		}
	}
	if w.hopeless(ceiling(k) + ceiling(m-k) + extra) {
		return
	}
	score := w.inFolder(k, folder)
	if score < 0 || w.hopeless(score+ceiling(m-k)+extra) {
		return
	}
	if k < m {
		p := w.pattern.part(k, m)
		n, ok := p.score(base, w.slab)
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
	return len(w.best) == w.limit && score <= w.best[len(w.best)-1].score
}

// compareRanked orders by score, then as the index does.
func compareRanked(a, b ranked) int {
	return cmp.Or(b.score-a.score, a.entry-b.entry)
}

// match makes the Match of an entry that was found.
func (s *search) match(r ranked) Match {
	folder, base := s.split(r.entry)
	k := s.pattern.before(base)
	above, name := s.pattern.part(0, k), s.pattern.part(k, len(s.pattern.runes))
	return Match{
		Path: string(folder) + string(base), Dir: s.isFolder(r.entry),
		Spans: name.spans(above.spans(nil, folder, 0), base, len(folder)),
	}
}
