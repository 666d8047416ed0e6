package sessions

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The index divides texts into words and folds them as the tokenizer unicode61 of
// SQLite does, with remove_diacritics=2 (sqlite.org/fts5.html, section 4.3.1): a
// word is letters, digits, private characters and the marks on them; capitals and
// the marks on Latin letters do not count. What is marked is what it finds.

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
		if text[i].word != w.word && !(prefix && i == last && strings.HasPrefix(text[i].word, w.word)) {
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

// token is a word of a text, folded.
type token struct {
	word       string
	start, end int
}

// tokens are the words of a text.
func tokens(text string) []token {
	var all []token
	start := -1
	for i, r := range text {
		switch in := tokenRune(r) || start >= 0 && unicode.Is(unicode.Mn, r); {
		case in && start < 0:
			start = i
		case !in && start >= 0:
			all = append(all, token{folded(text[start:i]), start, i})
			start = -1
		}
	}
	if start >= 0 {
		all = append(all, token{folded(text[start:]), start, len(text)})
	}
	return all
}

// tokenRune reports whether a character is part of a word by itself.
func tokenRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.Co)
}

// folded is a text as it is compared: without capitals, and without the marks
// on Latin letters.
func folded(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return strings.ToLower(text)
	}
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf {
			return unicode.ToLower(r)
		}
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		if d := norm.NFD.PropertiesString(string(r)).Decomposition(); len(d) > 0 && d[0] < utf8.RuneSelf && tokenRune(rune(d[0])) {
			r = rune(d[0])
		}
		return unicode.ToLower(unicode.ToUpper(r))
	}, text)
}
