package prompts

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"

	"parley/session"
)

// Scope is whose prompts are searched.
type Scope uint8

// The scopes, in the order in which ctrl+r goes through them.
const (
	InSession Scope = iota
	InRepository
	Everywhere
)

// String is the scope as the screen names it.
func (s Scope) String() string {
	return [...]string{"this session", "this repository", "everywhere"}[min(s, Everywhere)]
}

// Place is where a prompt was sent, or where somebody asks from, which is what
// the scopes are measured from.
type Place struct {
	Session session.ID
	Dir     string // working directory
	// Repository is the root of the repository, or what else names it. Without
	// one, the directory takes its place.
	Repository string
}

// distance is how far p is from at: the narrowest scope that holds both.
func (p Place) distance(at Place) Scope {
	switch {
	case p.Session != "" && p.Session == at.Session:
		return InSession
	case p.Repository != "" && at.Repository != "":
		if p.Repository == at.Repository {
			return InRepository
		}
	case p.Dir == at.Dir:
		return InRepository
	}
	return Everywhere
}

// Hit is a prompt that was found.
type Hit struct {
	Prompt Prompt
	// Spans are the byte ranges of Prompt.Prompt() that match, in order and apart
	// from each other; of a word that stands there very often, the first ones.
	Spans [][2]int
}

// maxSpans is how many places of one word are marked in one prompt.
const maxSpans = 64

// Search finds prompts in a scope, newest first. Each word of the query must
// stand in the prompt, in any order, whole or as a part of a word; an empty
// query finds all. Lower case finds capitals too; a query with a capital letter
// is taken as it is. Of prompts with the same text the newest is found. A limit
// of 0 is none. Only the first 64 KB of a prompt are searched.
//
// It is safe for concurrent use. What it finds may come from the file.
func (p *History) Search(query string, s Scope, at Place, limit int) []Hit {
	q := newQuery(query)
	p.awaitAdded()
	p.mu.RLock()
	p.searching.Lock()
	found := p.index.search(q, p.index.within(s, at), limit)
	p.searching.Unlock()
	p.mu.RUnlock()
	hits := make([]Hit, 0, len(found))
	for i, prompt := range p.prompts(found) {
		hits = append(hits, Hit{prompt, q.spans(found[i].text.s)})
	}
	return hits
}

// within says for each place whether it is in a scope.
func (x *index) within(s Scope, at Place) []bool {
	in := make([]bool, len(x.places))
	for i, p := range x.places {
		in[i] = s >= Everywhere || p.distance(at) <= s
	}
	return in
}

// all yields the entries, newest first.
func (x *index) all(yield func(*entry) bool) {
	for _, entries := range [][]entry{x.added, x.entries} {
		for i := range slices.Backward(entries) {
			if !yield(&entries[i]) {
				return
			}
		}
	}
}

// find is an entry that was found, with what the index knows of it.
type find struct {
	entry
	text text
	at   Place
}

func (x *index) find(e *entry) find { return find{*e, x.texts[e.text], x.places[e.place]} }

// search returns at most limit entries.
func (x *index) search(q *query, in []bool, limit int) []find {
	var found []find
	seen := newSet(len(x.texts))
	for e := range x.all {
		if !in[e.place] || !seen.add(e.text) || !q.finds(&x.texts[e.text]) {
			continue
		}
		if found = append(found, x.find(e)); len(found) == limit {
			break
		}
	}
	return found
}

// set is a set of numbers below the size that it was made for.
type set []uint64

func newSet(size int) set { return make(set, (size+63)/64) }

// add reports whether n is new.
func (s set) add(n int32) bool {
	w, bit := &s[n/64], uint64(1)<<(n%64)
	isNew := *w&bit == 0
	*w |= bit
	return isNew
}

// query is what is searched for. It is not safe for concurrent use.
type query struct {
	words   [][]byte // as they are compared
	grams   []uint32 // of the folded words
	bytes   charset  // of the words as they are compared
	exact   bool     // with the text as it is, not with the folded one
	scratch []byte
}

func newQuery(s string) *query {
	q := &query{exact: strings.ContainsFunc(s, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsTitle(r) })}
	for word := range strings.FieldsSeq(s) {
		q.words = append(q.words, slices.Clone(q.text(word)))
		for _, b := range q.scratch {
			q.bytes.add(b)
		}
		q.grams = slices.AppendSeq(q.grams, grams(fold(nil, word)))
	}
	return q
}

// text is s as it is compared, until the next call.
func (q *query) text(s string) []byte {
	if q.exact {
		q.scratch = append(q.scratch[:0], s...)
	} else {
		q.scratch = fold(q.scratch, s)
	}
	return q.scratch
}

// finds reports whether every word stands in a text, which is signed when it is
// searched for the first time.
func (q *query) finds(t *text) bool {
	if len(q.words) == 0 {
		return true
	}
	if t.signature == nil {
		q.scratch = fold(q.scratch, t.s)
		t.signature, t.bytes = sign(q.scratch), charsetOf(t.s, q.scratch)
	}
	if !t.bytes.holds(&q.bytes) || t.signature.excludes(q.grams) {
		return false
	}
	text := q.text(t.s)
	return !slices.ContainsFunc(q.words, func(word []byte) bool { return !bytes.Contains(text, word) })
}

// spans are where the words stand in s.
func (q *query) spans(s string) [][2]int {
	if len(q.words) == 0 {
		return nil
	}
	text := q.text(s)
	var out [][2]int
	for _, w := range q.words {
		from := 0
		for range maxSpans {
			i := bytes.Index(text[from:], w)
			if i < 0 {
				break
			}
			out = append(out, [2]int{from + i, from + i + len(w)})
			from += i + len(w)
		}
	}
	slices.SortFunc(out, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return joined(out)
}

// joined are sorted spans with those that touch made one.
func joined(spans [][2]int) [][2]int {
	n := 0
	for _, s := range spans[1:] {
		if s[0] <= spans[n][1] {
			spans[n][1] = max(spans[n][1], s[1])
			continue
		}
		n++
		spans[n] = s
	}
	return spans[:n+1]
}

// Older is the n-th prompt that begins with prefix, counted from 0: those of
// the session newest first, then those of the repository or folder, then the
// rest. A text counts once, where it comes first. It is safe for concurrent use.
func (p *History) Older(prefix string, at Place, n int) (Prompt, bool) {
	p.awaitAdded()
	p.mu.RLock()
	found := p.index.older(prefix, at, n)
	p.mu.RUnlock()
	for _, prompt := range p.prompts(found) {
		return prompt, true
	}
	return Prompt{}, false
}

func (x *index) older(prefix string, at Place, n int) []find {
	first, mask := head(prefix), ^uint64(0)<<(64-8*min(len(prefix), 8))
	if !slices.ContainsFunc(x.heads, func(h uint64) bool { return h&mask == first }) {
		return nil
	}
	distances := make([]Scope, len(x.places))
	for i, p := range x.places {
		distances[i] = p.distance(at)
	}
	seen := newSet(len(x.texts))
	for scope := InSession; scope <= Everywhere; scope++ {
		for e := range x.all {
			if distances[e.place] != scope || !strings.HasPrefix(x.texts[e.text].s, prefix) || !seen.add(e.text) {
				continue
			}
			if n == 0 {
				return []find{x.find(e)}
			}
			n--
		}
	}
	return nil
}
