package editor

import "github.com/charmbracelet/x/ansi"

// CaretLine returns the line that the caret is in, counted from 0, and where in
// it, in bytes of Line.
func (e *Editor) CaretLine() (line, at int) { return e.caret.line, e.caret.off }

// LineLen is the length of a line in bytes, with four for each chip; 0 if there is
// no such line.
func (e *Editor) LineLen(line int) int {
	if line >= len(e.lines) {
		return 0
	}
	return len(e.lines[line].text)
}

// LineCount is how many lines there are, which is never 0.
func (e *Editor) LineCount() int { return len(e.lines) }

// Line returns bytes of a line, as far as it has them, with spaces for chips. It
// costs what it returns.
func (e *Editor) Line(line, from, to int) string {
	n := e.LineLen(line)
	if to = min(to, n); from >= to {
		return ""
	}
	return withoutCodes(e.lines[line].text[from:to])
}

// ReplaceInLine puts text, unchanged, in the place of bytes that a line has. It is a
// step to undo of its own, and the caret is behind the text.
func (e *Editor) ReplaceInLine(line, from, to int, text string) {
	e.exchange(textPos{line, from}, textPos{line, to}, encode(text))
}

// Delete removes n bytes from byte at on, counted in the text of Draft. It is a step
// to undo of its own.
func (e *Editor) Delete(at, n int) { e.exchange(e.place(at), e.place(at+n), "") }

// Version changes whenever the text does.
func (e *Editor) Version() uint64 { return e.version }

// SetWidthMethod says how the terminal counts cells (mode 2027). It places the
// caret; rows fit their width by either count.
func (e *Editor) SetWidthMethod(m ansi.Method) { e.method = m }

// SetHighlighter says how parts of a line are drawn: in order, in bytes of line,
// which is one of the lines in sight or a part of it, with spaces for chips. first
// says that it begins the text. Nil draws all as text.
func (e *Editor) SetHighlighter(f func(line string, first bool) []Span) { e.spans = f }
