package timeline

import (
	"bytes"
	"context"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// SearchFilter is the kind of entries that a search is about.
type SearchFilter uint8

// The filters, in the order in which a key goes through them.
const (
	Everything SearchFilter = iota
	Prompts
	Answers
	Thinking
	Tools
	Failures
	Notices // and whatever else is shown: questions, dividers, summaries

	// Filters is the number of filters.
	Filters = int(Notices) + 1
)

// String returns the name of the filter for people.
func (f SearchFilter) String() string {
	return [...]string{"all", "prompts", "answers", "thinking", "tools", "failures", "notices", "?"}[min(int(f), Filters)]
}

// SearchCorpus is the texts of all entries of a timeline at some moment. It
// never changes and is safe for concurrent use.
type SearchCorpus struct {
	version uint64
	sources []source
}

// source is the texts of one entry.
type source struct {
	id      EntryID
	version uint64
	kind    SearchFilter // never Everything or Failures
	failed  bool
	parts   []string
	// again is how many of the parts, at their end, say the same: a match in
	// one is a match in the others.
	again int
	more  func() []string // further parts; nil is none
}

// SearchCorpus returns the texts of all entries. It costs a little for each entry and
// nothing for their length, and less when it is given those of before; nil is
// fine too.
func (t *Timeline) SearchCorpus(before *SearchCorpus) *SearchCorpus {
	if t.Current(before) {
		return before
	} else if before == nil {
		before = &SearchCorpus{}
	}
	now := &SearchCorpus{version: t.version, sources: make([]source, len(t.entries))}
	copy(now.sources, before.sources)
	var parts []string // of all that changed: each entry has a piece of it
	for i, e := range t.entries {
		from, s := len(parts), &now.sources[i]
		if s.version == e.Version && s.id == e.ID {
			continue
		}
		*s = source{id: e.ID, version: e.Version, failed: e.Failure()}
		parts = s.take(e.Body, parts)
		s.parts = parts[from:len(parts):len(parts)]
	}
	return now
}

// Current reports whether the timeline is as it was when the texts were taken.
func (t *Timeline) Current(x *SearchCorpus) bool {
	return x != nil && x.version == t.version && len(x.sources) == len(t.entries)
}

// take takes the texts of an entry, and appends them to parts.
func (s *source) take(b Body, parts []string) []string {
	s.kind = Notices
	switch b := b.(type) {
	case *Prompt:
		s.kind = Prompts
		parts = append(parts, b.Text)
		for _, a := range b.Attachments {
			parts = append(parts, a.DisplayName, a.Path, a.FilePath, a.Reference(), a.URL)
		}
	case *Message:
		s.kind = Answers
		parts = append(parts, b.Text.String())
	case *Reasoning:
		s.kind = Thinking
		parts = append(parts, b.Text.String())
	case *ToolCall:
		s.kind, s.more, s.again = Tools, valuesOf(b.Arguments), 3
		parts = b.searched(parts)
	case *Notice:
		parts = append(parts, b.Text, b.Detail, b.URL, b.Next)
	case *AnsweredQuestion:
		parts = append(parts, b.Question, b.Answer)
	case *Divider:
		parts = append(parts, b.Text)
	case *Summary:
		for _, f := range b.Files {
			parts = append(parts, f.Path)
		}
	case *SessionEnd:
		parts = append(append(parts, b.Reason), b.Files...)
		for _, m := range b.Models {
			parts = append(parts, m.Model)
		}
	case *Unrecognised:
		s.more = valuesOf(b.Raw)
		parts = append(parts, string(b.Kind))
	}
	return parts
}

// searched appends the texts of a call. The last three, its output, its result
// and the details of it, say the same in different ways.
func (c *ToolCall) searched(parts []string) []string {
	if c.Server != "" && c.Tool != "" {
		parts = append(parts, c.Server, c.Tool)
	} else {
		parts = append(parts, c.Name)
	}
	parts = append(parts, c.Title, c.Intention, c.ErrorText(), c.Feedback)
	if len(c.Arguments) == 0 {
		parts = append(parts, c.ArgumentText.String())
	}
	if a := c.Agent; a != nil {
		parts = append(parts, a.Title, a.Name, a.Description)
		if a.Error != c.Error {
			parts = append(parts, a.Error)
		}
	}
	for _, image := range c.Images {
		parts = append(parts, image.Name)
	}
	for _, b := range c.Blocks {
		parts = append(parts, b.Name, b.URI, b.Description)
	}
	return append(parts, c.Output.String(), c.Result, c.Detail)
}

// valuesOf returns the texts and numbers in a JSON value, without the names of
// members, and what cannot be read as a text. They are made when they are asked
// for first.
func valuesOf(raw jsontext.Value) func() []string {
	if len(raw) == 0 {
		return nil
	}
	return sync.OnceValue(func() []string { return readValues(raw) })
}

func readValues(raw jsontext.Value) (list []string) {
	dec := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		at := dec.InputOffset()
		tok, err := dec.ReadToken()
		if err != nil {
			if rest := strings.TrimSpace(string(raw[at:])); rest != "" {
				list = append(list, rest)
			}
			return list
		}
		in, n := dec.StackIndex(dec.StackDepth())
		name := in == jsontext.KindBeginObject && n%2 == 1
		if k := tok.Kind(); k == jsontext.KindNumber || k == jsontext.KindString && !name {
			list = append(list, tok.String())
		}
	}
}

// SearchJob counts the matches of a query, a stretch at a time. It is for one
// goroutine after the other.
type SearchJob struct {
	texts   *SearchCorpus
	matcher *Matcher
	counts  []int // of the entries that were looked through; -1 of others
	next    int   // the first entry that was not

	parts     []string // those of the next entry; nil: not begun
	part, off int      // how far it was looked through
	n         int      // matches in this part
	sum, most int      // in the parts before; the most in those that say the same
}

// NewSearchJob begins a search. What an earlier one that is done knows about entries
// that did not change is taken from it: all of it if the query is the same, and
// if there was no match and the query continues its. before may be nil.
func NewSearchJob(texts *SearchCorpus, m *Matcher, before *SearchJob) *SearchJob {
	s := &SearchJob{texts: texts, matcher: m, counts: make([]int, len(texts.sources))}
	same := before != nil && before.matcher == m
	narrower := before != nil && m.Narrows(before.matcher)
	for i := range s.counts {
		s.counts[i] = -1
		if !same && !narrower || i >= before.next {
			continue
		}
		src, old := &texts.sources[i], &before.texts.sources[i]
		if src.id == old.id && src.version == old.version && (same || before.counts[i] == 0) {
			s.counts[i] = before.counts[i]
		}
	}
	return s
}

// pieceBytes is how much is looked through at once: after it the search can be
// interrupted.
const pieceBytes = 64 << 10

// Step runs until all is counted, until it did so much work, in bytes that an
// expression runs over, or until ctx ends. It reports whether all is counted.
func (s *SearchJob) Step(ctx context.Context, work int) (done bool) {
	for s.next < len(s.counts) {
		if s.counts[s.next] >= 0 {
			s.next++
			continue
		}
		src := &s.texts.sources[s.next]
		if s.parts == nil {
			s.begin(src)
		}
		for s.part < len(s.parts) {
			if work <= 0 || ctx.Err() != nil {
				return false
			}
			piece := s.piece()
			n, cost := s.matcher.count(piece)
			s.n += n
			s.off += len(piece)
			work -= cost + 1
			if s.off == len(s.parts[s.part]) {
				s.endPart(src)
			}
		}
		s.counts[s.next] = s.sum + s.most
		s.parts = nil
	}
	return true
}

func (s *SearchJob) begin(src *source) {
	s.parts = src.parts
	if src.more != nil {
		s.parts = slices.Concat(src.more(), src.parts)
	}
	s.part, s.off, s.n, s.sum, s.most = 0, 0, 0, 0, 0
}

// piece is what of a part is looked through next: whole lines.
func (s *SearchJob) piece() string {
	rest := s.parts[s.part][s.off:]
	if len(rest) <= pieceBytes {
		return rest
	}
	if i := strings.LastIndexByte(rest[:pieceBytes], '\n'); i >= 0 {
		return rest[:i+1]
	}
	if i := strings.IndexByte(rest[pieceBytes:], '\n'); i >= 0 {
		return rest[:pieceBytes+i+1]
	}
	return rest
}

func (s *SearchJob) endPart(src *source) {
	if s.part < len(s.parts)-src.again {
		s.sum += s.n
	} else {
		s.most = max(s.most, s.n)
	}
	s.part++
	s.off, s.n = 0, 0
}

// SearchHits are the entries with matches, in the order of the timeline.
type SearchHits []SearchHit

// SearchHit is one entry with matches.
type SearchHit struct {
	ID     EntryID
	Pos    int // where the entry was in the timeline
	Count  int // of matches, at least one
	Before int // matches in the hits before it
}

// Hits returns what was found so far among the entries of a kind.
func (s *SearchJob) Hits(f SearchFilter) SearchHits {
	var hits SearchHits
	before := 0
	for i, n := range s.counts[:s.next] {
		src := &s.texts.sources[i]
		if n <= 0 || f == Failures && !src.failed || f != Everything && f != Failures && f != src.kind {
			continue
		}
		hits = append(hits, SearchHit{src.id, i, n, before})
		before += n
	}
	return hits
}

// Total is the number of matches.
func (h SearchHits) Total() int {
	if len(h) == 0 {
		return 0
	}
	last := h[len(h)-1]
	return last.Before + last.Count
}

// From returns which of the hits is the first at or after an entry's position;
// the number of hits is none.
func (h SearchHits) From(pos int) int {
	return sort.Search(len(h), func(i int) bool { return h[i].Pos >= pos })
}
