package tui

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// editor is a small text editor of many lines, for prompts. It keeps the exact
// bytes it was given, whatever they are, and shows them safe: a tab is spaces,
// what would be hidden or would drive the terminal is a visible token. A key
// costs what is on the screen, not what is in the text; only bytes of the line
// being edited are copied.
//
// It is not safe for concurrent use. Make one with newEditor.
type editor struct {
	lines []textLine // at least one; joined by "\n" they are the text
	caret textPos    // between two graphemes, never inside a line break
	goal  int        // the column that up and down aim at; -1 is that of the caret
	top   textPos    // a position in the first row shown
	width int        // cells of a row when last drawn
	// method is how the terminal counts cells (mode 2027). It places the
	// caret; rows fit their width by either count.
	method ansi.Method

	action action // what the last key did
	past   []textEdit
	future []textEdit
	killed string // what ctrl+y puts back
}

// textLine is one line of the text without its "\n". A "\r" before that is
// part of the line break: it is kept, and neither shown nor editable by itself.
type textLine struct {
	text string
	rows *textRows // where its rows start; nil: not known
}

// textPos is a place in the text: a line and a byte offset in it.
type textPos struct{ line, off int }

func (p textPos) before(q textPos) bool {
	return p.line < q.line || p.line == q.line && p.off < q.off
}

// advance returns where s ends when it begins at p.
func (p textPos) advance(s string) textPos {
	if n := strings.Count(s, "\n"); n > 0 {
		return textPos{p.line + n, len(s) - strings.LastIndexByte(s, '\n') - 1}
	}
	return textPos{p.line, p.off + len(s)}
}

// editorWidth holds until the first drawing.
const editorWidth = 80

func newEditor() *editor {
	return &editor{lines: make([]textLine, 1), goal: -1, width: editorWidth}
}

// Text returns the text, byte for byte as it was typed and pasted.
func (e *editor) Text() string {
	return e.slice(textPos{}, e.end())
}

// SetText replaces the text and puts the caret at its end. It can be undone.
func (e *editor) SetText(s string) {
	e.action, e.goal = acted, -1
	e.change(textPos{}, e.end(), s)
}

// Empty reports whether there is no text at all.
func (e *editor) Empty() bool { return len(e.lines) == 1 && e.lines[0].text == "" }

// Insert puts s before the caret, unchanged. It is one step to undo.
func (e *editor) Insert(s string) {
	e.action, e.goal = acted, -1
	e.change(e.caret, e.caret, s)
}

// TakeBackslash makes a newline of the backslash before the caret and reports
// whether there was one: enter after a backslash is not meant to send.
func (e *editor) TakeBackslash() bool {
	before := textPos{e.caret.line, e.caret.off - 1}
	if before.off < 0 || e.lines[before.line].text[before.off] != '\\' {
		return false
	}
	e.action, e.goal = acted, -1
	e.change(before, e.caret, "\n")
	return true
}

// Offset returns where the caret is, in bytes from the beginning of the text.
func (e *editor) Offset() int {
	n := e.caret.off
	for _, l := range e.lines[:e.caret.line] {
		n += len(l.text) + 1
	}
	return n
}

// SetOffset moves the caret to the grapheme that begins at or contains byte n.
func (e *editor) SetOffset(n int) {
	e.action, e.goal = acted, -1
	p := textPos{}
	for n > len(e.lines[p.line].text) && p.line < len(e.lines)-1 {
		n -= len(e.lines[p.line].text) + 1
		p.line++
	}
	p.off = max(0, n)
	e.caret = e.before(p)
}

// content returns what is shown of line i: all but the "\r" of its line break.
func (e *editor) content(i int) string {
	text := e.lines[i].text
	if i < len(e.lines)-1 {
		text = strings.TrimSuffix(text, "\r")
	}
	return text
}

func (e *editor) end() textPos {
	last := len(e.lines) - 1
	return textPos{last, len(e.lines[last].text)}
}

// slice returns the text between two places.
func (e *editor) slice(from, to textPos) string {
	if from.line == to.line {
		return e.lines[from.line].text[from.off:to.off]
	}
	var b strings.Builder
	size := to.off - from.off
	for _, l := range e.lines[from.line:to.line] {
		size += len(l.text) + 1
	}
	b.Grow(size)
	b.WriteString(e.lines[from.line].text[from.off:])
	for _, l := range e.lines[from.line+1 : to.line] {
		b.WriteByte('\n')
		b.WriteString(l.text)
	}
	b.WriteByte('\n')
	b.WriteString(e.lines[to.line].text[:to.off])
	return b.String()
}

// before returns the last boundary between graphemes that is not after p.
func (e *editor) before(p textPos) textPos {
	from, to := e.around(p)
	if to == p.off {
		from = to
	}
	return textPos{p.line, from}
}

// after returns the first boundary between graphemes that is not before p.
func (e *editor) after(p textPos) textPos {
	_, to := e.around(p)
	return textPos{p.line, to}
}

// prev returns the boundary before the boundary p; that of a line's start is
// the end of the line above.
func (e *editor) prev(p textPos) textPos {
	switch {
	case p.off > 0:
		from, _ := e.around(p)
		return textPos{p.line, from}
	case p.line > 0:
		return textPos{p.line - 1, len(e.content(p.line - 1))}
	}
	return p
}

// next returns the boundary after the boundary p.
func (e *editor) next(p textPos) textPos {
	text := e.content(p.line)
	switch {
	case p.off < len(text):
		return textPos{p.line, p.off + graphemeLen(text[p.off:])}
	case p.line < len(e.lines)-1:
		return textPos{p.line + 1, 0}
	}
	return p
}

// around returns the grapheme of p's line that ends at p or contains it: from
// is before p.off and to at or after it. At a line's start both are 0.
func (e *editor) around(p textPos) (from, to int) {
	text := e.content(p.line)
	p.off = min(p.off, len(text))
	if p.off > 0 {
		from = e.surely(textPos{p.line, p.off - 1})
	}
	for to = from; to < p.off; {
		from = to
		to += graphemeLen(text[from:])
	}
	return from, to
}

// surely returns a boundary between graphemes that is not after p and, in
// nearly all text, near it.
func (e *editor) surely(p textPos) int {
	text := e.content(p.line)
	for i := p.off; i > 0 && i > p.off-4*graphemeBytes; {
		_, size := utf8.DecodeLastRuneInString(text[:i])
		if n, _ := plain(text, i-size); n == size {
			return i
		}
		i -= size
	}
	return e.rows(p.line, p.off).start(p.off)
}

// wordBack returns where the word before p begins.
func (e *editor) wordBack(p textPos) textPos {
	inWord := false
	for {
		text := e.content(p.line)[:p.off]
		if text == "" {
			if inWord || p.line == 0 {
				return p
			}
			p = e.prev(p)
			continue
		}
		r, n := utf8.DecodeLastRuneInString(text)
		if inWord && !wordRune(r) {
			return e.before(p)
		}
		inWord = inWord || wordRune(r)
		p.off -= n
	}
}

// wordForward returns where the word after p ends.
func (e *editor) wordForward(p textPos) textPos {
	inWord := false
	for {
		text := e.content(p.line)[p.off:]
		if text == "" {
			if inWord || p.line == len(e.lines)-1 {
				return p
			}
			p = e.next(p)
			continue
		}
		r, n := utf8.DecodeRuneInString(text)
		if inWord && !wordRune(r) {
			return e.after(p)
		}
		inWord = inWord || wordRune(r)
		p.off += n
	}
}
