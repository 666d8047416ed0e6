package widget

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/tui/files"
)

// FilterMark stands before what is typed to filter a list.
const FilterMark = "/"

// match is how well a row matches a word.
type match uint8

const (
	noMatch    match = iota
	byLetters        // the label has the letters in this order
	inTerm           // it is in the details or the terms
	startsTerm       // a word of the details or the terms begins so
	inLabel          // it is in the label or the name
	startsWord       // a word of the label or the name begins so
	startsLabel
	isLabel
)

// Match returns the rows that match what was typed, best first and otherwise in their
// order, with the part of the label that matches marked. Every word counts by itself,
// and small letters match capitals too. Rows that only have the letters somewhere are
// found if there is nothing better.
func Match(rows []Row, typed string) []Row {
	words := strings.Fields(strings.ToLower(typed))
	if len(words) == 0 {
		return rows
	}
	type ranked struct {
		row  Row
		rank match
	}
	var found []ranked
	best := noMatch
	for _, r := range rows {
		r.Marks, r.Group = nil, "" // the best is first, whatever it belongs to
		if rank := r.match(words); rank != noMatch {
			found = append(found, ranked{r, rank})
			best = max(best, rank)
		}
	}
	slices.SortStableFunc(found, func(a, b ranked) int { return cmp.Compare(b.rank, a.rank) })
	var out []Row
	for _, f := range found {
		if f.rank <= inTerm && f.rank < best {
			break
		}
		out = append(out, f.row)
	}
	return out
}

// match is how well the row matches the word that it matches worst, and marks where its
// label does.
func (r *Row) match(words []string) match {
	rank := isLabel
	for _, word := range words {
		m, spans := matchWord(r.Label, word)
		if named, _ := matchWord(r.Name, word); named > m {
			m, spans = named, nil
		}
		if m == noMatch {
			if m, _ = matchWord(r.Detail+" "+r.Right+" "+r.Terms, word); m != noMatch {
				m = map[bool]match{true: startsTerm, false: inTerm}[m >= startsWord]
			} else if score, letters := files.Fuzzy(r.Label, word); score > 0 {
				m, spans = byLetters, letters
			}
		}
		r.Marks = append(r.Marks, spans...)
		rank = min(rank, m)
	}
	slices.SortFunc(r.Marks, func(a, b [2]int) int { return a[0] - b[0] })
	return rank
}

// matchWord is where a text has a word, as small letters: at its start, at the start of
// a word, or else anywhere.
func matchWord(label, word string) (match, [][2]int) {
	lower, rank, at := strings.ToLower(label), noMatch, -1
	for from := 0; rank < startsWord; {
		i := strings.Index(lower[from:], word)
		if i < 0 {
			break
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(lower[:i])
		switch {
		case lower == word:
			rank, at = isLabel, i
		case i == 0:
			rank, at = startsLabel, i
		case !unicode.IsLetter(before) && !unicode.IsDigit(before):
			rank, at = startsWord, i
		case rank == noMatch:
			rank, at = inLabel, i
		}
		from = i + len(word)
	}
	if rank == noMatch || len(lower) != len(label) {
		return rank, nil
	}
	return rank, [][2]int{{at, at + len(word)}}
}
