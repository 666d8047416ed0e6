package text

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/render/text/texttest"
	"parley/theme"
)

// reveal is output in the form of goldens; the role of plain output stays bare.
func reveal(lines [][]Span) []string {
	out := make([]string, 0, len(lines))
	for _, l := range lines {
		s := theme.Reveal(DrawSpans(l, theme.Probe()))
		out = append(out, strings.NewReplacer("[output]", "", "[/]", "/").Replace(s))
	}
	return out
}

func TestToolOutput(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"empty", "", []string{}},
		{"lines", "a\nb\n", []string{"a/", "b/"}},
		{"empty line", "a\n\nb", []string{"a/", "", "b/"}},
		{"colours", "\x1b[31mred\x1b[32mgreen\x1b[33myellow\x1b[39mplain", []string{"[error]red/[success]green/[warning]yellow/plain/"}},
		{"bright", "\x1b[91mred\x1b[90mgrey", []string{"[error]red/[dim]grey/"}},
		{"attributes", "\x1b[1mb\x1b[22m\x1b[2md\x1b[22m\x1b[3mi\x1b[23mx", []string{"[strong-text]b/[dim]d/[emphasis]i/x/"}},
		{"over lines", "\x1b[31ma\nb\x1b[m\nc", []string{"[error]a/", "[error]b/", "c/"}},
		{"256", "\x1b[38;5;9mr\x1b[38;5;46mg\x1b[38;5;240md\x1b[38;5;15mw", []string{"[error]r/[success]g/[dim]d/w/"}},
		{"24 bit", "\x1b[38;2;255;80;80mr\x1b[38:2::80:200:80mg", []string{"[error]r/[success]g/"}},
		{"extended among others", "\x1b[1;38;5;9;4mr\x1b[48;5;9;32mg", []string{"[error]r/[success]g/"}},
		{"concealed is shown", "\x1b[8mhidden\x1b[28m", []string{"hidden/"}},
		{"private", "\x1b[>4;2mx\x1b[?25ly", []string{"xy/"}},
		{"other sequences", "\x1b[2Ja\x1b]0;t\ab\x1b[Hc\x1bPx\x1b\\d", []string{"abcd/"}},
		{"progress", " 10%\r 50%\r100%\n", []string{"100%/"}},
		{"shorter overwrite", "abcdef\rxy", []string{"xycdef/"}},
		{"erase", "abcdef\rxy\x1b[K", []string{"xy/"}},
		{"erase all", "abc\x1b[2K\rx", []string{"x/"}},
		{"backspace", "abc\b\bX", []string{"aXc/"}},
		{"spinner", "|\b/\b-\b", []string{"-/"}},
		{"crlf", "a\r\nb\r\n", []string{"a/", "b/"}},
		{"overwrite half of a wide one", "日本\r a", []string{" a本/"}},
		{"overwrite with a wide one", "abcd\r日", []string{"日cd/"}},
		{"coloured progress", "\x1b[32m10\x1b[m\r\x1b[32m20\x1b[m%", []string{"[success]20/%/"}},
		{"mark without a character", "\u20e3\n\r\u20e3", []string{" \u20e3/", " \u20e3/"}},
		{"sequence ends with its line", "\x1bPab\rc\nd", []string{"c/", "d/"}},
		{"hidden", "a\u202eb", []string{"a⟦U+202E⟧b/"}},
		{"tab", "ab\tc\rX", []string{"Xb  c/"}},
	} {
		if got := reveal(ToolOutput(c.in)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q gives %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

// TestOutputProperties: output is safe.
func TestOutputProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := texttest.Untrusted(t)
		for _, l := range ToolOutput(s) {
			for _, span := range l {
				if strings.Contains(span.Text, "\n") {
					t.Fatalf("line end in %q", span.Text)
				}
				texttest.CheckSafe(t, span.Text, true)
			}
		}
	})
}

func BenchmarkToolOutput(b *testing.B) {
	for name, s := range map[string]string{
		"plain":    strings.Repeat("ok  \tparley/render\t0.244s\n", 4000),
		"coloured": strings.Repeat("\x1b[32mok\x1b[m  parley/render\t\x1b[2m0.244s\x1b[m\n", 2500),
		"progress": strings.Repeat("\r\x1b[K 12.5 MB of 99.1 MB", 4000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				ToolOutput(s)
			}
		})
	}
}
