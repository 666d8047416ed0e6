package render

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/theme"
)

// TestClustersApart: in a terminal that gives every character cells of its own,
// the columns of a table stand below each other whatever emoji are in it.
func TestClustersApart(t *testing.T) {
	t.Parallel()
	emoji := []string{"👨‍👩‍👧", "👍🏽", "❤️", "🏳️‍🌈", "👩🏽‍🚀", "🙂", "☺️"}
	source := "| who | what |\n|---|---|\n"
	for _, e := range append(emoji, "é") {
		if got := apart(e); Width(got) != ansi.StringWidthWc(got) {
			t.Errorf("%q is %q, %d cells here and %d there", e, got, Width(got), ansi.StringWidthWc(got))
		}
	}
	if joined := "क\u094d\u200dष"; apart(joined) != joined { // letters keep their form
		t.Errorf("%q is %q", joined, apart(joined))
	}
	for _, e := range emoji {
		source += "| " + e + " | x |\n"
	}
	for _, c := range []struct {
		th    *theme.Theme
		width func(string) int
	}{
		{theme.Plain(theme.Apart()), ansi.StringWidthWc},
		{theme.Plain(), ansi.StringWidth},
	} {
		at := 0
		for _, l := range DrawBlock(Block{Kind: Prose, Source: source}, 60, c.th)[2:] {
			before, _, _ := strings.Cut(ansi.Strip(l), "x")
			if n := c.width(before); at != 0 && n != at {
				t.Errorf("the second column is at %d, not %d: %q", n, at, l)
			} else {
				at = n
			}
		}
	}
}
