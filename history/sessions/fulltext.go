package sessions

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// queryTerm is a word of a query as it is looked for.
type queryTerm struct {
	Word
	words []string // folded; several beside each other
	rows  []int64  // of the index with it, in order
	in    map[int64]uint8
}

// findTerms finds the words of a query in the index. Where it cannot, words are found
// in what the sessions are called only.
func (l *Library) findTerms(ctx context.Context, v *snapshot, q Query) ([]*queryTerm, error) {
	var all []*queryTerm
	for _, w := range q.Words {
		s := &queryTerm{Word: w, in: map[int64]uint8{}}
		for _, t := range tokens(w.Text) {
			s.words = append(s.words, t.word)
		}
		if len(s.words) > 0 { // else it is nothing that a text is divided into
			all = append(all, s)
		}
	}
	if v.db == nil {
		return all, nil
	}
	for _, s := range all {
		var err error
		if s.rows, err = v.findCached(ctx, s); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			l.indexFailed(v.db, err)
			return all, nil
		}
		for _, row := range s.rows {
			s.in[sessionOf(row)] |= 1 << groupIn(row)
		}
	}
	return all, nil
}

// findCached looks a word up, if it was not looked up before: while a line is typed only
// its last word is new.
func (v *snapshot) findCached(ctx context.Context, s *queryTerm) ([]int64, error) {
	key := expression(s.words, s.Prefix)
	v.mu.Lock()
	rows, ok := v.cachedRows[key]
	v.mu.Unlock()
	if ok {
		return rows, nil
	}
	rows, err := s.find(ctx, v.db)
	if err != nil {
		return nil, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	const most = 32
	if len(v.cachedRows) >= most {
		clear(v.cachedRows)
	}
	v.cachedRows[key] = rows
	return rows, nil
}

// find looks a word up. What FTS5 does for the beginning of a word is to join the
// places of all words that begin so, which takes long where it is short. So for a
// word alone there is a table of short beginnings; and a phrase whose last word is
// short ends there, if it is anywhere, else (it is still being typed) its other
// words count, where a word that begins so is in the same part.
func (s *queryTerm) find(ctx context.Context, db *database) ([]int64, error) {
	last := s.words[len(s.words)-1]
	if first, _ := utf8.DecodeRuneInString(last); !s.Prefix || kindOf(first) == alone {
		return db.rows(ctx, "texts", expression(s.words, false))
	}
	if utf8.RuneCountInString(last) > prefixLength {
		return db.rows(ctx, "texts", expression(s.words, true))
	}
	if len(s.words) == 1 {
		return db.rows(ctx, "starts", expression(s.words, false))
	}
	rows, err := db.rows(ctx, "texts", expression(s.words, false))
	if err != nil || len(rows) > 0 {
		return rows, err
	}
	if rows, err = db.rows(ctx, "texts", expression(s.words[:len(s.words)-1], false)); err != nil || len(rows) == 0 {
		return rows, err
	}
	begun, err := db.rows(ctx, "starts", expression([]string{last}, false))
	return slices.DeleteFunc(rows, func(row int64) bool {
		_, ok := slices.BinarySearch(begun, row)
		return !ok
	}), err
}

// expression is words beside each other in the language of FTS5 (sqlite.org/fts5.html,
// section 3). A folded word is letters and digits alone, so that nothing in it
// means anything there.
func expression(words []string, prefix bool) string {
	p := `"` + strings.Join(words, " ") + `"`
	if prefix {
		p += " *"
	}
	return p
}

// inName reports whether the word is in what entry.named returns.
func (s *queryTerm) inName(words string) bool {
	phrase := " " + strings.Join(s.words, " ")
	if !s.Prefix {
		phrase += " "
	}
	return strings.Contains(words, phrase)
}

// nameWeight is what a hit in what a session is called counts.
const nameWeight = 8

// score reports whether all words are in a session, and how much that counts: the
// rarer a word and the nearer to the user where it is, the more.
func score(words []*queryTerm, e *entry, noted string, sessions int) (float64, bool) {
	sum := 0.0
	for _, s := range words {
		in := s.in[e.no]
		named := s.inName(e.words) || noted != "" && s.inName(noted)
		if (in != 0 || named) == s.Not {
			return 0, false
		}
		if s.Not {
			continue
		}
		weight := 0.0
		if named {
			weight += nameWeight
		}
		for g, w := range weights {
			if in&(1<<g) != 0 {
				weight += w
			}
		}
		sum += weight * math.Log1p(float64(sessions)/float64(1+len(s.in)))
	}
	return sum, true
}

// best is the row of a session in which most of the words are, and of several that
// which is nearest to the user; 0 if no row has any.
func best(words []*queryTerm, no int64) int64 {
	count := map[int64]int{}
	var row int64
	for _, s := range words {
		if s.Not {
			continue
		}
		from, _ := slices.BinarySearch(s.rows, rowOf(no, 0, 0))
		for _, r := range s.rows[from:] {
			if sessionOf(r) != no {
				break
			}
			count[r]++
			if n := count[r]; n > count[row] || n == count[row] && r < row {
				row = r
			}
		}
	}
	return row
}
