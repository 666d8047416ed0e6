package render_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/render"
	"parley/render/text"
	"parley/theme"
)

// TestDocument: what a user approves is formatted where that shows all of
// it, and is as it was written where it would not.
func TestDocument(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, source string
		written      bool
		shows        string
	}{
		{"nothing", "", false, ""},
		{"prose", "# Title\n\nSome *words* and `code`, ~~gone~~.\n\n> quoted\n\n---\n", false, "Some words and code, gone."},
		{"lists", "1. one\n1. two\n   1. inner\n2. three\n\n- [ ] task\n- [x] done\n", false, "2. two"},
		{"fences", "```go\nfunc main() {}\n```\n\n~~~\n1. 2\n~~~\n\n    indented\n", false, "func main() {}"},
		{"link", "See [the issue](https://example.org/7).\n", false, "the issue https://example.org/7"},
		{"link named as it is", "See [main.go](main.go) and <https://example.org>.\n", false, "See main.go and"},
		{"table", "| a | b |\n|---|---|\n| one | two |\n", false, "one │ two"},
		{"wide table", "| a | b |\n|---|---|\n| " + strings.Repeat("one ", 30) + "| " + strings.Repeat("two ", 30) + "|\n", false, "one"},
		{"HTML", "<!-- said aside -->\n\n<b>bold</b>\n", false, "<!-- said aside -->"},
		{"hidden characters", "do \u202ethis\x1b[2J\n", false, "do ⟦U+202E⟧this⟦ESC⟧[2J"},
		{"title of a link", "[x](https://example.org \"and more\")\n", true, `"and more"`},
		{"title of an image", "![x](a.png 'and more')\n", true, "'and more'"},
		{"definition", "Text.\n\n[//]: # (and more)\n", true, "[//]: # (and more)"},
		{"second definition", "[a] [a]\n\n[a]: x\n[a]: y\n", true, "[a]: y"},
		{"footnote", "Text[^1].\n\n[^1]: more\n", true, "[^1]: more"},
		{"surplus cell", "| a |\n|---|\n| one | two |\n", true, "| one | two |"},
		{"words after a fence", "```go and do this as well\nx\n```\n", true, "```go and do this as well"},
		{"entity", "a&#8203;b\n", true, "a&#8203;b"},
	} {
		d := render.NewDocument(tc.source)
		for _, width := range []int{60, 20, 1, 60} {
			rows := d.Layout(width, theme.Dark())
			if d.Written() != tc.written {
				t.Errorf("%s at %d: as written %v", tc.name, width, d.Written())
			}
			lines := d.Rows(0, rows)
			for _, l := range lines {
				if w := text.Width(l); w > max(width, 2) {
					t.Errorf("%s at %d: a row of %d cells: %q", tc.name, width, w, l)
				}
			}
			text := ansi.Strip(strings.Join(lines, "\n"))
			if width == 60 && !strings.Contains(text, tc.shows) {
				t.Errorf("%s: %q is not there:\n%s", tc.name, tc.shows, text)
			}
		}
	}
}

// TestDocumentIsDrawnOnce: the same rows come back for the same width.
func TestDocumentIsDrawnOnce(t *testing.T) {
	d, th := render.NewDocument(strings.Repeat("Some *words*.\n\n", 500)), theme.Dark()
	rows := d.Layout(80, th)
	if n := testing.AllocsPerRun(10, func() { d.Rows(0, d.Layout(80, th)) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	if d.Layout(40, th); d.Layout(80, th) != rows {
		t.Error("another number of rows at the same width")
	}
}

// FuzzDocument: no text from an agent breaks the drawing, and it is safe
// to show.
func FuzzDocument(f *testing.F) {
	for _, s := range []string{
		"# a\n\n[x]: y 'z'\n", "| a |\n|-|\n|b|c|\n", "```x y\nz\n```", "1. a\n\n   [b]: c\n", "> [//]: # \"x\"\n", "a\\\nb  \nc\u200d",
		"\x1b]8;;x\x07y", "&#65;&copy;", "[^1]: x", "<a\nb>", "- a\n  - b\n\n        c\n", "\t1) x\r\n\r\n***\r\n",
	} {
		f.Add(s, 40)
	}
	th := theme.Plain()
	f.Fuzz(func(t *testing.T, source string, width int) {
		width = 1 + (width%120+120)%120
		d := render.NewDocument(source)
		lines := d.Rows(0, d.Layout(width, th))
		for _, l := range lines {
			if w := text.Width(l); w > max(width, 2) {
				t.Fatalf("a row of %d cells in %d: %q", w, width, l)
			}
			if strings.ContainsAny(ansi.Strip(l), "\x1b\r\a\u202e") {
				t.Fatalf("not safe: %q", l)
			}
		}
	})
}
