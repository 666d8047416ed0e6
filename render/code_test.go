package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/render/text"
	"parley/theme"
)

func TestLexerFor(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{
		"go": "Go", "Go": "Go", "golang": "Go", "py": "Python", "python": "Python", "js": "JavaScript", "ts": "TypeScript", "sh": "Bash",
		"bash": "Bash", "yaml": "YAML", "json": "JSON", "rust": "Rust", "c++": "C++", "diff": "Diff",
	} {
		if l := lexerFor(lang); l == nil || l.Config().Name != want {
			t.Errorf("%s: %v, want %s", lang, l, want)
		}
	}
	for _, lang := range []string{"", "nosuchlanguage", "*", "main.go", "../x"} {
		if l := lexerFor(lang); l != nil {
			t.Errorf("%q has the lexer %s", lang, l.Config().Name)
		}
	}
}

// spanText is what the spans of lines say.
func spanText(lines [][]text.Span) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(text.DrawSpans(l, theme.Plain()) + "\n")
	}
	return b.String()
}

// TestHighlighterKeepsText: whatever the language, no character is lost, in
// whatever order chunks are asked for.
func TestHighlighterKeepsText(t *testing.T) {
	t.Parallel()
	code := strings.Repeat("func f(x int) { // c\n\t\"s\", 'x' /* y\n*/ <a b=\"c\">日本</a>\n\n}}\n# z: [1, 2\n", 6)
	for _, lang := range []string{"go", "python", "html", "yaml", "json", "c", "rust", "sql", "diff", "markdown", "", "php", "make", "js"} {
		h := &highlighter{lang: lang, text: code}
		half := strings.Index(code[len(code)/2:], "\n") + 1 + len(code)/2
		second := spanText(h.spans(half, len(code)))
		if got := spanText(h.spans(0, half)) + second; got != code {
			t.Errorf("%s: text changed:\n%q\n%q", lang, got, code)
		}
	}
}

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

func TestLongLinesStayPlain(t *testing.T) {
	t.Parallel()
	code := "x := \"" + strings.Repeat("a", highlightLine) + "\"\nfunc f() {}\n"
	h := &highlighter{lang: "go", text: code}
	for _, l := range h.spans(0, len(code)) {
		if len(l) != 1 || l[0].Token != theme.Text {
			t.Fatalf("spans %v", l)
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
		if len(b.code.text) > highlightBytes {
			t.Errorf("block %d: %d bytes share a highlighter", i, len(b.code.text))
		}
		if got := b.code.text[b.offset : b.offset+len(b.Source)]; got != b.Source {
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

func BenchmarkHighlight(b *testing.B) {
	code := strings.Repeat("func f(x int, s string) (int, error) {\n\tif x > 3 { // comment\n\t\treturn len(s), fmt.Errorf(\"bad %d\", x)\n\t}\n}\n", 30)
	b.SetBytes(int64(len(code)))
	for b.Loop() {
		h := &highlighter{lang: "go", text: code}
		drawCode(h.spans(0, len(code)), 100, theme.Dark())
	}
}

// TestWrappedCode: a row that goes on with a line of code has a mark before it,
// which is not in what is copied; there is none where there is no room.
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
