package text

import (
	"regexp"
	"strings"
	"testing"

	"parley/theme"
)

// finder finds the matches of an expression.
func finder(expr string) func(string) [][2]int {
	return func(plain string) (spans [][2]int) {
		for _, s := range regexp.MustCompile(expr).FindAllStringIndex(plain, -1) {
			spans = append(spans, [2]int{s[0], s[1]})
		}
		return spans
	}
}

// TestHighlight: marks begin and end where they should, over whatever styles.
func TestHighlight(t *testing.T) {
	t.Parallel()
	th := theme.Probe()
	draw := func(tok theme.Token, s string) string { return th.Render(tok, s) }
	for _, c := range []struct{ name, line, expr, want string }{
		{"plain", "one two one", "one", "[match]one[/] two [match]one[/]"},
		{"nothing", draw(theme.Dim, "one"), "two", "[dim]one[/]"},
		{"inside a style", draw(theme.Dim, "one two three"), "two", "[dim]one [match]two[dim] three[/]"},
		{"over two styles", draw(theme.Dim, "one") + draw(theme.Error, "two"), "et", "[dim]on[match]et[error]wo[/]"},
		{"at the end", draw(theme.Dim, "one two"), "two", "[dim]one [match]two[/]"},
		{"neighbours", "aabb", "a", "[match]aa[/]bb"},
		{"half a letter", "e\u0301a", "e", "[match]e\u0301[/]a"},
		{"family", "👩\u200d👩\u200d👧x", "\u200d", "[match]👩\u200d👩\u200d👧[/]x"},
		{"an empty match", "abc", "x*", "abc"},
		{"empty", "", "a", ""},
	} {
		got := theme.Reveal(Highlight(c.line, finder(c.expr), theme.Match, th))
		if strings.ReplaceAll(got, "[/][", "[") != strings.ReplaceAll(c.want, "[/][", "[") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	link := "\x1b]8;;https://example.com\x1b\\the page\x1b]8;;\x1b\\"
	if got := Highlight(link, finder("page"), theme.Match, theme.Dark()); strings.Count(got, "\x1b]8;") != 2 || Unstyled(got) != "the page" {
		t.Errorf("the link is gone: %q", got)
	}
	if got := Highlight("a b", finder("b"), theme.Match, theme.Plain()); got != "a b" {
		t.Errorf("without styles: %q", got)
	}
	twice := Highlight(Highlight("a b a", finder("a"), theme.Match, th), func(string) [][2]int { return [][2]int{{4, 5}} }, theme.MatchNow, th)
	if got, want := theme.Reveal(twice), "[match]a[/] b [match-now]a[/]"; got != want {
		t.Errorf("the present match: %q, want %q", got, want)
	}
}

// TestHighlightKeepsBold: a style that says nothing of what the mark sets goes
// on under it, and the line's own style comes back after it.
func TestHighlightKeepsBold(t *testing.T) {
	t.Parallel()
	th := theme.Dark()
	on, off, _ := strings.Cut(th.Render(theme.Match, "x"), "x")
	got := Highlight("\x1b[1mone two\x1b[m three", finder("two"), theme.Match, th)
	if want := "\x1b[1mone " + on + "two\x1b[m" + on + off + " three"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	got = Highlight("\x1b[1mone two three\x1b[m", finder("two"), theme.Match, th)
	if want := "\x1b[1mone " + on + "two" + off + "\x1b[1m three\x1b[m"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// FuzzHighlight: whatever is marked, the text and its width stay.
func FuzzHighlight(f *testing.F) {
	for _, text := range []string{"a", "one two", "e\u0301\u0301", "👩\u200d👩\u200d👧", "🇳🇴🇳🇴🇳", "日本語", "\u200b\u202e", "a\x80b", "क्षि"} {
		f.Add(text, 1, 3, 2)
		f.Add(text+text, 0, 2, 5)
	}
	th := theme.Dark()
	f.Fuzz(func(t *testing.T, text string, from, to, cut int) {
		text = SanitizeLine(text)
		cut = min(max(cut, 0), len(text))
		line := text[:cut] + th.Render(theme.Error, text[cut:])
		if cut%2 == 0 {
			line = th.Render(theme.Dim, text[:cut]) + text[cut:]
		}
		from = min(max(from, 0), len(text))
		to = min(max(to, from), len(text))
		spans := [][2]int{{from, to}, {to, min(to+1, len(text))}}
		got := Highlight(line, func(plain string) [][2]int {
			if plain != text {
				t.Fatalf("%q is given as %q", text, plain)
			}
			return spans
		}, theme.Match, th)
		if Unstyled(got) != text {
			t.Fatalf("%q became %q", text, Unstyled(got))
		}
		if Width(got) != Width(line) {
			t.Fatalf("%q: width %d became %d", line, Width(line), Width(got))
		}
		marked := Highlight(got, func(string) [][2]int { return spans[:1] }, theme.MatchNow, th)
		if Unstyled(marked) != text || Width(marked) != Width(line) {
			t.Fatalf("marked twice: %q", marked)
		}
	})
}
