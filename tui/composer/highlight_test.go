package composer

import (
	"strings"
	"testing"

	"parley/theme"
)

func TestHighlight(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line  string
		first bool
		want  string
	}{
		{"", true, ""},
		{"see @a.go and #12", true, "link:@a.go link:#12"},
		{"#1 @a, (#2)", false, "link:#1 link:@a link:#2"},
		{"a#1 #x #1a #1_ &#39; ##1 #1234567890", false, ""},
		{"@a#1", false, "link:@a#1"},
		{"/model gpt @a", true, "mention:/model link:@a"},
		{"/model", false, ""},
		{"/", true, ""},
		{"/etc/hosts is", true, ""},
		{"/mcp:list", true, "mention:/mcp:list"},
		{" /model", true, ""},
		{"!git log @{u} #1", true, "mention:!"},
		{"!git", false, ""},
		{`@"two words":10 x`, false, `link:@"two words":10`},
	} {
		var got []string
		for _, s := range highlight(c.line, c.first) {
			got = append(got, s.Token.String()+":"+c.line[s.From:s.To])
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: got %q, want %q", c.line, got, c.want)
		}
		checkSpans(t, c.line)
	}
}

// checkSpans fails unless the spans of a line are in it, in order and apart.
func checkSpans(t *testing.T, line string) {
	t.Helper()
	for _, first := range []bool{false, true} {
		last := 0
		for _, s := range highlight(line, first) {
			if s.From < last || s.To <= s.From || s.To > len(line) || s.Token == theme.Text {
				t.Fatalf("%q: span %+v", line, s)
			}
			last = s.To
		}
	}
}

func FuzzHighlight(f *testing.F) {
	for _, seed := range []string{"@a.go:10-20", `@"a\"b\n":3`, "a@b @c, (@d) #12", "@\xff @\"", "看@x，"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { checkSpans(t, text) })
}

// TestHighlightTakesLinearTime would not end if it took the square of it.
func TestHighlightTakesLinearTime(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"@", "@a", `@"`, "@)", "(@(", "@ ", "#", "#1", "@a)]}", ")"} {
		highlight("@"+strings.Repeat(piece, 500_000), false)
	}
}
