package editor

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// wordBack returns where the word before p begins, wordForward where the one after it
// ends. A chip is a word.
func (e *Editor) wordBack(p textPos) textPos    { return e.overWord(p, e.prev) }
func (e *Editor) wordForward(p textPos) textPos { return e.overWord(p, e.next) }

// overWord goes from p over what is no word and over a word, a step at a time.
func (e *Editor) overWord(p textPos, step func(textPos) textPos) textPos {
	inWord := false
	for next := step(p); next != p; next = step(p) {
		first := p // of the grapheme between the two
		if next.before(p) {
			first = next
		}
		text := e.content(first.line)[first.off:]
		r, _ := utf8.DecodeRuneInString(text)
		chip := isChip(text)
		if inWord && (chip || !wordRune(r)) {
			return p
		}
		inWord = inWord || wordRune(r)
		if p = next; chip {
			return p
		}
	}
	return p
}

// wordRune reports whether r is part of a word for the motions by word.
func wordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// recase changes the letters of the word at or after the caret, and goes to
// its end.
func (e *Editor) recase(to func(first bool, r rune) rune) {
	end := e.wordForward(e.caret)
	e.change(e.caret, end, recased(e.slice(e.caret, end), to))
}

// recased returns s with other letters. Bytes that are not text stay.
func recased(s string, to func(first bool, r rune) rune) string {
	var b strings.Builder
	first := true
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		if wordRune(r) {
			b.WriteRune(to(first, r))
			first = false
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

func lowerCase(_ bool, r rune) rune { return unicode.ToLower(r) }

func upperCase(_ bool, r rune) rune { return unicode.ToUpper(r) }

// capital returns the case of a letter in a capitalised word.
func capital(first bool, r rune) rune {
	if first {
		return unicode.ToTitle(r)
	}
	return unicode.ToLower(r)
}

// transpose exchanges the word before the caret with the one at or after it,
// at the end of the text the last two, and goes behind both.
func (e *Editor) transpose() {
	second := e.wordBack(e.wordForward(e.caret))
	secondEnd := e.wordForward(second)
	first := e.wordBack(second)
	firstEnd := e.wordForward(first)
	if first == second || second.before(firstEnd) {
		return
	}
	e.change(first, secondEnd, e.slice(second, secondEnd)+e.slice(firstEnd, second)+e.slice(first, firstEnd))
}
