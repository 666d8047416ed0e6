package panel

import (
	"strings"
	"testing"

	"parley/render/text"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"parley/theme"
)

// TestBar: a bar has as many cells as it is given, its full part is the share, and
// anything above nothing fills a cell.
func TestBar(t *testing.T) {
	t.Parallel()
	th := theme.Plain()
	rapid.Check(t, func(t *rapid.T) {
		width, whole := rapid.IntRange(1, 200).Draw(t, "width"), rapid.IntRange(1, 2_000_000).Draw(t, "whole")
		part := rapid.IntRange(0, 2*whole).Draw(t, "part")
		bar := ansi.Strip(DrawBar(th, part, whole, width))
		full := strings.Count(bar, th.Glyph(theme.MarkBar))
		if want := min(width, (part*width+whole-1)/whole); text.Width(bar) != width || full != want {
			t.Fatalf("%d of %d in %d cells: %q, %d full, want %d", part, whole, width, bar, full, want)
		}
	})
	if got := DrawBar(th, 1, 0, 9); got != "" {
		t.Errorf("a share of nothing: %q", got)
	}
}
