// Package editor is a text editor of many lines for a terminal: exact bytes,
// chips, undo, a kill ring, readline's keys or vim's. The text area of bubbles is
// not used for it: a key there costs milliseconds for each kilobyte of text, and it
// has no undo, no kill ring, no chips, and not the exact bytes of what is pasted.
package editor

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/theme"
)

// Editor is a small text editor of many lines, for prompts. It keeps the exact
// bytes it was given, whatever they are, and shows them safe: a tab is spaces,
// what would be hidden or would drive the terminal is a visible token. Chips
// stand between the letters and count as one. A key costs what is on the
// screen, not what is in the text or in chips; only bytes of the line being
// edited are copied.
//
// It is not safe for concurrent use. Make one with New.
type Editor struct {
	lines  []textLine // at least one; joined by "\n" they are the text
	caret  textPos    // between two graphemes, never inside a line break
	goal   int        // the column that up and down aim at; -1 is that of the caret
	top    textPos    // a position in the first row shown
	width  int        // cells of a row when last drawn
	method ansi.Method
	spans  func(line string, first bool) []Span

	action action // what the last key did
	undoHistory
	version uint64 // changes whenever the text does
	kills   killRing
	chips   chips
	vim     *vim // nil: off
}

// textLine is one line of the text without its "\n", with codes for chips. A
// "\r" before that is part of the line break: it is kept, and neither shown nor
// editable by itself.
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

// New returns an empty editor.
func New() *Editor {
	dots := new(theme.Theme).Glyph(theme.MarkEllipsis)
	return &Editor{lines: make([]textLine, 1), goal: -1, width: editorWidth, chips: chips{dots: dots}}
}

// Empty reports whether there is no text at all.
func (e *Editor) Empty() bool { return len(e.lines) == 1 && e.lines[0].text == "" }

// Insert puts s before the caret, unchanged. It is one step to undo.
func (e *Editor) Insert(s string) { e.put(encode(s)) }

// put is Insert for text as the lines hold it. Like a paste in vim, it takes
// the place of what is selected, and in NORMAL follows the last letter of a
// line when the caret is on that.
func (e *Editor) put(s string) {
	from, to := e.caret, e.caret
	switch v := e.vim; {
	case v == nil:
	case v.mode == vimInsert:
		v.record(vimInput{text: s})
	case v.mode == vimNormal:
		if next := e.next(from); next.line == from.line && next.off == len(e.content(from.line)) {
			from, to = next, next
		}
		e.endRun()
	default:
		from, to, _ = v.selection()
		e.endRun()
	}
	e.action, e.goal = acted, -1
	e.change(from, to, s)
}

// TakeBackslash makes a newline of the backslash before the caret and reports
// whether there was one: enter after a backslash is not meant to send.
func (e *Editor) TakeBackslash() bool {
	before := textPos{e.caret.line, e.caret.off - 1}
	if before.off < 0 || e.lines[before.line].text[before.off] != '\\' || e.vim != nil && e.vim.mode != vimInsert {
		return false
	}
	e.action, e.goal = acted, -1
	if e.vim != nil {
		e.vim.record(vimInput{key: tea.KeyPressMsg{Code: tea.KeyBackspace}}, vimInput{text: "\n"})
	}
	e.change(before, e.caret, "\n")
	return true
}

// exchange is change for what no key did. It is a step to undo of its own.
func (e *Editor) exchange(from, to textPos, s string) {
	e.endRun()
	if e.change(from, to, s); e.vim != nil {
		e.vim.since = e.steps
	}
}

// endRun ends what keys before have begun: a run of typing, a motion by rows,
// a vim command.
func (e *Editor) endRun() {
	e.action, e.goal = acted, -1
	if e.vim != nil {
		e.vim.reset(e.steps)
	}
}

// content returns what is shown of line i: all but the "\r" of its line break.
func (e *Editor) content(i int) string {
	text := e.lines[i].text
	if i < len(e.lines)-1 {
		text = strings.TrimSuffix(text, "\r")
	}
	return text
}

func (e *Editor) end() textPos {
	last := len(e.lines) - 1
	return textPos{last, len(e.lines[last].text)}
}

// slice returns the text between two places.
func (e *Editor) slice(from, to textPos) string {
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
func (e *Editor) before(p textPos) textPos {
	from, to := e.around(p)
	if to == p.off {
		from = to
	}
	return textPos{p.line, from}
}

// after returns the first boundary between graphemes that is not before p.
func (e *Editor) after(p textPos) textPos {
	_, to := e.around(p)
	return textPos{p.line, to}
}

// prev returns the boundary before the boundary p; that of a line's start is
// the end of the line above.
func (e *Editor) prev(p textPos) textPos {
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
func (e *Editor) next(p textPos) textPos {
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
func (e *Editor) around(p textPos) (from, to int) {
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
func (e *Editor) surely(p textPos) int {
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
