package diff

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/render/text"
)

// Words are compared in lines up to wordsLine bytes, and in as many pairs of
// words as wordsTable has room for; where two lines differ in more, the whole
// stretch between their common ends counts as changed.
const (
	wordsLine  = 1 << 10
	wordsTable = 1 << 16
)

// changedWords finds what differs between two lines, in whole words. It is
// nothing when they have so little in common that the one was not made from
// the other.
func changedWords(before, after string) (gone, come []text.Stretch) {
	if len(before) > wordsLine || len(after) > wordsLine {
		return nil, nil
	}
	a, b := words(before), words(after)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	keptA, keptB := make([]bool, len(a)), make([]bool, len(b))
	for i := range head {
		keptA[i], keptB[i] = true, true
	}
	for i := range tail {
		keptA[len(a)-1-i], keptB[len(b)-1-i] = true, true
	}
	common(a[head:len(a)-tail], b[head:len(b)-tail], keptA[head:], keptB[head:])
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

// common marks a longest common subsequence of a and b.
func common(a, b []string, keptA, keptB []bool) {
	n, m := len(a), len(b)
	if n == 0 || m == 0 || (n+1)*(m+1) > wordsTable {
		return
	}
	table := make([]uint16, (n+1)*(m+1))
	at := func(i, j int) *uint16 { return &table[i*(m+1)+j] }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if a[i] == b[j] {
				*at(i, j) = *at(i+1, j+1) + 1
			} else {
				*at(i, j) = max(*at(i+1, j), *at(i, j+1))
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case a[i] == b[j]:
			keptA[i], keptB[j] = true, true
			i, j = i+1, j+1
		case *at(i+1, j) >= *at(i, j+1):
			i++
		default:
			j++
		}
	}
}

// alike reports whether the one line was made from the other: of what the
// shorter one holds besides blanks at least half is kept, and a word of it.
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
