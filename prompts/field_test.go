package prompts

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/render/text"
	"parley/theme"
)

// TestFieldIsExact: a lone CR becomes a line end, and all else that is pasted stays.
func TestFieldIsExact(t *testing.T) {
	t.Parallel()
	var f field
	f.insert("a\rb\r\nc\x00d\r")
	if got, want := f.text(), "a\nb\r\nc\x00d\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestField(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		text string // with | for the caret
		keys string
		want string
	}{
		{"|", "a b", "ab|"},
		{"ab|", "left x", "ax|b"},
		{"a|b", "right right right", "ab|"},
		{"ab|", "backspace", "a|"},
		{"|ab", "backspace", "|ab"},
		{"a|b", "delete", "a|"},
		{"ab|", "delete", "ab|"},
		{"one two|", "ctrl+w", "one |"},
		{"one two |", "ctrl+w", "one |"},
		{"one two|", "alt+b x", "one x|two"},
		{"|one two", "alt+f x", "onex| two"},
		{"one|  two", "alt+d", "one|"},
		{"one\ntwo|", "home x", "one\nx|two"},
		{"one\nt|wo", "ctrl+k", "one\nt|"},
		{"one\r\ntwo|", "up end x", "onex|\r\ntwo"},
		{"one\nt|wo", "ctrl+u", "one\n|wo"},
		{"one\ntwo|", "up x", "onex|\ntwo"},
		{"one\nt|wo", "up x", "ox|ne\ntwo"},
		{"o|ne\ntwo", "down x", "one\ntx|wo"},
		{"o|ne", "down x", "onex|"},
		{"on|e", "up x", "x|one"},
		{"a|b", "shift+enter", "a\n|b"},
		{"a|b", "ctrl+j", "a\n|b"},
		{`a\|b`, "enter", "a\n|b"},
		{"a|b", "enter", "a|b"},
		{"a👩‍👩‍👧b|", "left left x", "ax|👩‍👩‍👧b"},
		{"👩‍👩‍👧|", "backspace", "|"},
		{"e\u0301|", "backspace", "|"},
		{"a|", "f1 esc tab", "a|"},
	} {
		f := newField(strings.Replace(tc.text, "|", "", 1))
		f.edit().SetOffset(strings.Index(tc.text, "|"))
		for k := range strings.FieldsSeq(tc.keys) {
			f.press(stroked(k))
		}
		before := beforeCaret(f)
		if got := before + "|" + strings.TrimPrefix(f.text(), before); got != tc.want {
			t.Errorf("%q, %s: got %q, want %q", tc.text, tc.keys, got, tc.want)
		}
	}
}

func TestFieldPaste(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a\tb":        "a\tb",
		"a\r\nb":      "a\r\nb",
		"a\rb\r\r":    "a\nb\n\n",
		"\x1b[2J\x00": "\x1b[2J\x00",
		"日本語":         "日本語",
	} {
		var f field
		f.insert(text)
		if f.text() != want || beforeCaret(f) != want {
			t.Errorf("%q became %q", text, f.text())
		}
	}
}

// beforeCaret is what is written before the caret of a field.
func beforeCaret(f field) string { return f.text()[:f.edit().Offset()] }

// TestFieldDraws: whatever is written at whatever width, each row fits, no more
// are drawn than have room, and the caret is in one of them.
func TestFieldDraws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.RuneFrom([]rune("ab   \n日e\u0301\t\u202e👩\u200d")), 0, 60, -1).Draw(t, "text")
		width := rapid.IntRange(4, 30).Draw(t, "width")
		var f field
		f.insert(s)
		for range rapid.IntRange(0, 20).Draw(t, "left") {
			f.press(stroked("left"))
		}
		rows, at := f.draw("", width, theme.Plain())
		if len(rows) > fieldHeight || at.y >= len(rows) || at.x >= width {
			t.Fatalf("%d rows, the caret at %+v", len(rows), at)
		}
		for i, r := range rows {
			if w := text.Width(r); w > width+4 {
				t.Fatalf("row %d of %d cells: %q", i, w, r)
			}
		}
	})
}
