package sessions

import (
	"cmp"
	"slices"
)

// maxMatchText is how many bytes of a text Matches looks at, and maxMatches how many
// ranges it returns at most.
const (
	maxMatchText = 1 << 20
	maxMatches   = 10_000
)

// Matches are the byte ranges of a text that the words of the query hit, those that
// must not be there aside: whole words, sorted, apart from each other. It looks
// at the first megabyte and stops after ten thousand.
func (q Query) Matches(text string) [][2]int {
	var wanted [256][]phrase // by the first byte
	some := false
	for _, w := range q.Words {
		if words := tokens(w.Text); !w.Not && len(words) > 0 {
			first := words[0].word[0]
			wanted[first], some = append(wanted[first], phrase{words, w.Prefix}), true
		}
	}
	if !some {
		return nil
	}
	if len(text) > maxMatchText {
		text = text[:maxMatchText]
	}
	there := tokens(text)
	var hits [][2]int
	for i, t := range there {
		for _, p := range wanted[t.word[0]] {
			if len(hits) < maxMatches && p.begins(there[i:]) {
				hits = append(hits, [2]int{t.start, there[i+len(p.words)-1].end})
			}
		}
	}
	return mergeSpans(hits)
}

// phrase is words that follow each other.
type phrase struct {
	words  []token
	prefix bool // longer words that begin as the last one count
}

// begins reports whether a text begins with the phrase.
func (p phrase) begins(text []token) bool {
	if len(text) < len(p.words) {
		return false
	}
	last := len(p.words) - 1
	for i, w := range p.words {
		there := text[i].word
		if p.prefix && i == last {
			there = there[:min(len(there), len(w.word))]
		}
		if there != w.word {
			return false
		}
	}
	return true
}

// mergeSpans are ranges without those that overlap.
func mergeSpans(hits [][2]int) [][2]int {
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
