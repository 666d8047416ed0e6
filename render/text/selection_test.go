package text

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/theme"
)

// TestExcerpt: what is selected comes back in the words of the source.
func TestExcerpt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, source string
		lines        []string
		from, to     Cell
		want         string
	}{
		{"a wrapped line", "one two three", []string{"  one two", "  three"}, Cell{0, 6}, Cell{1, 7}, "two three"},
		{"its second row alone", "one two three", []string{"  one two", "  three"}, Cell{1, 0}, Cell{1, 99}, "three"},
		{"the source's own ends", "one\ntwo", []string{"  one", "  two"}, Cell{0, 2}, Cell{1, 5}, "one\ntwo"},
		{"marks around a word", "a **b** c", []string{"  a b c"}, Cell{0, 4}, Cell{0, 5}, "b"},
		{"marks inside", "a **b** c", []string{"  a b c"}, Cell{0, 2}, Cell{0, 7}, "a **b** c"},
		{"marks at the edge", "**b** c", []string{"  b c"}, Cell{0, 0}, Cell{0, 3}, "**b"},
		{"the end of a mark", "c **b**", []string{"  c b"}, Cell{0, 0}, Cell{0, 9}, "c **b**"},
		{"a bullet", "- one\n- two", []string{"  • one", "  • two"}, Cell{0, 0}, Cell{1, 9}, "- one\n- two"},
		{"a quotation", "> one two", []string{"  │ one", "  │ two"}, Cell{0, 0}, Cell{1, 9}, "> one two"},
		{"a tab", "\tif x {\n\t\ty()", []string{"      if x {", "          y()"}, Cell{0, 2}, Cell{1, 13}, "\tif x {\n\t\ty()"},
		{"from the letter on", "\tif x {", []string{"      if x {"}, Cell{0, 6}, Cell{0, 12}, "if x {"},
		{"a bar and a time", "one two", []string{"▌ one                 10:41", "▌ two                      "}, Cell{0, 0}, Cell{1, 27}, "one two"},
		{"wide letters", "漢字を含む", []string{"  漢字", "  を含む"}, Cell{0, 4}, Cell{1, 4}, "字を"},
		{"half a wide letter", "漢字", []string{"  漢字"}, Cell{0, 2}, Cell{0, 3}, "漢"},
		{"no source", "", []string{"✓ read    a.go      0.1 s"}, Cell{0, 0}, Cell{0, 16}, "read    a.go"},
		{"another source", "something else entirely, and no more", []string{"  1234567890"}, Cell{0, 0}, Cell{0, 99}, "1234567890"},
		{"styled", "a **b** c", []string{"  a \x1b[1mb\x1b[m c"}, Cell{0, 4}, Cell{0, 7}, "b** c"},
		{"nothing", "one", []string{"  one"}, Cell{0, 9}, Cell{0, 12}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := Excerpt(c.source, c.lines, c.from, c.to); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// FuzzExcerpt: whatever is drawn beside whatever source, an excerpt is of the one
// or of the other, and ends.
func FuzzExcerpt(f *testing.F) {
	f.Add("one two", "  one\n  two", 0, 2, 1, 5)
	f.Add("**", "\x1b]8;;x\x1b\\⟦U+202E⟧", -1, 3, 9, 1)
	f.Fuzz(func(t *testing.T, source, drawn string, line, column, toLine, toColumn int) {
		lines := strings.Split(drawn, "\n")
		from, to := Cell{max(0, line), column}, Cell{toLine, toColumn}
		got := Excerpt(source, lines, from, to)
		if !strings.Contains(source, got) && len(got) > len(drawn) {
			t.Errorf("%q is of neither", got)
		}
		first, last := SourceLine(source, lines, max(0, min(line, len(lines)-1)))
		if first < 0 || last >= len(lines) || first > last {
			t.Errorf("lines %d to %d of %d", first, last, len(lines))
		}
		if a, b := Word(lines[0], column); a > b {
			t.Errorf("a word from %d to %d", a, b)
		}
	})
}

// Texts that are not alike are not compared for ever.
func TestAlignIsBounded(t *testing.T) {
	t.Parallel()
	drawn, source := drawnGlyphs([]string{strings.Repeat("ab", 500_000)}), sourceGlyphs(strings.Repeat("ac", 500_000))
	found := 0
	for _, at := range align(drawn, source) {
		if at >= 0 {
			found++
		}
	}
	if found > alignWork/1000 {
		t.Errorf("%d of %d characters have a place", found, len(drawn))
	}
}

// TestPaint: a painted line says the same in the same cells, and its other styles
// continue after what is painted.
func TestPaint(t *testing.T) {
	t.Parallel()
	th := theme.Mono()
	for _, c := range []struct {
		line     string
		from, to int
		want     string
	}{
		{"abcdef", 2, 4, "ab" + th.Render(theme.Selected, "cd") + "ef"},
		{"abc", 0, 99, th.Render(theme.Selected, "abc")},
		{"abc", 5, 9, "abc"},
		{"abc", 2, 2, "abc"},
		{"a漢b", 2, 3, "a" + th.Render(theme.Selected, "漢") + "b"},
		{"\x1b[1mabc\x1b[md", 1, 2, "\x1b[1ma\x1b[m" + th.Render(theme.Selected, "b") + "\x1b[1mc\x1b[md"},
		{"\x1b[1mab\x1b[mcd", 1, 3, "\x1b[1ma\x1b[m" + th.Render(theme.Selected, "bc") + "d"},
	} {
		if got := Paint(c.line, c.from, c.to, theme.Selected, th); got != c.want {
			t.Errorf("%q from %d to %d: %q, want %q", c.line, c.from, c.to, got, c.want)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		line := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"a", "漢", "e\u0301", "👩‍👩‍👧", " ", "\x1b[1m", "\x1b[m", "\x1b[38;5;3m", "\x1b]8;;https://x.y\x1b\\", CloseLink})).Draw(rt, "line"), "")
		line = closed([]string{line}, false)[0]
		got := Paint(line, rapid.IntRange(-1, 20).Draw(rt, "from"), rapid.IntRange(-1, 20).Draw(rt, "to"), theme.Selected, th)
		bare := func(s string) (text string) {
			eachCell(s, func(cluster string, _, _ int) { text += cluster })
			return text
		}
		if Width(got) != Width(line) || bare(got) != bare(line) {
			rt.Fatalf("%q became %q", line, got)
		}
	})
}
