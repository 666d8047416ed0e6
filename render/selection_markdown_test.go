package render

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/render/text"
	"parley/theme"
)

// What is drawn of any markdown comes back whole: no letter is lost and none is
// invented, at any width.
func TestExcerptOfDrawings(t *testing.T) {
	t.Parallel()
	th := theme.Dark()
	word := rapid.SampledFrom([]string{"one", "**two**", "`three`", "漢字", "[four](https://example.com)", "a_b", "x*y", "(five)", "\\*", "&amp;", "é"})
	rapid.Check(t, func(rt *rapid.T) {
		source := "Start " + strings.Join(rapid.SliceOfN(word, 1, 40).Draw(rt, "words"), " ") + " end"
		width := rapid.IntRange(12, 90).Draw(rt, "width")
		lines := DrawBlock(Block{Kind: Prose, Source: source}, width, th)
		for i, l := range lines {
			lines[i] = "  " + l
		}
		if got := text.Excerpt(source, lines, text.Cell{}, text.Cell{Line: len(lines)}); got != source {
			rt.Fatalf("%q\nis drawn as %q\nand comes back as %q", source, lines, got)
		}
	})
}
