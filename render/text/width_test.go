package text

import (
	"strings"
	"testing"

	"parley/theme"

	"github.com/charmbracelet/x/ansi"
)

// TestClustersApart: in a terminal that gives every character cells of its own,
// what is left of an emoji has the width that is counted.
func TestClustersApart(t *testing.T) {
	t.Parallel()
	for _, e := range []string{"👨‍👩‍👧", "👍🏽", "❤️", "🏳️‍🌈", "👩🏽‍🚀", "🙂", "☺️", "é"} {
		if got := SplitEmoji(e); Width(got) != ansi.StringWidthWc(got) {
			t.Errorf("%q is %q, %d cells here and %d there", e, got, Width(got), ansi.StringWidthWc(got))
		}
	}
	if joined := "क\u094d\u200dष"; SplitEmoji(joined) != joined { // letters keep their form
		t.Errorf("%q is %q", joined, SplitEmoji(joined))
	}
}

// TestFirstOfEmoji: every cell of a line stays where it was counted.
func TestFirstOfEmoji(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"a 👨‍👩‍👧 b": "a 👨 b", "\x1b[1m👍🏽\x1b[m|": "\x1b[1m👍\x1b[m|", "❤️|": "❤ |", "1️⃣|": "1 |", "🙂 é m\u200d": "🙂 é m\u200d", "क\u094d\u200dष": "क\u094d\u200dष",
	} {
		if got := FirstOfEmoji(s); got != want || Width(got) != Width(s) {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
}

func TestCutMiddle(t *testing.T) {
	t.Parallel()
	const path = "internal/very/deep/端末/folder/worker_test.go"
	for width := range 60 {
		got := CutMiddle(theme.Plain(), path, width)
		if Width(got) > width {
			t.Errorf("width %d: %q", width, got)
		}
		if width >= 24 && !strings.HasSuffix(got, "worker_test.go") {
			t.Errorf("width %d lost the name: %q", width, got)
		}
	}
	if got := CutMiddle(theme.Plain(), path, 100); got != path {
		t.Errorf("%q", got)
	}
}
