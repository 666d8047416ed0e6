package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/render/syntax"
	"parley/render/text"
	"parley/theme"
)

// TestChunksKnowEachOther: a comment that began in an earlier chunk is one in
// the next.
func TestChunksKnowEachOther(t *testing.T) {
	t.Parallel()
	src := "```go\n/*\n" + strings.Repeat("words\n", 3*chunkLines) + "*/\nvar x = 1\n```\n"
	m := whole1(src)
	if m.Len() < 3 {
		t.Fatalf("%d blocks", m.Len())
	}
	for _, i := range []int{2, 1} {
		for _, l := range DrawBlock(m.At(i), 40, theme.Probe()) {
			if got := theme.Reveal(l); got != "  [syntax-comment]words[/]" {
				t.Fatalf("block %d has %q", i, got)
			}
		}
	}
}

func TestShare(t *testing.T) {
	t.Parallel()
	var code strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&code, "line %d of a code block\n", i)
	}
	blocks := codeBlocks("go", code.String(), true)
	var all strings.Builder
	for i, b := range blocks {
		all.WriteString(b.Source)
		if len(b.code.Text) > syntax.MaxBytes {
			t.Errorf("block %d: %d bytes share a highlighter", i, len(b.code.Text))
		}
		if got := b.code.Text[b.offset : b.offset+len(b.Source)]; got != b.Source {
			t.Errorf("block %d: is at the wrong offset", i)
		}
		if b.Gap != (i == 0) {
			t.Errorf("block %d: gap %v", i, b.Gap)
		}
	}
	if all.String() != code.String() {
		t.Error("the blocks are not the code")
	}
}

// TestWrappedCode: a row that continues a line of code has a mark before it,
// which is not in what is copied; it has no mark if there is no room.
func TestWrappedCode(t *testing.T) {
	t.Parallel()
	const code = "first := second(third, fourth)\nlast\n"
	plain, _ := theme.Named("dark", true, theme.ASCII())
	block := codeBlocks("", code, false)[0]
	for _, c := range []struct {
		th    *theme.Theme
		width int
		want  string
	}{
		{theme.Dark(), 22, "  first := second(thir\n  ↳ d, fourth)\n  last"},
		{plain, 22, "  first := second(thir\n  \\ d, fourth)\n  last"},
		{theme.Dark(), 6, "first \n:= sec\nond(th\nird, f\nourth)\nlast"},
	} {
		lines := DrawBlock(block, c.width, c.th)
		if got := ansi.Strip(strings.Join(lines, "\n")); got != c.want {
			t.Errorf("width %d:\n%s\nwant\n%s", c.width, got, c.want)
		}
		for _, l := range lines {
			if text.Width(l) > c.width {
				t.Errorf("%q is wider than %d", l, c.width)
			}
		}
		if got, want := text.Excerpt(block.Source, lines, text.Cell{}, text.Cell{Line: 2}), "first := second(third, fourth)"; c.width == 22 && strings.TrimRight(got, "\n") != want {
			t.Errorf("copied %q, want %q", got, want)
		}
	}
}

func BenchmarkHighlight(b *testing.B) {
	code := strings.Repeat("func f(x int, s string) (int, error) {\n\tif x > 3 { // comment\n\t\treturn len(s), fmt.Errorf(\"bad %d\", x)\n\t}\n}\n", 30)
	b.SetBytes(int64(len(code)))
	for b.Loop() {
		h := &syntax.Highlighter{Lang: "go", Text: code}
		drawCode(h.Spans(0, len(code)), 100, theme.Dark())
	}
}
