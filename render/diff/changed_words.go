package diff

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"

	"parley/render/text"
)

// wordsLine is how long the lines are whose words are compared, in bytes.
const wordsLine = 1 << 10

// changedWords finds what differs between two lines, in whole words. It is
// nothing when they have so little in common that the one was not made from
// the other.
func changedWords(before, after string) (gone, come []text.Stretch) {
	if len(before) > wordsLine || len(after) > wordsLine {
		return nil, nil
	}
	a, b := words(before), words(after)
	keptA, keptB := common(a, b)
	if !alike(a, b, keptA) {
		return nil, nil
	}
	return stretches(a, keptA), stretches(b, keptB)
}

// words cuts a line into words, blanks between them, and single characters of
// any other kind.
func words(s string) []string {
	var out []string
	for s != "" {
		n := 0
		var kind int
		for n < len(s) {
			r, size := utf8.DecodeRuneInString(s[n:])
			k := wordKind(r)
			if n > 0 && (k != kind || k == wordMark) {
				break
			}
			kind, n = k, n+size
		}
		out, s = append(out, s[:n]), s[n:]
	}
	return out
}

const (
	wordMark = iota
	wordBlank
	wordLetter
)

func wordKind(r rune) int {
	switch {
	case r == ' ' || r == '\t':
		return wordBlank
	case text.IsWide(r): // scripts without blanks between their words
		return wordMark
	case r == '_' || unicode.In(r, unicode.L, unicode.M, unicode.N):
		return wordLetter
	}
	return wordMark
}

// common reports which words of two lines are in both, in their order.
func common(a, b []string) (keptA, keptB []bool) {
	keptA, keptB = slices.Repeat([]bool{true}, len(a)), make([]bool, len(b))
	before, after := strings.Join(append(slices.Clip(a), ""), "\n"), strings.Join(append(slices.Clip(b), ""), "\n")
	word := func(at int) int { return strings.Count(before[:at], "\n") }
	i, j := 0, 0 // the next word of each
	for _, e := range udiff.Lines(before, after) {
		for ; i < word(e.Start); i, j = i+1, j+1 {
			keptB[j] = true
		}
		for ; i < word(e.End); i++ {
			keptA[i] = false
		}
		j += strings.Count(e.New, "\n")
	}
	for ; j < len(b); j++ {
		keptB[j] = true
	}
	return keptA, keptB
}

// alike reports whether the one line was made from the other: of what the
// shorter one holds apart from blanks at least half is kept, and a word of it.
func alike(a, b []string, kept []bool) bool {
	size := func(words []string) (n int) {
		for _, w := range words {
			if strings.Trim(w, " \t") != "" {
				n += len(w)
			}
		}
		return n
	}
	same, word := 0, false
	for i, w := range a {
		if kept[i] && strings.Trim(w, " \t") != "" {
			same += len(w)
			r, _ := utf8.DecodeRuneInString(w)
			word = word || unicode.In(r, unicode.L, unicode.N)
		}
	}
	least := min(size(a), size(b))
	return least == 0 || word && 2*same >= least
}

// stretches joins the words that are not kept, and those with nothing but
// blanks between them.
func stretches(words []string, kept []bool) []text.Stretch {
	var out []text.Stretch
	at, blank := 0, false
	for i, w := range words {
		n := len(out) - 1
		switch {
		case kept[i]:
			blank = n >= 0 && out[n].To == at && strings.Trim(w, " \t") == ""
		case n >= 0 && (out[n].To == at || blank):
			out[n].To, blank = at+len(w), false
		default:
			out, blank = append(out, text.Stretch{From: at, To: at + len(w)}), false
		}
		at += len(w)
	}
	return out
}
