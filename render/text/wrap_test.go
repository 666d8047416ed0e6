package text

import (
	"slices"
	"strings"
	"testing"

	"parley/render/text/texttest"

	"pgregory.net/rapid"
)

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		in    string
		width int
		want  []string
	}{
		{"empty", "", 5, []string{""}},
		{"fits", "hello", 5, []string{"hello"}},
		{"words", "the quick brown fox", 9, []string{"the quick", "brown fox"}},
		{"long word", "a verylongword b", 5, []string{"a", "veryl", "ongwo", "rd b"}},
		{"flag stays whole", "run with --count now", 10, []string{"run with", "--count", "now"}},
		{"spaces at the wrap", "abc     def", 5, []string{"abc", "def"}},
		{"spaces inside", "a  b  c", 10, []string{"a  b  c"}},
		{"trailing", "abc   ", 10, []string{"abc"}},
		{"indentation", "    indented text", 12, []string{"    indented", "text"}},
		{"lines", "a\n\nb", 5, []string{"a", "", "b"}},
		{"tab", "a\tb", 10, []string{"a   b"}},
		{"wide", "日本語です", 4, []string{"日本", "語で", "す"}},
		{"wide odd", "日本語", 5, []string{"日本", "語"}},
		{"closing punctuation", "日本。語", 4, []string{"日", "本。", "語"}},
		{"opening punctuation", "日「本」", 4, []string{"日", "「本", "」"}},
		{"mixed", "abc日本def", 5, []string{"abc日", "本def"}},
		{"family", "👩\u200d👩\u200d👧👩\u200d👩\u200d👧", 3, []string{"👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"}},
		{"one cell", "a日b", 1, []string{"a", "?", "b"}},
		{"combining", "e\u0301e\u0301e\u0301", 2, []string{"e\u0301e\u0301", "e\u0301"}},
		{"no width", "ab", 0, []string{"a", "b"}},
		{"style continues", "\x1b[1mab cd\x1b[m ef", 2, []string{"\x1b[1mab\x1b[m", "\x1b[1mcd\x1b[m", "ef"}},
		{"no width behind blanks", "    \u0600", 3, []string{"", "\u0600"}},
		{"no width behind words", "ab    \u0600", 3, []string{"ab", "\u0600"}},
		{"token", "a b⟦ESC⟧c", 6, []string{"a b", "⟦ESC⟧c"}},
		{"wide token", "a⟦ESC⟧", 4, []string{"a⟦ES", "C⟧"}},
		{"no token", "ab⟦é⟧cd", 4, []string{"ab⟦é", "⟧cd"}},
		{"blanks before a reset", "ab   \x1b[m", 2, []string{"ab"}},
	} {
		if got := Wrap(c.in, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%s: Wrap(%q, %d) = %q, want %q", c.name, c.in, c.width, got, c.want)
		}
	}
}

func TestHardWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in    string
		width int
		want  []string
	}{
		{"", 3, []string{""}},
		{"abcdefg", 3, []string{"abc", "def", "g"}},
		{"a b c d", 3, []string{"a b", " c ", "d"}},
		{"日本語", 3, []string{"日", "本", "語"}},
		{"\ta", 3, []string{"   ", " a"}},
		{"ab⟦ESC⟧⟦BEL⟧c", 6, []string{"ab", "⟦ESC⟧", "⟦BEL⟧c"}},
		{"ab⟦ESC⟧", 4, []string{"ab⟦E", "SC⟧"}},
		{"a\n\nb", 3, []string{"a", "", "b"}},
		{"\x1b[1mabcd\x1b[m", 3, []string{"\x1b[1mabc\x1b[m", "\x1b[1md\x1b[m"}},
	} {
		if got := HardWrap(c.in, c.width); !slices.Equal(got, c.want) {
			t.Errorf("HardWrap(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
}

func TestWrapKeepBlanks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in    string
		width int
		want  []string
	}{
		{"", 3, []string{""}},
		{"the quick brown fox", 10, []string{"the quick ", "brown fox"}},
		{"the quick brown fox", 9, []string{"the ", "quick ", "brown fox"}},
		{"a verylongword b", 5, []string{"a ", "veryl", "ongwo", "rd b"}},
		{"abc     def", 5, []string{"abc  ", "   ", "def"}},
		{"      x ", 5, []string{"     ", " x "}},
		{"  indented", 6, []string{"  inde", "nted"}},
		{"    \u0600", 3, []string{"   ", " \u0600"}},
		{"日本。語", 4, []string{"日", "本。", "語"}},
		{"a b⟦ESC⟧ c", 6, []string{"a b", "⟦ESC⟧ ", "c"}},
		{"\x1b[1mab cd\x1b[m", 3, []string{"\x1b[1mab \x1b[m", "\x1b[1mcd\x1b[m"}},
	} {
		if got := WrapKeepBlanks(c.in, c.width); !slices.Equal(got, c.want) {
			t.Errorf("WrapKeepBlanks(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
}

func TestTruncate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in    string
		width int
		tail  string
		want  string
	}{
		{"hello", 5, "…", "hello"},
		{"hello!", 5, "…", "hell…"},
		{"日本語", 5, "…", "日本…"},
		{"日本語", 4, "…", "日…"},
		{"hello", 0, "…", ""},
		{"hello", 2, "...", "he"},
		{"\x1b[1mhello\x1b[m", 3, "…", "\x1b[1mhe…\x1b[m"},
	} {
		got := Truncate(c.in, c.width, c.tail)
		if got != c.want {
			t.Errorf("Truncate(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
		if Width(got) > c.width {
			t.Errorf("Truncate(%q, %d) is %d wide", c.in, c.width, Width(got))
		}
	}
}

func TestExpandTabs(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a\tb": "a   b", "\t\tx": "        x", "abcd\te": "abcd    e", "日\tb": "日  b", "a\n\tb": "a\n    b", "x": "x",
	} {
		if got := ExpandTabs(in); got != want {
			t.Errorf("ExpandTabs(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestWrapProperties: every line fits, at any width, and nothing is lost but
// blanks.
func TestWrapProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := Sanitize(texttest.Untrusted(t) + texttest.Document(t))
		width := rapid.SampledFrom([]int{1, 2, 3, 4, 7, 24, 80}).Draw(t, "width")
		check := func(name string, lines []string) {
			for _, l := range lines {
				if Width(l) > width {
					t.Fatalf("%s: %q is %d wide, not %d", name, l, Width(l), width)
				}
			}
			if width < 2 {
				return
			}
			strip := strings.NewReplacer("\n", "", "\t", "", " ", "")
			if got, want := strip.Replace(strings.Join(lines, "")), strip.Replace(s); got != want {
				t.Fatalf("%s lost text: %q, want %q", name, got, want)
			}
		}
		check("wrap", Wrap(s, width))
		for name, breaker := range map[string]func(string, int) []string{"hard": HardWrap, "whole": WrapKeepBlanks} {
			lines := breaker(s, width)
			check(name, lines)
			if got, want := strings.Join(lines, ""), strings.ReplaceAll(ExpandTabs(s), "\n", ""); width > 1 && got != want {
				t.Fatalf("%s changed text: %q, want %q", name, got, want)
			}
		}
	})
}

func BenchmarkWrap(b *testing.B) {
	for name, s := range map[string]string{
		"ascii": strings.Repeat("The loop owns the single writer to the log, so every update is in order. ", 1300),
		"cjk":   strings.Repeat("端末の表示幅は文字ごとに異なるため、折り返しの計算には注意が必要です。", 1000),
		"sgr":   strings.Repeat("\x1b[1mThe loop\x1b[m owns the \x1b[38;2;200;100;50mwriter\x1b[m to the log. ", 1500),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Wrap(s, 100)
			}
		})
	}
}
