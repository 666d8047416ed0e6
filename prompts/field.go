package prompts

import (
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/render/text"
	"parley/theme"
)

// field is the text of a note, a refusal or an answer. Its text is exact,
// whatever was pasted; what is drawn is made safe. The zero field is empty.
type field struct {
	editor *editor.Editor // nil: nothing was written yet
	masked bool           // values are not shown
	secret bool           // nothing that is written is
	files  fileCompletion
}

// newField returns a field with a text and the caret at its end.
func newField(text string) field {
	var f field
	if text != "" {
		f.set(text)
	}
	return f
}

// edit returns the editor, which is made when it is needed first.
func (f *field) edit() *editor.Editor {
	if f.editor == nil {
		f.editor = editor.New()
	}
	return f.editor
}

// set replaces the text and puts the caret at its end.
func (f *field) set(text string) { f.edit().SetText(text) }

// toEnd puts the caret at the end of the text.
func (f *field) toEnd() { f.edit().SetOffset(len(f.text())) }

func (f *field) text() string {
	if f.editor == nil {
		return ""
	}
	return f.editor.Text()
}

// blank reports whether nothing but white space was written.
func (f *field) blank() bool { return strings.TrimSpace(f.text()) == "" }

// insert writes s at the caret. A lone CR is what terminals make of a pasted
// line end and becomes one again; CRLF stays.
func (f *field) insert(s string) {
	f.edit().Insert(strings.NewReplacer("\r\n", "\r\n", "\r", "\n").Replace(s))
}

// newline reports whether k asks for a new line rather than for the end.
func newline(k tea.KeyPressMsg) bool {
	return slices.Contains([]string{"shift+enter", "alt+enter", "ctrl+j"}, k.Keystroke())
}

// continued reports whether Enter after a backslash is a line end.
func (f *field) continued() bool {
	if f.editor == nil {
		return false
	}
	line, at := f.editor.CaretLine()
	return at > 0 && f.editor.Line(line, at-1, at) == `\`
}

// press edits the text. Keys it does not know change nothing. It reports
// whether up or down left the rows: the caret is at that end of the text then.
func (f *field) press(k tea.KeyPressMsg) (left bool) {
	e := f.edit()
	switch name := k.Keystroke(); {
	case enter(k):
		e.TakeBackslash()
	case name == "ctrl+h":
		e.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
	case e.Update(k):
	case name == "up":
		e.SetOffset(0)
		return true
	case name == "down":
		f.toEnd()
		return true
	}
	return false
}

// veil is the text of the field, or a part of it, as it may be shown.
func (f *field) veil(s string, th *theme.Theme) string {
	switch {
	case f.secret:
		return strings.Repeat(th.Glyph(theme.MarkDot), utf8.RuneCountInString(s))
	case f.masked:
		return masked(s, th)
	}
	return s
}

// fieldHeight is how many rows of an open line are shown.
const fieldHeight = 6

// draw returns the rows around the caret, and where that is in them; empty
// stands in the place of no text.
func (f *field) draw(empty string, width int, th *theme.Theme) ([]string, caretAt) {
	mark := "  " + th.Render(theme.Accent, th.Glyph(theme.MarkCaret)) + " "
	if th.Spoken {
		mark = "  "
	}
	if f.editor == nil || f.editor.Empty() {
		return []string{mark + th.Render(theme.Dim, text.Truncate(empty, width, ""))}, caretAt{}
	}
	e := f.editor
	if f.masked || f.secret {
		e = editor.New()
		e.SetText(f.veil(f.text(), th))
		e.SetOffset(len(f.veil(f.text()[:f.editor.Offset()], th)))
	}
	x, y := e.Cursor(width, fieldHeight)
	return inset(mark, e.View(width, fieldHeight, th)), caretAt{x: x, y: y}
}
