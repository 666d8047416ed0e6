package sessions

import (
	"cmp"
	"slices"
)

// marksLimit is how many bytes of a text Marks looks at, and hitsLimit how many
// ranges it returns at most.
const (
	marksLimit = 1 << 20
	hitsLimit  = 10_000
)

// Marks are the byte ranges of a text that the words of the query hit, those that
// must not be there aside: whole words, sorted, apart from each other. It looks
// at the first megabyte and stops after ten thousand.
func (q Query) Marks(text string) [][2]int {
	var wanted [][]token
	var prefix []bool
	for _, w := range q.Words {
		if t := tokens(w.Text); !w.Not && len(t) > 0 {
			wanted, prefix = append(wanted, t), append(prefix, w.Prefix)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	if len(text) > marksLimit {
		text = text[:marksLimit]
	}
	there := tokens(text)
	var hits [][2]int
	for i := range there {
		for w, want := range wanted {
			if len(hits) < hitsLimit && begins(there[i:], want, prefix[w]) {
				hits = append(hits, [2]int{there[i].start, there[i+len(want)-1].end})
			}
		}
	}
	return joined(hits)
}

// begins reports whether a text begins with words that follow each other.
func begins(text, words []token, prefix bool) bool {
	if len(text) < len(words) {
		return false
	}
	last := len(words) - 1
	for i, w := range words {
		there := text[i].word
		if prefix && i == last {
			there = there[:min(len(there), len(w.word))]
		}
		if there != w.word {
			return false
		}
	}
	return true
}

// joined are ranges without those that overlap.
func joined(hits [][2]int) [][2]int {
	slices.SortFunc(hits, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
	var all [][2]int
	for _, h := range hits {
		if n := len(all); n > 0 && h[0] < all[n-1][1] {
			all[n-1][1] = max(all[n-1][1], h[1])
		} else {
			all = append(all, h)
		}
	}
	return all
}
