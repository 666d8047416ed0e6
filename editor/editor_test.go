package editor

import (
	"crypto/sha256"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/theme"
)

// editorCodes are the keys that have a name.
var editorCodes = map[string]rune{
	"left": tea.KeyLeft, "right": tea.KeyRight, "up": tea.KeyUp, "down": tea.KeyDown, "home": tea.KeyHome,
	"end": tea.KeyEnd, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "enter": tea.KeyEnter,
	"space": tea.KeySpace, "tab": tea.KeyTab, "esc": tea.KeyEscape,
}

// editorKey returns the press that a keystroke stands for.
func editorKey(stroke string) tea.KeyPressMsg {
	var key tea.KeyPressMsg
	for mod, prefix := range map[tea.KeyMod]string{tea.ModCtrl: "ctrl+", tea.ModAlt: "alt+", tea.ModShift: "shift+"} {
		if strings.Contains(stroke, prefix) {
			key.Mod |= mod
			stroke = strings.Replace(stroke, prefix, "", 1)
		}
	}
	code, named := editorCodes[stroke]
	switch {
	case stroke == "space":
		key.Text = " "
	case !named && key.Mod == 0:
		key.Text = stroke
	}
	if key.Code = code; !named {
		key.Code = []rune(stroke)[0]
	}
	return key
}

// pressKeys gives e some keys and reports what it said to the last.
func pressKeys(e *Editor, strokes string) (handled bool) {
	for _, s := range strings.Fields(strokes) {
		handled = e.Update(editorKey(s))
	}
	return handled
}

// editorAt returns an editor with the text of s and the caret at its bar.
func editorAt(s string) *Editor {
	before, after, _ := strings.Cut(s, "|")
	e := New()
	e.SetText(before + after)
	e.SetOffset(len(before))
	e.past = nil
	return e
}

// marked returns the text with a bar at the caret.
func marked(e *Editor) string {
	text, n := e.Text(), e.Offset()
	return text[:n] + "|" + text[n:]
}

type editorCase struct{ from, keys, want string }

func testEditorKeys(t *testing.T, cases []editorCase) {
	t.Helper()
	for _, c := range cases {
		e := editorAt(c.from)
		pressKeys(e, c.keys)
		if got := marked(e); got != c.want {
			t.Errorf("%q, %s: %q, want %q", c.from, c.keys, got, c.want)
		}
	}
}

const family = "👨‍👩‍👧‍👦"

func TestEditorMotions(t *testing.T) {
	t.Parallel()
	testEditorKeys(t, []editorCase{
		{"ab|c", "left", "a|bc"},
		{"ab|c", "ctrl+b", "a|bc"},
		{"|abc", "left", "|abc"},
		{"a\n|b", "left", "a|\nb"},
		{"a\r\n|b", "left", "a|\r\nb"},
		{"é" + family + "|", "left", "é|" + family},
		{"e\u0301|", "left", "|e\u0301"},
		{"a\xff|", "left", "a|\xff"},
		{"a|bc", "right", "ab|c"},
		{"a|bc", "ctrl+f", "ab|c"},
		{"abc|", "right", "abc|"},
		{"a|\r\nb", "right", "a\r\n|b"},
		{"|" + family + "x", "right", family + "|x"},
		{"🇩🇪|🇫🇷", "right", "🇩🇪🇫🇷|"},

		{"one two|", "alt+b", "one |two"},
		{"one two|", "ctrl+left", "one |two"},
		{"one, |two", "alt+left", "|one, two"},
		{"one\n  |two", "alt+b", "|one\n  two"},
		{"|one two", "alt+f", "one| two"},
		{"one| two_2!", "ctrl+right", "one two_2|!"},
		{"one|\n two", "alt+right", "one\n two|"},
		{"|naïve cafe\u0301!", "alt+f alt+f", "naïve cafe\u0301|!"},

		{"one\ntw|o", "home", "one\n|two"},
		{"one\ntw|o", "ctrl+a", "one\n|two"},
		{"o|ne\r\ntwo", "end", "one|\r\ntwo"},
		{"o|ne\ntwo", "ctrl+e", "one|\ntwo"},
		{"one\ntw|o", "ctrl+home", "|one\ntwo"},
		{"o|ne\ntwo", "ctrl+end", "one\ntwo|"},

		{"one\nt|wo", "up", "o|ne\ntwo"},
		{"on|e\ntwo", "down", "one\ntw|o"},
		{"long line\nab\nlong lin|e", "up up", "long lin|e\nab\nlong line"},
		{"long line\nab\nlong lin|e", "up left up", "l|ong line\nab\nlong line"},
		{"日本\nab|c", "up", "日|本\nabc"},
		{"a\tb\nabcde|f", "up", "a\t|b\nabcdef"},
	})
}

func TestEditorChanges(t *testing.T) {
	t.Parallel()
	testEditorKeys(t, []editorCase{
		{"ab|c", "backspace", "a|c"},
		{"ab|c", "shift+backspace", "a|c"},
		{"|abc", "backspace", "|abc"},
		{"a\r\n|b", "backspace", "a|b"},
		{family + "|x", "backspace", "|x"},
		{"a\rb|\nc", "backspace", "a|\r\nc"},
		{"a|bc", "delete", "a|c"},
		{"a|bc", "ctrl+d", "a|c"},
		{"a|\r\nb", "delete", "a|b"},
		{"ab|", "delete", "ab|"},
		{"a|x\u0301b", "delete", "a|b"},
		{"a|x\n\u0301b", "delete delete", "a\u0301|b"},
		{"ab|c", "ctrl+h", "ab|c"},

		{"one two|", "ctrl+w", "one |"},
		{"one two |x", "alt+backspace", "one |x"},
		{"one two|", "ctrl+backspace", "one |"},
		{"one |two three", "alt+d", "one | three"},
		{"one| two", "alt+delete", "one|"},
		{"one| two", "ctrl+delete", "one|"},
		{"one\ntw|o three\nx", "ctrl+k", "one\ntw|\nx"},
		{"one|\r\ntwo", "ctrl+k", "one|two"},
		{"one|", "ctrl+k", "one|"},
		{"one\ntw|o", "ctrl+u", "one\n|o"},
		{"one\n|two", "ctrl+u", "one|two"},
		{"|one", "ctrl+u", "|one"},
		{"one two|", "ctrl+w ctrl+y ctrl+y", "one twotwo|"},
		{"one two|", "ctrl+w ctrl+w ctrl+y", "one two|"},
		{"a b| c d", "ctrl+w ctrl+k ctrl+y", "a b c d|"},
		{"one two|", "ctrl+w left ctrl+w ctrl+y", "one| "},
		{"|", "ctrl+y", "|"},

		{"a|b", "shift+enter", "a\n|b"},
		{"a|b", "alt+enter", "a\n|b"},
		{"a|b", "ctrl+j", "a\n|b"},
		{"a|", "b space c é", "ab cé|"},
		{"a|\u0301", "b", "b|a\u0301"},
		{"|\u0301", "b", "b\u0301|"},
	})
}

func TestEditorUndo(t *testing.T) {
	t.Parallel()
	testEditorKeys(t, []editorCase{
		{"|", "a b space c d ctrl+_", "ab |"},
		{"|", "a b space c d ctrl+- ctrl+-", "|"},
		{"|", "a b space c d ctrl+_ ctrl+_ alt+_", "ab |"},
		{"|", "a b space c ctrl+_ ctrl+_ alt+shift+- alt+_ alt+_", "ab c|"},
		{"|", "a b left c ctrl+_", "a|b"},
		{"|", "a left right b ctrl+shift+-", "a|"},
		{"one two|", "backspace backspace backspace backspace backspace ctrl+_", "one |"},
		{"one two|", "backspace backspace backspace backspace backspace ctrl+_ ctrl+_", "one two|"},
		{"|ab cd", "delete delete delete delete ctrl+_", "|cd"},
		{"|ab cd", "delete delete delete delete ctrl+_ ctrl+_", "|ab cd"},
		{"one two|", "ctrl+w ctrl+w ctrl+_", "one |"},
		{"a|", "ctrl+_ b alt+_", "ab|"},
		{"a|", "b ctrl+_ c alt+_", "ac|"},
		{"|\u0301", "b c ctrl+_", "b\u0301|"},
		{"a|b", "ctrl+j ctrl+_", "a|b"},
	})
	t.Run("paste and clear", func(t *testing.T) {
		t.Parallel()
		e := editorAt("one |two")
		e.Insert("a\r\nb\n")
		e.SetText("")
		for _, want := range []string{"one a\r\nb\n|two", "one |two", "one |two"} {
			pressKeys(e, "ctrl+_")
			if got := marked(e); got != want {
				t.Errorf("undone: %q, want %q", got, want)
			}
		}
		for _, want := range []string{"one a\r\nb\n|two", "|", "|"} {
			pressKeys(e, "alt+_")
			if got := marked(e); got != want {
				t.Errorf("redone: %q, want %q", got, want)
			}
		}
	})
	t.Run("bounds", func(t *testing.T) {
		t.Parallel()
		e := New()
		for range undoSteps + 10 {
			e.Insert("x")
		}
		if len(e.past) != undoSteps {
			t.Errorf("%d steps, want %d", len(e.past), undoSteps)
		}
		e.Insert(strings.Repeat("y", undoBytes+1))
		if len(e.past) != 1 {
			t.Errorf("%d steps after a huge one, want it alone", len(e.past))
		}
		pressKeys(e, "ctrl+_")
		if got := e.Text(); got != strings.Repeat("x", undoSteps+10) {
			t.Errorf("the huge step was not undone: %d bytes", len(got))
		}
	})
}

// Keys that the editor leaves to others, and those at the edge of the text.
func TestEditorHandled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		at, key string
		want    bool
	}{
		{"a|", "up", false},
		{"a|", "down", false},
		{"a\nb|", "up", true},
		{"a\nb|", "down", false},
		{"a|\nb", "up", false},
		{"a|\nb", "down", true},
		{"|", "left", true},
		{"a|", "enter", false},
		{"a|", "tab", false},
		{"a|", "esc", false},
		{"a|", "ctrl+h", false},
		{"a|", "ctrl+c", false},
		{"a|", "alt+x", false},
		{"a|", "ctrl+p", false},
		{"a|", "x", true},
	} {
		if got := pressKeys(editorAt(c.at), c.key); got != c.want {
			t.Errorf("%q, %s: handled %v, want %v", c.at, c.key, got, c.want)
		}
	}
	t.Run("wrapped rows", func(t *testing.T) {
		t.Parallel()
		e := editorAt("one two three|")
		e.View(8, 5, theme.Plain())
		for i, want := range []bool{true, false} {
			if got := pressKeys(e, "up"); got != want {
				t.Errorf("up %d: handled %v, want %v", i+1, got, want)
			}
		}
	})
	t.Run("text of a key", func(t *testing.T) {
		t.Parallel()
		e := New()
		for _, key := range []tea.KeyPressMsg{
			{Code: 'a', Text: "A", Mod: tea.ModShift},
			{Code: '@', Text: "@", Mod: tea.ModCtrl | tea.ModAlt},
			{Code: tea.KeyExtended, Text: "日本"},
			{Code: 'x', Text: "x", Mod: tea.ModAlt},
			{Code: 'x', Text: "x", Mod: tea.ModSuper},
		} {
			e.Update(key)
		}
		if got := e.Text(); got != "A@日本" {
			t.Errorf("typed %q", got)
		}
	})
}

func TestEditorBackslash(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, want string
		taken      bool
	}{
		{`one\|`, "one\n|", true},
		{`one\|two`, "one\n|two", true},
		{`one|\`, `one|\`, false},
		{`|`, `|`, false},
		{"a\\\n|", "a\\\n|", false},
		{`日\|`, "日\n|", true},
	} {
		e := editorAt(c.from)
		if taken := e.TakeBackslash(); taken != c.taken || marked(e) != c.want {
			t.Errorf("%q: %q, %v, want %q, %v", c.from, marked(e), taken, c.want, c.taken)
		}
	}
}

// What goes in comes out, byte for byte, from one byte to five megabytes.
func TestEditorExact(t *testing.T) {
	t.Parallel()
	pattern := "a\r\nb\tc\rd\ne\x00\x1b[201~f\x1b[31m\xff\xfe\u202e\u200b日本語" + family + "e\u0301\x9b\u0085\u2028 \n\n"
	for _, size := range []int{1, 2, 3, 10, 1000, 70_000, 5 << 20} {
		text := strings.Repeat(pattern, size/len(pattern)+1)[:size]
		e := New()
		e.Insert(text)
		e.View(40, 10, theme.Plain())
		if sha256.Sum256([]byte(e.Text())) != sha256.Sum256([]byte(text)) {
			t.Errorf("%d bytes came back changed", size)
		}
		e.SetOffset(size / 2)
		e.Update(editorKey("x"))
		e.Update(editorKey("backspace"))
		if size > 10 && e.Text() != text {
			t.Errorf("%d bytes changed by a key that was taken back", size)
		}
	}
}
