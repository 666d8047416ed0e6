package widget

import (
	"cmp"
	"slices"
	"strings"

	"parley/tui/files"
)

// leastMatch is how well a row must match at least, in percent of the best.
const leastMatch = 60

// Match returns the rows that match what was typed, best first, with the part
// of the label that matches marked. Small letters match capitals too; every
// word counts by itself.
func Match(rows []Row, typed string) []Row {
	words := strings.Fields(typed)
	if len(words) == 0 {
		return rows
	}
	type ranked struct {
		row   Row
		score int
	}
	var found []ranked
	for _, r := range rows {
		r.Marks = nil
		if score, ok := r.score(words); ok {
			found = append(found, ranked{r, score})
		}
	}
	slices.SortStableFunc(found, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
	var out []Row
	for _, f := range found {
		if f.score < found[0].score*leastMatch/100 {
			break // letters here and there
		}
		out = append(out, f.row)
	}
	return out
}

// score is how well the row matches all the words, and marks where its label
// does.
func (r *Row) score(words []string) (sum int, ok bool) {
	for _, word := range words {
		label, spans := files.Fuzzy(r.Label, word)
		detail, _ := files.Fuzzy(r.Detail, word)
		if label == 0 && detail == 0 {
			return 0, false
		}
		r.Marks = append(r.Marks, spans...)
		sum += max(label, detail)
	}
	slices.SortFunc(r.Marks, func(a, b [2]int) int { return a[0] - b[0] })
	return sum, true
}
