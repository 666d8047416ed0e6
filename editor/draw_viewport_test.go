package editor

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/render/text"
	"parley/session/sessiontest"
	"parley/theme"
)

// editorTexts are what the drawings show.
var editorTexts = []struct{ name, text string }{
	{"words", "The quick brown fox jumps over the lazy dog|, and home."},
	{"a long word", "see https://example.org/a/very/long/path/to/something|"},
	{"spaces", "a    b          c|"},
	{"wide", "日本語のテキストは幅が広いので、折り返しに注意する|。"},
	{"mixed", "emoji 🎉 family " + family + " flag 🇩🇪 keycap 1️⃣ heart ❤️ done|"},
	{"lines", "one\ntwo\r\n\nfour\n|"},
	{"tabs", "\tif x {\n\t\treturn|\n\t}"},
	{"hidden", "a\x00b\x1b[31mred\u202edcba\u200bz\xff\rlone|"},
	{"marks", "\u0301alone and e\u0301 and क्षि|"},
	{"full row", "0123456789012345678|"},
	{"space at the edge", "0123456789012345678 |"},
}

func TestEditorView(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, c := range editorTexts {
		for _, width := range []int{20, 8} {
			e := editorAt(c.text)
			x, y := e.Cursor(width, 20)
			fmt.Fprintf(&b, "-- %s, width %d, caret %d,%d, %d rows\n", c.name, width, x, y, e.Rows(width))
			for _, row := range e.View(width, 20, theme.Probe()) {
				if n := text.Width(row); n > width {
					t.Errorf("%s: %d cells at width %d: %q", c.name, n, width, row)
				}
				fmt.Fprintf(&b, "%s\n", theme.Reveal(row))
			}
		}
	}
	sessiontest.Golden(t, "tui/editor", b.String())
}

// The window moves no more than the caret needs and never leaves a row empty.
func TestEditorScrolls(t *testing.T) {
	t.Parallel()
	lines := make([]string, 20)
	for i := range lines {
		lines[i] = fmt.Sprint(i)
	}
	e := New()
	e.SetText(strings.Join(lines, "\n"))
	for _, c := range []struct {
		keys string
		rows int
		want string
		y    int
	}{
		{"", 3, "17 18 19", 2},
		{"up", 3, "17 18 19", 1},
		{"up up up", 3, "15 16 17", 0},
		{"down", 3, "15 16 17", 1},
		{"down down", 3, "16 17 18", 2},
		{"ctrl+home", 3, "0 1 2", 0},
		{"ctrl+end", 5, "15 16 17 18 19", 4},
		{"backspace backspace backspace", 5, "14 15 16 17 18", 4},
		{"ctrl+home delete delete", 3, "1 2 3", 0},
		{"ctrl+end", 100, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18", 17},
		{"", 0, "18", 0},
	} {
		pressKeys(e, c.keys)
		_, y := e.Cursor(10, c.rows)
		if got := strings.Join(e.View(10, c.rows, theme.Plain()), " "); got != c.want || y != c.y {
			t.Errorf("%s: rows %s, caret in %d, want %s, %d", c.keys, got, y, c.want, c.y)
		}
	}
}

func TestEditorRows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text        string
		width, want int
	}{
		{"", 10, 1},
		{"abc", 10, 1},
		{"a\n", 10, 2},
		{"012345678", 10, 1},
		{"0123456789", 10, 2},
		{"0123 6789 ", 10, 2},
		{strings.Repeat("a\n", 1000), 10, editorRows},
		{strings.Repeat("a", 5<<20), 10, editorRows},
		{"日本", 1, 2},
		{"abc", 0, 3},
	} {
		e := New()
		e.SetText(c.text)
		if got := e.Rows(c.width); got != c.want {
			t.Errorf("%.20q at %d: %d rows, want %d", c.text, c.width, got, c.want)
		}
	}
}

// The caret stands where the terminal puts it, by either way to count.
func TestEditorMethod(t *testing.T) {
	t.Parallel()
	e := New()
	e.SetText("❤️" + family)
	for method, want := range map[ansi.Method]int{ansi.WcWidth: 9, ansi.GraphemeWidth: 4} {
		e.method = method
		if x, _ := e.Cursor(20, 1); x != want {
			t.Errorf("method %d: caret at %d, want %d", method, x, want)
		}
	}
}
