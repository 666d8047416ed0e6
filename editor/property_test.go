package editor

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"parley/history/drafts"
	"parley/render/text"
	"parley/theme"
)

// editorPieces are what random texts are made of: everything that joins with
// its neighbours, breaks rows or is not shown as it is.
var editorPieces = []string{
	"a", "b", "word", " ", "  ", "\n", "\r", "\r\n", "\t", "é", "e\u0301", "\u0301", "日", "本語", "한국", "\u1161", "か\u3099",
	family, "👍🏽", "🇩🇪", "🇩", "\u200d", "\ufe0f", "❤️", "1️⃣", "क्षि", "ی\u200cه", "\x00", "\x1b[201~", "\u202e", "\u200b",
	"\xff", "\xe6\x97", "\xf4", "\x8f\x80", "\U0010f000", "\u0600", "\U000e0041", ".", "/path/", `\`, "\u00ad", "\u2028",
}

func drawEditorText(t *rapid.T, label string, most int) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(editorPieces), 0, most).Draw(t, label), "")
}

// boundaries are the places in the whole text at which a caret may be, found
// without lines or rows.
func boundaries(text string) []int {
	places := []int{0}
	text = encode(text)
	for i := 0; i < len(text); {
		n := graphemeLen(text[i:])
		i += n
		places = append(places, plainLen(text[:i]))
	}
	return places
}

// editorModel is a text and a caret that do what the editor must, in the
// plainest way.
type editorModel struct {
	text  string
	caret int
}

func (m *editorModel) replace(from, to int, s string) {
	m.text = m.text[:from] + s + m.text[to:]
	at := from + len(s)
	for _, b := range boundaries(m.text) {
		if b < at {
			continue
		}
		if b > at && strings.HasPrefix(m.text[at-1:], "\r\n") {
			b = at - 1 // inside a line break: before it
		}
		m.caret = b
		return
	}
}

func (m *editorModel) beside() (prev, next int) {
	places := boundaries(m.text)
	i := slices.Index(places, m.caret)
	return places[max(0, i-1)], places[min(len(places)-1, i+1)]
}

func (m *editorModel) press(key string) {
	prev, next := m.beside()
	start := strings.LastIndexByte(m.text[:m.caret], '\n') + 1
	end := len(m.text)
	if n := strings.IndexByte(m.text[m.caret:], '\n'); n >= 0 {
		end = m.caret + len(strings.TrimSuffix(m.text[m.caret:m.caret+n], "\r"))
	}
	switch key {
	case "left":
		m.caret = prev
	case "right":
		m.caret = next
	case "home":
		m.caret = start
	case "end":
		m.caret = end
	case "backspace":
		m.replace(prev, m.caret, "")
	case "delete":
		m.replace(m.caret, next, "")
	case "ctrl+j":
		m.replace(m.caret, m.caret, "\n")
	case "ctrl+k":
		if end == m.caret {
			end = next
		}
		m.replace(m.caret, end, "")
	case "ctrl+u":
		if start == m.caret {
			start = prev
		}
		m.replace(start, m.caret, "")
	default:
		m.replace(m.caret, m.caret, key)
	}
}

// The editor and the model agree on every text and caret.
func TestEditorModel(t *testing.T) {
	t.Parallel()
	keys := []string{"left", "right", "home", "end", "backspace", "delete", "ctrl+j", "ctrl+k", "ctrl+u", "x", "日"}
	rapid.Check(t, func(t *rapid.T) {
		e, m := New(), &editorModel{}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			if rapid.IntRange(0, 2).Draw(t, "paste") == 0 {
				s := drawEditorText(t, "text", 6)
				e.Insert(s)
				m.replace(m.caret, m.caret, s)
			} else {
				key := rapid.SampledFrom(keys).Draw(t, "key")
				e.Update(editorKey(key))
				m.press(key)
			}
			if e.Text() != m.text || e.Offset() != m.caret {
				t.Fatalf("editor %q at %d\nmodel  %q at %d", e.Text(), e.Offset(), m.text, m.caret)
			}
			if rapid.Bool().Draw(t, "draw") {
				checkView(t, e, rapid.IntRange(1, 30).Draw(t, "width"), rapid.IntRange(1, 6).Draw(t, "rows"))
			}
		}
	})
}

// checkView holds what is true of every drawing.
func checkView(t *rapid.T, e *Editor, width, rows int) {
	x, y := e.Cursor(width, rows)
	view := e.View(width, rows, theme.Plain())
	if len(view) > rows || len(view) < min(rows, e.Rows(width)) {
		t.Fatalf("%d rows drawn of %d, at most %d", len(view), e.Rows(width), rows)
	}
	if x < 0 || x >= width || y < 0 || y >= len(view) {
		t.Fatalf("caret at %d,%d in %d rows of width %d", x, y, len(view), width)
	}
	for _, row := range view {
		if !utf8.ValidString(row) || strings.ContainsFunc(row, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			t.Fatalf("unsafe row %q", row)
		}
		if joined := strings.Contains(row, "\u200d"); text.Width(row) > width ||
			width >= 20 && !joined && ansi.StringWidthWc(row) > width {
			t.Fatalf("row of %d cells, width %d: %q", text.Width(row), width, row)
		}
	}
}

// Rows found anew around a change are those of the whole line.
func TestEditorRewraps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e := New()
		e.SetText(strings.ReplaceAll(drawEditorText(t, "text", 60), "\n", " "))
		width := rapid.IntRange(1, 20).Draw(t, "width")
		for range rapid.IntRange(1, 8).Draw(t, "edits") {
			e.Rows(width)
			e.SetOffset(rapid.IntRange(0, len(e.Text())).Draw(t, "at"))
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				e.Update(editorKey("ctrl+w"))
			case 1:
				e.InsertChip(drafts.Chip{Paste: drawEditorText(t, "paste", 8)})
			default:
				e.Insert(strings.ReplaceAll(drawEditorText(t, "insert", 4), "\n", " "))
			}
			text := e.content(0)
			got := e.rows(0, len(text)).starts
			fresh := &textRows{width: width, chips: &e.chips, starts: []int{0}}
			fresh.reach(text, len(text))
			if !slices.Equal(got, fresh.starts) {
				t.Fatalf("%q at %d: rows %v, want %v", text, width, got, fresh.starts)
			}
		}
	})
}

// The pieces of a rune that come together by a change are one grapheme, also where
// each had a row of its own.
func TestEditorRewrapsPieces(t *testing.T) {
	t.Parallel()
	e := New()
	e.Insert("\xf4\x8f\x80")
	e.InsertChip(drafts.Chip{Paste: "a"})
	e.Insert("\x8f")
	e.Update(editorKey("left"))
	e.Update(editorKey("left"))
	e.Rows(1)
	e.Update(editorKey("delete"))
	text := e.content(0)
	if n := graphemeLen(text); n != len(text) || e.caret.off != n || len(e.rows(0, n).starts) != 1 {
		t.Errorf("%q: %d bytes first, the caret at %d, rows %v", text, n, e.caret.off, e.rows(0, n).starts)
	}
}

// Rows follow each other without gap, and each but the last is full: what
// comes next had no room.
func TestEditorWraps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		e := New()
		e.SetText(drawEditorText(t, "text", 40))
		width := rapid.IntRange(2, 24).Draw(t, "width")
		e.resize(width)
		at := textPos{}
		for r, ok := e.rowOf(textPos{}), true; ok; r, ok = e.below(r) {
			from, to, on := e.span(r)
			if (textPos{r.line, from}) != at {
				t.Fatalf("row %v begins at %d, the row before ends at %v", r, from, at)
			}
			if at = (textPos{r.line, to}); !on {
				at = textPos{r.line + 1, 0}
			}
			if back, ok := e.above(r); ok {
				if again, _ := e.below(back); again != r {
					t.Fatalf("above %v is %v, below that is %v", r, back, again)
				}
			}
			if p := e.at(r, 0); p != (textPos{r.line, from}) {
				t.Fatalf("column 0 of %v is %v", r, p)
			}
		}
	})
}

// Undo takes back every change in turn, and redo does them all again.
func TestEditorUndoInverse(t *testing.T) {
	t.Parallel()
	keys := []string{
		"left", "right", "up", "home", "end", "backspace", "delete", "ctrl+j", "ctrl+k", "ctrl+u", "ctrl+w",
		"alt+d", "ctrl+y", "x", "y", "space", "日",
	}
	rapid.Check(t, func(t *rapid.T) {
		e := New()
		first := drawEditorText(t, "first", 10)
		e.SetText(first)
		e.past = nil
		states := []string{first}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			if rapid.IntRange(0, 5).Draw(t, "paste") == 0 {
				e.Insert(drawEditorText(t, "text", 6))
			} else {
				e.Update(editorKey(rapid.SampledFrom(keys).Draw(t, "key")))
			}
			states = append(states, e.Text())
		}
		last, steps := e.Text(), len(e.past)
		for range steps {
			e.Update(editorKey("ctrl+_"))
			if !slices.Contains(states, e.Text()) {
				t.Fatalf("undo made a text that never was: %q", e.Text())
			}
			if !slices.Contains(boundaries(e.Text()), e.Offset()) {
				t.Fatalf("caret inside a grapheme: %q at %d", e.Text(), e.Offset())
			}
		}
		if e.Text() != first {
			t.Fatalf("all undone: %q, want %q", e.Text(), first)
		}
		for range steps {
			e.Update(editorKey("alt+_"))
		}
		if e.Text() != last {
			t.Fatalf("all redone: %q, want %q", e.Text(), last)
		}
	})
}

// Plain graphemes are two cells wide or one, whoever counts.
func TestEditorPlain(t *testing.T) {
	t.Parallel()
	for r := rune(0); r <= utf8.MaxRune; r++ {
		s := string(r)
		n, w := plain(s, 0)
		if n == 0 {
			continue
		}
		if n != len(s) || text.Width(s) != w || ansi.StringWidthWc(s) != w || shown(s, n) != s {
			t.Errorf("%U: %d bytes, %d cells", r, n, w)
		}
	}
}
