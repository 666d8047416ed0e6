package prompts

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"parley/render/text"
)

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
		f := &field{text: strings.Replace(tc.text, "|", "", 1), caret: strings.Index(tc.text, "|")}
		for k := range strings.FieldsSeq(tc.keys) {
			f.press(stroked(k), 40)
		}
		if got := f.text[:f.caret] + "|" + f.text[f.caret:]; got != tc.want {
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
		if f.text != want || f.caret != len(want) {
			t.Errorf("%q became %q", text, f.text)
		}
	}
}

// TestFieldLayout: whatever is written at whatever width, each row fits and
// leaves a cell for the caret, nothing is lost, and the caret is in it.
func TestFieldLayout(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.RuneFrom([]rune("ab   \n日e\u0301\t\u202e👩\u200d")), 0, 60, -1).Draw(t, "text")
		width := rapid.IntRange(4, 30).Draw(t, "width")
		f := field{}
		f.insert(s)
		for range rapid.IntRange(0, 20).Draw(t, "left") {
			f.press(stroked("left"), width)
		}
		rows, x, y := f.layout(width)
		if y >= len(rows) || x > text.Width(rows[y].text) || !utf8.ValidString(f.text[:f.caret]) {
			t.Fatalf("caret %d at %d, %d of %d rows", f.caret, x, y, len(rows))
		}
		var shown strings.Builder
		for i, r := range rows {
			if w, n := text.Width(r.text), len(r.stops); w > width-1 && r.stops[n-2].col > 0 { // a cluster is never broken
				t.Fatalf("row %d of %d cells: %q", i, w, r.text)
			}
			if r.stops[0].off != r.start || i > 0 && r.start < rows[i-1].start {
				t.Fatalf("row %d begins at %d, its first stop is %d", i, r.start, r.stops[0].off)
			}
			shown.WriteString(r.text)
		}
		if got, want := shown.String(), safe(f.text); got != want {
			t.Fatalf("shown %q, want %q", got, want)
		}
	})
}

// safe is what a field shows of a text, without its line ends.
func safe(s string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		f := field{text: line}
		for i := 0; i < len(line); {
			n := f.after(i)
			b.WriteString(text.SanitizeShowHidden(line[i:n]))
			i = n
		}
	}
	return b.String()
}
