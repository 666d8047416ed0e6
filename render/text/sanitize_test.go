package text

import (
	"strings"
	"testing"
	"unsafe"

	"parley/render/text/texttest"

	"pgregory.net/rapid"
)

func TestSanitize(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, shown, visible string }{
		{"clean", "plain\ttext\n", "plain\ttext\n", "plain    text\n"},
		{"colour", "\x1b[31mred\x1b[0m", "red", "⟦ESC⟧[31mred⟦ESC⟧[0m"},
		{"cursor", "\x1b[2Jx\x1b[Hy", "xy", "⟦ESC⟧[2Jx⟦ESC⟧[Hy"},
		{"title", "\x1b]0;pwn\ax", "x", "⟦ESC⟧]0;pwn⟦BEL⟧x"},
		{"clipboard", "\x1b]52;c;AAAA\x1b\\y", "y", "⟦ESC⟧]52;c;AAAA⟦ESC⟧\\y"},
		{"link", "\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "link", "⟦ESC⟧]8;;http://evil⟦ESC⟧\\link⟦ESC⟧]8;;⟦ESC⟧\\"},
		{"sixel", "\x1bPq#0\x1b\\x", "x", "⟦ESC⟧Pq#0⟦ESC⟧\\x"},
		{"apc pm sos", "\x1b_a\x1b\\x\x1b^p\x1b\\y\x1bXs\x1b\\z", "xyz", "⟦ESC⟧_a⟦ESC⟧\\x⟦ESC⟧^p⟦ESC⟧\\y⟦ESC⟧Xs⟦ESC⟧\\z"},
		{"charset", "\x1b(0lqk\x1b(B", "lqk", "⟦ESC⟧(0lqk⟦ESC⟧(B"},
		{"full reset", "\x1bcreset", "reset", "⟦ESC⟧creset"},
		{"aborted", "a\x1b[31\x1b[32mb", "ab", "a⟦ESC⟧[31⟦ESC⟧[32mb"},
		{"not terminated", "a\x1b]0;b\nc", "a\nc", "a⟦ESC⟧]0;b\nc"},
		{"lone", "x\x1b", "x", "x⟦ESC⟧"},
		{"c1 csi", "a\u009b31mb", "ab", "a⟦U+009B⟧31mb"},
		{"c1 osc", "a\u009d0;x\u009cb", "ab", "a⟦U+009D⟧0;x⟦U+009C⟧b"},
		{"c1 bytes", "a\x9b31m", "a\ufffd31m", "a\ufffd31m"},
		{"c0", "bell\abs\bx\x00y\x7f", "bellbsxy", "bell⟦BEL⟧bs⟦BS⟧x⟦NUL⟧y⟦DEL⟧"},
		{"cr", "rm -rf x\rls", "rm -rf x\nls", "rm -rf x⟦CR⟧ls"},
		{"crlf", "a\r\nb\r\n", "a\nb\n", "a\nb\n"},
		{"one crlf", "a\r\nb", "a\nb", "a\nb"},
		{"crlf mixed", "a\r\nb\n", "a\nb\n", "a⟦CR⟧\nb\n"},
		{"nel", "a\u0085b", "a\nb", "a⟦U+0085⟧b"},
		{"invalid", "\xff\xfeok", "\ufffd\ufffdok", "\ufffd\ufffdok"},
		{"bidi", "a\u202eb\u2066c\u200ed", "a⟦U+202E⟧b⟦U+2066⟧c⟦U+200E⟧d", "a⟦U+202E⟧b⟦U+2066⟧c⟦U+200E⟧d"},
		{"zero width", "a\u200bb\ufeffc\u00add", "a⟦U+200B⟧b⟦U+FEFF⟧c⟦U+00AD⟧d", "a⟦U+200B⟧b⟦U+FEFF⟧c⟦U+00AD⟧d"},
		{"separators", "a\u2028b", "a⟦U+2028⟧b", "a⟦U+2028⟧b"},
		{"fillers", "a\u3164b\u115f", "a⟦U+3164⟧b⟦U+115F⟧", "a⟦U+3164⟧b⟦U+115F⟧"},
		{"tags", "tag\U000E0052\U000E004D\U000E007Fx", "tag⟦TAG RM⟧x", "tag⟦TAG RM⟧x"},
		{"family", "👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"},
		{"heart", "❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"},
		{"keycap", "1\ufe0f\u20e3", "1\ufe0f\u20e3", "1\ufe0f\u20e3"},
		{"tone", "👍🏽\u200d♂", "👍🏽\u200d♂", "👍🏽\u200d♂"},
		{"stray joiner", "a\u200db", "a⟦U+200D⟧b", "a⟦U+200D⟧b"},
		{"stray selector", "a\ufe0f1\ufe0f", "a⟦U+FE0F⟧1⟦U+FE0F⟧", "a⟦U+FE0F⟧1⟦U+FE0F⟧"},
		{"selector behind another", "❤a\ufe0f", "❤a⟦U+FE0F⟧", "❤a⟦U+FE0F⟧"},
		{"selector twice", "❤\ufe0f\ufe0f", "❤\ufe0f⟦U+FE0F⟧", "❤\ufe0f⟦U+FE0F⟧"},
		{"smuggled selectors", "x\U000E0101\U000E0102", "x⟦U+E0101⟧⟦U+E0102⟧", "x⟦U+E0101⟧⟦U+E0102⟧"},
		{"persian", "می\u200cخواهم", "می\u200cخواهم", "می⟦U+200C⟧خواهم"},
		{"hindi", "क्\u200dष", "क्\u200dष", "क्⟦U+200D⟧ष"},
		{"ideograph", "葛\U000E0100", "葛\U000E0100", "葛⟦U+E0100⟧"},
		{"joiner before a hidden one", "ᠠ\u200c\u180b", "ᠠ⟦U+200C⟧⟦U+180B⟧", "ᠠ⟦U+200C⟧⟦U+180B⟧"},
		{"joiner after dropped", "👩\x1b[m\u200d👩", "👩⟦U+200D⟧👩", "👩⟦ESC⟧[m⟦U+200D⟧👩"},
	} {
		if got := Sanitize(c.in); got != c.shown {
			t.Errorf("%s: Sanitize(%q) = %q, want %q", c.name, c.in, got, c.shown)
		}
		if got := SanitizeShowHidden(c.in); got != c.visible {
			t.Errorf("%s: SanitizeShowHidden(%q) = %q, want %q", c.name, c.in, got, c.visible)
		}
		want := strings.ContainsRune(c.visible, '⟦')
		if got := HasHiddenChars(c.in); got != want {
			t.Errorf("%s: HasHiddenChars(%q) = %v, want %v", c.name, c.in, got, want)
		}
	}
}

func TestSanitizeLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                     "",
		"plain text":           "plain text",
		"a\r\nb\tc\x1b[2Jd\ne": "a b cd e",
		"a\x1b[1mb\u202e":      "ab⟦U+202E⟧",
		"a\tb":                 "a b",
		"a\n\nb":               "a  b",
	} {
		if got := SanitizeLine(in); got != want {
			t.Errorf("SanitizeLine(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestSanitizeCopiesNothingClean(t *testing.T) {
	t.Parallel()
	s := strings.Repeat("clean text, 日本語, 👩\u200d👩\n", 50)
	if got := Sanitize(s); unsafe.StringData(got) != unsafe.StringData(s) {
		t.Error("clean text was copied")
	}
}

func checkSanitize(tb interface{ Fatalf(string, ...any) }, s string) {
	shown := Sanitize(s)
	texttest.CheckSafe(tb, shown, true)
	if again := Sanitize(shown); again != shown {
		tb.Fatalf("not idempotent: %q, %q, %q", s, shown, again)
	}
	visible := SanitizeShowHidden(s)
	texttest.CheckSafe(tb, visible, false)
	if again := SanitizeShowHidden(visible); again != visible {
		tb.Fatalf("not idempotent when visible: %q, %q, %q", s, visible, again)
	}
	if !HasHiddenChars(s) && strings.Count(visible, "⟦") != strings.Count(s, "⟦") {
		tb.Fatalf("no warning for %q, shown as %q", s, visible)
	}
	if line := SanitizeLine(s); strings.ContainsAny(line, "\n\t") {
		tb.Fatalf("more than a line: %q", line)
	}
	var lines strings.Builder
	for line := range strings.Lines(s) {
		lines.WriteString(Sanitize(line))
	}
	if lines.String() != shown {
		tb.Fatalf("line by line %q, at once %q", lines.String(), shown)
	}
}

func TestSanitizeProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { checkSanitize(t, texttest.Untrusted(t)) })
}

func FuzzSanitize(f *testing.F) {
	for _, s := range texttest.Fragments {
		f.Add(s + "x")
	}
	f.Add("\x1b[31mx\x1b]0;a\aé\u202e\r\n\U000E0041")
	f.Fuzz(func(t *testing.T, s string) { checkSanitize(t, s) })
}

func BenchmarkSanitize(b *testing.B) {
	for name, s := range map[string]string{
		"ascii": strings.Repeat("The loop owns the single writer to the log.\n", 2300),
		"cjk":   strings.Repeat("端末の表示幅は文字ごとに異なるため、注意が必要です。\n", 1400),
		"sgr":   strings.Repeat("\x1b[1mThe loop\x1b[m owns the \x1b[38;2;200;100;50mwriter\x1b[m\n", 1600),
		"emoji": strings.Repeat("👩\u200d👩\u200d👧 ok ❤\ufe0f\n", 2700),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Sanitize(s)
			}
		})
	}
}
