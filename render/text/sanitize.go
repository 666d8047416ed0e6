package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sanitize makes untrusted text safe to show (docs/decisions.md 17). Escape
// sequences go with their payload, other control characters but LF and TAB go,
// CR and CRLF become LF, invalid UTF-8 becomes U+FFFD. Nothing that deceives
// the eye vanishes: bidirectional controls, invisible characters and stray
// variation selectors become tokens such as ⟦U+202E⟧, a run of tag characters
// becomes ⟦TAG text⟧ with the text it smuggles. Joiners and selectors inside a
// valid emoji stay, and so do those that Arabic, Indic and Han script need.
//
// It is linear and idempotent, works on each line by itself (an escape sequence
// that is not terminated ends with its line) and returns clean text as it is.
func Sanitize(s string) string { return sanitize(s, false) }

// SanitizeShowHidden makes untrusted text safe for something a user approves:
// nothing vanishes. In addition to what Sanitize shows, control characters become
// tokens such as ⟦ESC⟧ or ⟦CR⟧ and what follows them stays as text; tabs become
// spaces; script joiners are shown too. CRLF is a line ending only in a text
// that ends all its lines so.
func SanitizeShowHidden(s string) string { return sanitize(plainLineEnds(s), true) }

// plainLineEnds makes the line ends of a text that ends all its lines in CRLF plain.
func plainLineEnds(s string) string {
	if n := strings.Count(s, "\r\n"); n > 0 && n == strings.Count(s, "\n") {
		return strings.ReplaceAll(s, "\r\n", "\n")
	}
	return s
}

// SanitizeLine is Sanitize for one line: line ends and tabs become single
// spaces.
func SanitizeLine(s string) string {
	s = sanitize(s, false)
	if !strings.ContainsAny(s, "\n\t") {
		return s
	}
	return strings.NewReplacer("\n", " ", "\t", " ").Replace(s)
}

// HasHiddenChars reports whether s holds anything that SanitizeShowHidden shows as a
// token: control, bidirectional, invisible or tag characters. Whoever asks for
// consent to such a text must warn.
func HasHiddenChars(s string) bool {
	s = strings.ReplaceAll(strings.ToValidUTF8(plainLineEnds(s), "\ufffd"), "\t", " ")
	return sanitize(s, true) != s
}

// sanitize does the work of Sanitize and, with visible, of SanitizeShowHidden.
func sanitize(s string, visible bool) string {
	i := 0
	for i < len(s) && (s[i] >= 0x20 && s[i] < 0x7f || s[i] == '\n' || s[i] == '\t' && !visible) {
		i++
	}
	if i == len(s) {
		return s
	}
	var b strings.Builder
	start := 0      // of the clean text not written yet
	prev := rune(0) // the rune before i if it stays, else 0
	if i > 0 {
		prev = rune(s[i-1])
	}
	for i < len(s) {
		c := s[i]
		if c >= 0x20 && c < 0x7f || c == '\n' {
			prev = rune(c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		text, n, keep := replacement(s, i, r, n, prev, visible)
		if keep {
			prev = r
			i += n
			continue
		}
		b.WriteString(s[start:i])
		b.WriteString(text)
		prev = 0
		i += n
		start = i
	}
	if start == 0 {
		return s
	}
	b.WriteString(s[start:])
	return b.String()
}

// replacement says what becomes of the rune r of n bytes at s[i]: whether it is
// kept, and otherwise the text that stands for it and the bytes it covers.
func replacement(s string, i int, r rune, n int, prev rune, visible bool) (text string, size int, keep bool) {
	switch {
	case r == utf8.RuneError && n == 1:
		return "\ufffd", 1, false
	case r == '\t':
		if visible {
			return "    ", 1, false
		}
		return "", 1, true
	case unicode.IsControl(r):
		if visible {
			return ControlToken(r), n, false
		}
		return plainControl(s, i, r, n)
	case r >= 0xe0000 && r <= 0xe007f:
		text, size = tags(s[i:])
		return text, size, false
	case hidden(r) && !joins(prev, r, s[i+n:], visible):
		return token(r), n, false
	}
	return "", n, true
}

// plainControl is what Sanitize puts in the place of a control character.
func plainControl(s string, i int, r rune, n int) (text string, size int, keep bool) {
	switch r {
	case '\r':
		if strings.HasPrefix(s[i+1:], "\n") {
			return "", 1, false
		}
		return "\n", 1, false
	case 0x85: // NEL, the C1 form of a line end
		return "\n", n, false
	}
	return "", sequenceEnd(s, i) - i, false
}

// hidden reports whether r has no shape of its own: Unicode's format
// characters without those that are drawn, other default-ignorable code points
// (Unicode 16, DerivedCoreProperties), and the one that stands for an image.
func hidden(r rune) bool {
	if r < 0xad {
		return false
	}
	return unicode.Is(hiddenTable, r)
}

var hiddenTable = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x00ad, 0x00ad, 1},
		{0x034f, 0x034f, 1},
		{0x061c, 0x061c, 1},
		{0x115f, 0x1160, 1},
		{0x17b4, 0x17b5, 1},
		{0x180b, 0x180f, 1},
		{0x200b, 0x200f, 1},
		{0x2028, 0x202e, 1},
		{0x2060, 0x206f, 1},
		{0x3164, 0x3164, 1},
		{0xfe00, 0xfe0f, 1},
		{0xfeff, 0xfeff, 1},
		{0xffa0, 0xffa0, 1},
		{0xfff0, 0xfffb, 1},
	},
	R32: []unicode.Range32{
		{0x1bca0, 0x1bca3, 1},
		{0x1d173, 0x1d17a, 1},
		{0xe0000, 0xe0fff, 1},
		{0x10eeee, 0x10eeee, 1}, // a terminal may show an image in its place
	},
	LatinOffset: 1,
}

// joins reports whether the hidden rune r does its proper work between prev, which
// is 0 if it does not stay, and rest. With strict only emoji count.
func joins(prev, r rune, rest string, strict bool) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	switch {
	case r == 0xfe0f || r == 0xfe0e: // emoji and text presentation
		return pictographic(prev) || next == 0x20e3 && strings.ContainsRune("0123456789#*", prev)
	case r == 0x200d && (pictographic(prev) || prev == 0xfe0f):
		return pictographic(next)
	}
	return !strict && spells(prev, r, next)
}

// spells reports whether the hidden rune r is part of the spelling of a word:
// a joiner between letters, a variant of a Mongolian letter or of an ideograph.
func spells(prev, r, next rune) bool {
	switch {
	case r == 0x200c || r == 0x200d:
		return unicode.In(prev, joining...) && unicode.In(next, joining...) && !hidden(next)
	case r >= 0x180b && r <= 0x180f && r != 0x180e:
		return unicode.Is(unicode.Mongolian, prev) && unicode.IsLetter(prev)
	case r >= 0xfe00 && r <= 0xfe02 || r >= 0xe0100 && r <= 0xe01ef:
		return unicode.Is(unicode.Han, prev)
	}
	return false
}

// joining are the scripts whose spelling needs joiners inside words.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mongolian, unicode.Devanagari, unicode.Bengali,
	unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
	unicode.Malayalam, unicode.Sinhala, unicode.Myanmar, unicode.Khmer, unicode.Tibetan,
}

// pictographic reports whether r can be part of an emoji (Unicode's
// Extended_Pictographic and the skin tones, by ranges).
func pictographic(r rune) bool {
	switch {
	case r >= 0x1f000 && r <= 0x1faff, r >= 0x2600 && r <= 0x27bf, r >= 0x231a && r <= 0x23ff,
		r >= 0x2190 && r <= 0x21ff, r >= 0x25aa && r <= 0x25fe, r >= 0x2b05 && r <= 0x2b55:
		return true
	}
	switch r {
	case 0xa9, 0xae, 0x203c, 0x2049, 0x2122, 0x2139, 0x24c2, 0x2934, 0x2935, 0x3030, 0x303d, 0x3297, 0x3299:
		return true
	}
	return false
}

// token is the visible form of a character that has none.
func token(r rune) string {
	hex := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	return "⟦U+" + "0000"[min(len(hex), 4):] + hex + "⟧"
}

// tags shows the run of tag characters at the start of s, which are invisible
// copies of ASCII, as the text they spell.
func tags(s string) (text string, size int) {
	var b strings.Builder
	for size < len(s) {
		r, n := utf8.DecodeRuneInString(s[size:])
		if r < 0xe0000 || r > 0xe007f {
			break
		}
		if r >= 0xe0020 && r < 0xe007f {
			b.WriteRune(r - 0xe0000)
		}
		size += n
	}
	return "⟦TAG " + b.String() + "⟧", size
}

// controlNames are the names of the C0 controls in ASCII.
var controlNames = [...]string{
	"NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF", "VT", "FF", "CR", "SO", "SI",
	"DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
}

// ControlToken is the visible form of a control character.
func ControlToken(r rune) string {
	switch {
	case int(r) < len(controlNames):
		return "⟦" + controlNames[r] + "⟧"
	case r == 0x7f:
		return "⟦DEL⟧"
	}
	return token(r)
}

// sequenceEnd returns the end of the control function that starts at s[i]: a
// control character alone, or an escape sequence with its parameters and
// payload (ECMA-48, and the C1 controls in their UTF-8 form).
func sequenceEnd(s string, i int) int {
	if s[i] == 0x1b {
		return escapeEnd(s, i)
	}
	if s[i] != 0xc2 || i+1 == len(s) {
		return i + 1
	}
	switch s[i+1] {
	case 0x9b: // CSI
		return csiEnd(s, i+2)
	case 0x90, 0x98, 0x9d, 0x9e, 0x9f: // DCS, SOS, OSC, PM, APC
		return stringEnd(s, i+2)
	}
	return i + 2
}

func escapeEnd(s string, i int) int {
	if i+1 == len(s) {
		return i + 1
	}
	switch c := s[i+1]; {
	case c == '[':
		return csiEnd(s, i+2)
	case c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_':
		return stringEnd(s, i+2)
	case c >= 0x20 && c <= 0x2f: // intermediates, then a final byte
		j := i + 2
		for j < len(s) && s[j] >= 0x20 && s[j] <= 0x2f {
			j++
		}
		if j < len(s) && s[j] >= 0x30 && s[j] <= 0x7e {
			j++
		}
		return j
	case c >= 0x30 && c <= 0x7e:
		return i + 2
	}
	return i + 1
}

// csiEnd skips parameters and intermediates to the final byte. Anything else
// aborts the sequence, as in a terminal.
func csiEnd(s string, j int) int {
	for j < len(s) && s[j] >= 0x20 && s[j] <= 0x3f {
		j++
	}
	if j < len(s) && s[j] >= 0x40 && s[j] <= 0x7e {
		j++
	}
	return j
}

// stringEnd skips the payload of OSC, DCS, SOS, PM or APC: to ST or BEL. CAN
// and SUB abort it, another ESC ends it, and so does the end of the line: a
// terminal would swallow all that follows, which would let a text hide the rest.
func stringEnd(s string, j int) int {
	for ; j < len(s); j++ {
		switch s[j] {
		case 0x07, 0x18, 0x1a:
			return j + 1
		case '\n', '\r':
			return j
		case 0x1b:
			if strings.HasPrefix(s[j+1:], `\`) {
				return j + 2
			}
			return j
		case 0xc2:
			if strings.HasPrefix(s[j+1:], "\x9c") {
				return j + 2
			}
		}
	}
	return j
}

// SanitizeCompact makes text of any kind one safe line without blanks around it.
func SanitizeCompact(s string) string { return strings.Join(strings.Fields(SanitizeLine(s)), " ") }
