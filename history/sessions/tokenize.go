package sessions

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// What can be found: the index does not hold texts but their words, as fold makes
// them, and what is looked for and what is marked in a text goes the same way. So
// SQLite never sees a character that means something in its query language.
//
//   - A word is a run of letters and digits. All else parts words: of table.go,
//     foo_bar and --flag each piece is found alone, and the whole as a phrase.
//   - Capitals and the accents of the Latin letters have no meaning.
//   - Characters of scripts that are written without blanks are a word each, and
//     several are a phrase: so each part of a run of them is found.
//   - A word is at most longest bytes long; the rest of a longer one is lost.
//     The second half of a digest is not searched for.
const maxWord = 64

// token is a word in a text.
type token struct {
	word       string
	start, end int // bytes of the text
}

// appendWord appends the next word of a text to out, if there is one, and returns where it is.
func appendWord(out []byte, text string, from int) (_ []byte, start, end int) {
	before := len(out)
	for start, end = from, from; end < len(text); {
		if len(out) == before {
			start = end
		}
		for ; end < len(text) && asciiWord[text[end]] != 0; end++ { // which most are
			if len(out)-before < maxWord {
				out = append(out, asciiWord[text[end]])
			}
		}
		kind, r, n := between, rune(0), 1
		if end < len(text) && text[end] >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(text[end:])
			kind = kindOf(r)
		}
		switch {
		case kind == inWord && len(out)-before < maxWord:
			out = appendFolded(out, r)
		case kind != inWord && kind != accent && len(out) > before:
			return out, start, end
		case kind == alone:
			return utf8.AppendRune(out, r), end, end + n
		}
		end += n
	}
	return out, start, len(text)
}

// fold appends the words of a text to out, each with a blank behind it.
func fold(out []byte, text string) []byte {
	for at := 0; ; out = append(out, ' ') {
		before := len(out)
		if out, _, at = appendWord(out, text, at); len(out) == before {
			return out
		}
	}
}

// tokens are the words of a text, and where they are.
func tokens(text string) []token {
	var found []token
	word, end := make([]byte, 0, maxWord+utf8.UTFMax), 0
	for {
		var start int
		if word, start, end = appendWord(word[:0], text, end); len(word) == 0 {
			return found
		}
		found = append(found, token{string(word), start, end})
	}
}

// wordKind is what a character is to a word.
type wordKind uint8

const (
	between wordKind = iota
	inWord
	alone  // a word by itself
	accent // of the character before; has no meaning
)

// asciiWord is what stands for an ASCII character in a word; 0 if it is in none, and
// for the bytes of all others.
var asciiWord = [1 << 8]byte{
	'0': '0', '1': '1', '2': '2', '3': '3', '4': '4', '5': '5', '6': '6', '7': '7', '8': '8', '9': '9',
	'a': 'a', 'b': 'b', 'c': 'c', 'd': 'd', 'e': 'e', 'f': 'f', 'g': 'g', 'h': 'h', 'i': 'i', 'j': 'j',
	'k': 'k', 'l': 'l', 'm': 'm', 'n': 'n', 'o': 'o', 'p': 'p', 'q': 'q', 'r': 'r', 's': 's', 't': 't',
	'u': 'u', 'v': 'v', 'w': 'w', 'x': 'x', 'y': 'y', 'z': 'z', 'A': 'a', 'B': 'b', 'C': 'c', 'D': 'd',
	'E': 'e', 'F': 'f', 'G': 'g', 'H': 'h', 'I': 'i', 'J': 'j', 'K': 'k', 'L': 'l', 'M': 'm', 'N': 'n',
	'O': 'o', 'P': 'p', 'Q': 'q', 'R': 'r', 'S': 's', 'T': 't', 'U': 'u', 'V': 'v', 'W': 'w', 'X': 'x',
	'Y': 'y', 'Z': 'z',
}

func kindOf(r rune) wordKind {
	switch {
	case r < utf8.RuneSelf:
		if asciiWord[r] != 0 {
			return inWord
		}
		return between
	case r == utf8.RuneError:
		return between
	case unicode.Is(unicode.Mn, r):
		return accent
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return alone
	case unicode.In(r, unicode.L, unicode.N, unicode.Mc, unicode.Co):
		return inWord
	}
	return between
}

// appendFolded appends a character of a word without its capital and its accents.
func appendFolded(out []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		return append(out, asciiWord[r])
	}
	if d := norm.NFD.PropertiesString(string(r)).Decomposition(); len(d) > 0 && d[0] < utf8.RuneSelf && asciiWord[d[0]] != 0 {
		return append(out, asciiWord[d[0]])
	}
	return utf8.AppendRune(out, unicode.ToLower(unicode.ToUpper(r)))
}

// tokenRune reports whether a character is part of a word by itself.
func tokenRune(r rune) bool {
	kind := kindOf(r)
	return kind == inWord || kind == alone
}

// folded is a text as values are compared: without capitals and accents.
func folded(text string) string {
	out := make([]byte, 0, len(text))
	for _, r := range text {
		switch kind := kindOf(r); kind {
		case between:
			out = utf8.AppendRune(out, r)
		case inWord, alone:
			out = appendFolded(out, r)
		case accent:
		}
	}
	return string(out)
}
