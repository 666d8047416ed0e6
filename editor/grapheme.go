package editor

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"

	"parley/render/text"
)

// graphemeBytes bounds what counts as one grapheme, so that no text makes a
// caret motion long. The longest emoji in use have 35 bytes.
const graphemeBytes = 128

// tabCells is how many spaces show a tab in the editor, wherever it stands:
// what precedes it in a row does not change it.
const tabCells = "    "

// plain returns the bytes and cells of the grapheme at text[i] if it is one of
// those that need no table: printable ASCII, and kana, Han and Hangul
// syllables, before another such or ASCII. Else it returns 0, 0.
func plain(text string, i int) (n, w int) {
	n, w = 1, 1
	switch c := text[i]; {
	case c >= utf8.RuneSelf:
		if !ideograph(text[i:]) {
			return 0, 0
		}
		n, w = 3, 2
	case c < ' ' || c == 0x7f:
		return 0, 0
	}
	if j := i + n; j == len(text) || text[j] < utf8.RuneSelf || ideograph(text[j:]) {
		return n, w
	}
	return 0, 0
}

// ideograph reports whether s begins with a rune of three bytes that is two
// cells wide everywhere and joins no other but marks and jamo.
func ideograph(s string) bool {
	if s[0] < 0xe3 || s[0] > 0xed {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s)
	switch {
	case r >= 0x4e00 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3, r >= 0x3041 && r <= 0x3096,
		r >= 0x30a1 && r <= 0x30fa, r >= 0x3400 && r <= 0x4dbf, r == 0x3001, r == 0x3002:
		return true
	}
	return false
}

// graphemeLen returns the bytes of the first grapheme of s, which is part of a
// line and not empty. A byte that is not UTF-8 is one by itself, and so is a
// chip.
func graphemeLen(s string) int {
	if n, _ := plain(s, 0); n > 0 {
		return n
	}
	if s[0] == codeByte {
		return codedLen(s)
	}
	limit := min(len(s), graphemeBytes)
	if i := strings.IndexByte(s[:limit], codeByte); i > 0 {
		limit = i
	}
	for limit < len(s) && limit > 1 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	cluster := graphemes.FromString(s[:limit]).First()
	for i, r := range cluster {
		if r == utf8.RuneError && !strings.HasPrefix(cluster[i:], string(utf8.RuneError)) {
			return max(1, i)
		}
	}
	return len(cluster)
}

// grapheme returns the bytes of the first grapheme of s, which is no chip, what
// is drawn for it, and the cells that may take: terminals disagree about some
// emoji, and the larger count is safe.
func grapheme(s string) (n int, drawn string, w int) {
	if n, w = plain(s, 0); n > 0 {
		return n, s[:n], w
	}
	n = graphemeLen(s)
	drawn = shown(s, n)
	return n, drawn, cellsOf(drawn)
}

// cellsOf returns the cells that s takes by the larger of both counts.
func cellsOf(s string) int { return max(text.Width(s), ansi.StringWidthWc(s)) }

// shown returns what is drawn for the grapheme s[:n]. What would be hidden or
// drive the terminal is a token, a lone mark stands on a space.
func shown(s string, n int) string {
	cluster := s[:n]
	if s[0] == codeByte {
		s = "\xf4" + s[min(codeLen, n):n]
		n, cluster = len(s), s
	}
	r, _ := utf8.DecodeRuneInString(cluster)
	switch {
	case r == '\t':
		return tabCells
	case unicode.IsControl(r):
		return text.SanitizeShowHidden(cluster)
	}
	drawn := text.Sanitize(cluster)
	if drawn != cluster && n < len(s) {
		// A joiner at the end may join what follows.
		if _, m := utf8.DecodeRuneInString(s[n:]); text.Sanitize(s[:n+m]) == s[:n+m] {
			drawn = cluster
		}
	}
	if text.Width(drawn) == 0 {
		drawn = "\u00a0" + drawn
	}
	return drawn
}
