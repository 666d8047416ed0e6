// Package didyoumean finds the name that a misspelt one may mean.
package didyoumean

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// longestName is more bytes than any name has: what is longer means none.
const longestName = 60

// Nearest returns the name that a misspelt one may mean; "" if none is near. It is
// at most two letters away, of a long name a third of its letters, or begins with
// what was typed. Capitals count as small letters. Of a dotted name the last part
// counts alone, too.
func Nearest(typed string, names []string) string {
	if typed == "" || len(typed) > longestName {
		return ""
	}
	typed = strings.ToLower(typed)
	best, least := "", max(2, utf8.RuneCountInString(typed)/3)+1
	consider := func(typed, name, meant string) {
		d := levenshtein.ComputeDistance(typed, name)
		switch {
		case len(typed) > 2 && strings.HasPrefix(name, typed):
			d = min(d, 2)
		case len(typed) > 3 && (typed == name || swapped(typed, name)):
			d = 0 // nearer than one letter off
		}
		if d < least && d < len(name) {
			best, least = meant, d
		}
	}
	for _, name := range names {
		consider(typed, strings.ToLower(name), name)
	}
	own := typed[strings.LastIndex(typed, ".")+1:]
	for _, name := range names {
		if i := strings.LastIndex(name, "."); i >= 0 || own != typed {
			consider(own, strings.ToLower(name[i+1:]), name)
		}
	}
	return best
}

// swapped reports whether two words differ by the order of two letters side by side.
func swapped(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) != len(y) {
		return false
	}
	for i := range len(x) - 1 {
		if x[i] != y[i] {
			x[i], x[i+1] = x[i+1], x[i]
			return slices.Equal(x, y)
		}
	}
	return false
}

// Misspelt returns the name that a word is most likely a misspelling of; "" if it may as
// well be a word of its own. It is nearer than Nearest asks for: one letter away, of six
// letters and more two, or with two letters swapped, or the beginning of the name. A word
// of three letters has one left out, or two swapped; a shorter one is never a misspelling.
func Misspelt(word string, names []string) string {
	word = strings.ToLower(word)
	n := utf8.RuneCountInString(word)
	for _, name := range names {
		if n > 2 && strings.HasPrefix(strings.ToLower(name), word) {
			return name
		}
	}
	best, least := "", 6
	for _, name := range names {
		lower := strings.ToLower(name)
		d := levenshtein.ComputeDistance(word, lower)
		far := 2 * d
		if n > 2 && swapped(word, lower) {
			d, far = 1, 1 // nearer than one letter off
		}
		near := d == 0 || n > 3 && d == 1 || n > 5 && d == 2 || n == 3 && d == 1 && (far == 1 || len(lower) > len(word))
		if near && far < least {
			best, least = name, far
		}
	}
	return best
}
