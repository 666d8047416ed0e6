package text

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestHiddenIsWhatUnicodeDoesNotDraw: format characters, separators of lines, what
// a font may ignore and selectors are hidden, but for signs that stand around
// others and are drawn.
func TestHiddenIsWhatUnicodeDoesNotDraw(t *testing.T) {
	t.Parallel()
	for r := rune(0); r <= utf8.MaxRune; r++ {
		want := unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) &&
			!unicode.In(r, unicode.Prepended_Concatenation_Mark, unicode.Egyptian_Hieroglyphs) ||
			r == 0x10eeee // a placeholder for an image
		if got := hidden(r); got != want {
			t.Errorf("%U: hidden %v, want %v", r, got, want)
		}
	}
}

// TestNoPlaceForControls: characters that change the order of others, break lines or
// are only invisible have no proper work after any character, and are always shown.
func TestNoPlaceForControls(t *testing.T) {
	t.Parallel()
	controls := []rune{0x00ad, 0x180e, 0x200b, 0x2028, 0x2029, 0x2060, 0x2064, 0x3164, 0xfeff, 0xfe03, 0xe01f0, 0x10eeee}
	for r := rune(0); r < 0x3000; r++ {
		if unicode.Is(unicode.Bidi_Control, r) {
			controls = append(controls, r)
		}
	}
	for _, r := range controls {
		for _, around := range []string{"", "a", "1", "葛", "ᠠ", "क", "ا", "👩", "❤\ufe0f"} {
			in, want := around+string(r)+around, fmt.Sprintf("%s⟦U+%04X⟧%s", around, r, around)
			if got := Sanitize(in); got != want {
				t.Errorf("Sanitize(%q) = %q", in, got)
			}
			if got := SanitizeShowHidden(in); got != want {
				t.Errorf("SanitizeShowHidden(%q) = %q", in, got)
			}
			if !HasHiddenChars(in) {
				t.Errorf("%q is not deceptive", in)
			}
		}
	}
}

// TestSpelling: Sanitize leaves alone what the spelling of a word needs, and
// nothing that only looks like it.
func TestSpelling(t *testing.T) {
	t.Parallel()
	kept := []string{
		"ᠠ\u180bᠠ", "ᠠ\u180c", "ᠠ\u180d", "ᠠ\u180f", "葛\ufe00", "葛\ufe01", "葛\ufe02", "葛\U000E0100", "葛\U000E01EF",
		"❤\ufe0e", "❤\ufe0f\u200d🔥", "👩\u200d👧",
	}
	for _, letter := range []string{ // one of each script with joiners in words
		"ا", "ܐ", "ߊ", "ᠠ", "क", "ক", "ਕ", "ક", "କ", "க", "క", "ಕ", "ക", "ක", "က", "ក", "ཀ",
	} {
		kept = append(kept, letter+"\u200c"+letter, letter+"\u200d"+letter)
	}
	for _, key := range "0123456789#*" {
		kept = append(kept, string(key)+"\ufe0f\u20e3")
	}
	for _, s := range kept {
		if got := Sanitize(s); got != s {
			t.Errorf("Sanitize(%q) = %q", s, got)
		}
	}
	for in, want := range map[string]string{
		"ا\u200ca":          "ا⟦U+200C⟧a",
		"a\u200cا":          "a⟦U+200C⟧ا",
		"ا\u200d":           "ا⟦U+200D⟧",
		"\u200dا":           "⟦U+200D⟧ا",
		"👩\u200da":          "👩⟦U+200D⟧a",
		"👩\u200d":           "👩⟦U+200D⟧",
		"a\u200d👩":          "a⟦U+200D⟧👩",
		"᠐\u180b":           "᠐⟦U+180B⟧", // a digit has no variants
		"a\u180b":           "a⟦U+180B⟧",
		"a\ufe00":           "a⟦U+FE00⟧",
		"a\U000E0100":       "a⟦U+E0100⟧",
		"葛\U000E00FF":       "葛⟦U+E00FF⟧", // in front of the selectors
		"葛\ufe0f":           "葛⟦U+FE0F⟧",
		"a\ufe0f\u20e3":     "a⟦U+FE0F⟧\u20e3",
		"1\ufe0e":           "1⟦U+FE0E⟧",
		"\ufe0f\u20e3":      "⟦U+FE0F⟧\u20e3",
		"é\u200dé":          "é⟦U+200D⟧é",
		"👩\u200d\u200d👩":    "👩⟦U+200D⟧⟦U+200D⟧👩",
		"葛\ufe00\U000E0100": "葛\ufe00⟦U+E0100⟧",
	} {
		if got := Sanitize(in); got != want {
			t.Errorf("Sanitize(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestImages: a selector stays behind the signs that Unicode gives two forms, and
// in the blocks of emoji, and nowhere else.
func TestImages(t *testing.T) {
	t.Parallel()
	images := map[rune]bool{}
	for _, r := range "©®‼⁉™ℹⓂ⤴⤵〰〽㊗㊙" {
		images[r] = true
	}
	for _, block := range [][2]rune{ // arrows, technical, geometric shapes, symbols and dingbats, more arrows, the emoji plane
		{0x2190, 0x21ff}, {0x231a, 0x23ff}, {0x25aa, 0x25fe}, {0x2600, 0x27bf}, {0x2b05, 0x2b55}, {0x1f000, 0x1faff},
	} {
		for r := block[0]; r <= block[1]; r++ {
			images[r] = true
		}
	}
	for r := rune(0xa0); r < 0x20000; r++ {
		if hidden(r) {
			continue
		}
		in := string(r) + "\ufe0f"
		if kept := SanitizeShowHidden(in) == in; kept != images[r] {
			t.Errorf("%q (%U) with a selector: kept %v", in, r, kept)
		}
	}
}

// TestControlNames: a control character that is shown has the name that ASCII gives
// it, and one behind ASCII its number.
func TestControlNames(t *testing.T) {
	t.Parallel()
	names := strings.Fields("NUL SOH STX ETX EOT ENQ ACK BEL BS - - VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US")
	for r := rune(0); r < 0xa0; r++ {
		want := string(r)
		switch {
		case r == '\t':
			want = "    "
		case r < 0x20 && r != '\n':
			want = "⟦" + names[r] + "⟧"
		case r == 0x7f:
			want = "⟦DEL⟧"
		case r >= 0x80:
			want = fmt.Sprintf("⟦U+%04X⟧", r)
		}
		if got := SanitizeShowHidden("a" + string(r) + "b"); got != "a"+want+"b" {
			t.Errorf("%U is %q", r, got)
		}
		if got, want := HasHiddenChars("a"+string(r)+"b"), strings.Contains(want, "⟦"); got != want {
			t.Errorf("%U: deceptive %v", r, got)
		}
	}
}

// TestSequences: each byte behind ESC, CSI and an intermediate has the part that
// ECMA-48 gives it, so that exactly the sequence goes.
func TestSequences(t *testing.T) {
	t.Parallel()
	// What is left of c and "5x" behind each start, by what c is there.
	const ends, intermediate, continues = "5x", "x", ""
	for c := byte(0x20); c < 0x7f; c++ {
		escape, csi, charset := ends, ends, ends
		switch {
		case strings.IndexByte("[]PX^_", c) >= 0: // CSI, or a string that ends with the line
			escape = continues
		case c < 0x30:
			escape, charset = intermediate, intermediate
		}
		if c < 0x40 { // a parameter or an intermediate
			csi = continues
		}
		for start, left := range map[string]string{
			"\x1b": escape, "\x1b[": csi, "\u009b": csi, "\x1b[1;": csi, "\x1b(": charset, "\x1b]": continues, "\u009d": continues,
		} {
			in, want := "a"+start+string(c)+"5x\nb", "a"+left+"\nb"
			if got := Sanitize(in); got != want {
				t.Errorf("Sanitize(%q) = %q, want %q", in, got, want)
			}
		}
	}
	for in, want := range map[string]string{
		"a\x1b":                          "a", // nothing comes behind
		"a\x1b[":                         "a",
		"a\x1b[3":                        "a",
		"a\x1b(":                         "a",
		"a\x1b]0;x":                      "a",
		"a\u009b":                        "a",
		"a\u009d":                        "a",
		"a\x1bé":                         "aé", // no byte of a sequence
		"a\x1b[é":                        "aé",
		"a\x1b(é":                        "aé",
		"a\x1b\x7fb":                     "ab",
		"a\x1b]x\ab":                     "ab", // each end of a string
		"a\x1b]x\x18b":                   "ab",
		"a\x1b]x\x1ab":                   "ab",
		"a\x1b]x\x1b\\b":                 "ab",
		"a\x1b]x\u009cb":                 "ab",
		"a\x1b]xÂ\u0085b\u009cc":         "ac", // in a string only ST ends it
		"a\x1b]x\x1b[1mb":                "ab", // another sequence
		"a\x1b]x\nb":                     "a\nb",
		"a\x1b]x\rb":                     "a\nb",
		"a\u0090x\u009cb":                "ab", // DCS, SOS, OSC, PM, APC
		"a\u0098x\u009cb":                "ab",
		"a\u009dx\u009cb":                "ab",
		"a\u009ex\u009cb":                "ab",
		"a\u009fx\u009cb":                "ab",
		"a\u0080x\u0084x\u008dx":         "axxx", // others have no payload
		"a\u0091x\u0097x\u0099x":         "axxx",
		"a\u009ax\u009cx":                "axx",
		"a\u0090\u009cb":                 "ab", // nothing in a string
		"a\x1b]\ab":                      "ab",
		"a\x1b[3\x1f1mb":                 "a1mb", // a control in a sequence ends it
		"a\x1b(\x1f0b":                   "a0b",
		"a\x1b]x\x1b":                    "a", // each start of another sequence in a string
		"a\x1b]x\x1b[\\b":                "ab",
		"\U000E0001\U000E0065\U000E007E": "⟦TAG e~⟧",
		"a\U000DFFFFb":                   "a\U000DFFFFb", // in front of the tags
		"\U000E0041\U000DFFFFb":          "⟦TAG A⟧\U000DFFFFb",
		"\U000E001F\U000E0041":           "⟦TAG A⟧", // no copy of a control character
		"a\U000E007Fb":                   "a⟦TAG ⟧b",
		"\U000E0000\U000E0020\U000E0080": "⟦TAG  ⟧⟦U+E0080⟧",
		"a\U000E0041b\U000E0042":         "a⟦TAG A⟧b⟦TAG B⟧",
	} {
		if got := Sanitize(in); got != want {
			t.Errorf("Sanitize(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestSequenceEnd: a control function goes as far as ECMA-48 has it go: its final byte,
// or what ends its string, is a part of it, and a byte that it cannot have is none.
func TestSequenceEnd(t *testing.T) {
	t.Parallel()
	const alone, with, continues = 0, 1, 2 // how much of c and "x" belongs to the start before them
	for c := byte(0); c < 0x80; c++ {
		escape, csi, charset, text := alone, alone, alone, continues
		switch {
		case c < 0x20 || c == 0x7f:
		case c < 0x30:
			escape, csi, charset = continues, continues, continues
		case c < 0x40:
			escape, csi, charset = with, continues, with
		default:
			escape, csi, charset = with, with, with
		}
		switch {
		case strings.IndexByte("[]PX^_", c) >= 0:
			escape = continues
		case strings.IndexByte("\a\x18\x1a", c) >= 0:
			text = with
		case strings.IndexByte("\n\r\x1b", c) >= 0:
			text = alone
		}
		for start, size := range map[string]int{
			"\x1b": escape, "\x1b[": csi, "\u009b": csi, "\x1b[1;": csi, "\x1b[ ": csi, "\x1b(": charset,
			"\x1b]": text, "\x1bP": text, "\x1bX": text, "\x1b^": text, "\x1b_": text, "\x1b]0;": text,
			"\u0090": text, "\u0098": text, "\u009d": text, "\u009e": text, "\u009f": text,
		} {
			if got := sequenceEnd("é"+start+string(c)+"x", 2) - len("é"+start); got != size {
				t.Errorf("%q: %d bytes behind %q belong to it, want %d", string(c)+"x", got, start, size)
			}
		}
	}
	for _, c := range []struct{ sequence, rest string }{
		{"\x1b", ""}, // nothing comes behind
		{"\x1b[", ""},
		{"\x1b[3", ""},
		{"\x1b(", ""},
		{"\x1b]x", ""},
		{"\u009b", ""},
		{"\u009d", ""},
		{"\a", "x"}, // a control character alone
		{"\x7f", "x"},
		{"\u0085", "x"},
		{"\u009c", "x"},
		{"\x1b]x\x1b\\", "y"}, // ST in both forms
		{"\x1b]\x1b\\", "y"},
		{"\u0090x\x1b\\", "y"},
		{"\x1b]x\u009c", "y"},
		{"\u0090\u009c", "y"},
		{"\x1b]x\u0085\u071c\u009c", "y"}, // nothing else with a byte of it
		{"\x1b]x", "\x1b"},                // another sequence
		{"\x1b]x", "\x1b[\\"},
		{"\x1b]x", "\x1bc\x1b\\"},
	} {
		if got := sequenceEnd(c.sequence+c.rest, 0); got != len(c.sequence) {
			t.Errorf("%q and %q: it ends at %d, want %d", c.sequence, c.rest, got, len(c.sequence))
		}
	}
}
