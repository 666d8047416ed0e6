package editor

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"parley/history/drafts"
)

// Text returns the text that is sent: what was typed and pasted, byte for
// byte, with the text of the chips in their places.
func (e *Editor) Text() string {
	text := e.slice(textPos{}, e.end())
	if strings.IndexByte(text, codeByte) < 0 {
		return text
	}
	return e.Draft().Prompt()
}

// SetText replaces everything and puts the caret at the end. It can be undone.
func (e *Editor) SetText(s string) {
	e.exchange(textPos{}, e.end(), encode(s))
}

// Draft returns everything that is in the editor. It costs what was typed, not
// what the chips stand for.
func (e *Editor) Draft() drafts.Draft {
	text := e.slice(textPos{}, e.end())
	d := drafts.Draft{Text: text, Caret: e.Offset(), Behind: e.chipsBefore(e.caret)}
	at := strings.IndexByte(text, codeByte)
	if at < 0 {
		return d
	}
	var b strings.Builder
	b.Grow(len(text))
	for ; at >= 0; at = strings.IndexByte(text, codeByte) {
		b.WriteString(text[:at])
		if l := e.chips.find(text[at:]); l != nil {
			chip := l.chip
			chip.At = b.Len()
			d.Chips = append(d.Chips, chip)
		} else {
			b.WriteByte(codeByte)
		}
		text = text[at+codeLen:]
	}
	b.WriteString(text)
	d.Text = b.String()
	return d
}

// SetDraft replaces everything and puts the caret where it was in the draft.
// It is one step to undo. Attachments are kept, not copied.
func (e *Editor) SetDraft(d drafts.Draft) {
	e.sweep()
	var b strings.Builder
	from := 0
	for _, c := range d.Chips {
		at := min(max(c.At, from), len(d.Text))
		b.WriteString(encode(d.Text[from:at]))
		b.WriteString(e.chips.code(c))
		from = at
	}
	b.WriteString(encode(d.Text[from:]))
	steps := e.steps
	e.exchange(textPos{}, e.end(), b.String())
	e.caret = e.before(e.place(d.Caret))
	for range d.Behind {
		if !isChip(e.lines[e.caret.line].text[e.caret.off:]) {
			break
		}
		e.caret.off += codeLen
	}
	if e.steps > steps {
		e.past[len(e.past)-1].after = e.caret
	}
}

// Offset returns where the caret is in the text of Draft, in bytes: chips do
// not count.
func (e *Editor) Offset() int { return e.offset(e.caret) }

func (e *Editor) offset(p textPos) int {
	n := plainLen(e.lines[p.line].text[:p.off])
	for _, l := range e.lines[:p.line] {
		n += plainLen(l.text) + 1
	}
	return n
}

// SetOffset moves the caret to the grapheme that begins at or contains byte n
// of the text of Draft, and behind the chips that stand there.
func (e *Editor) SetOffset(n int) {
	e.endRun()
	e.caret = behindChips(e.lines, e.before(e.place(n)))
}

// behindChips is where the chips that stand at p end.
func behindChips(lines []textLine, p textPos) textPos {
	for isChip(lines[p.line].text[p.off:]) {
		p.off += codeLen
	}
	return p
}

// chipsBefore is how many chips stand directly before p.
func (e *Editor) chipsBefore(p textPos) int {
	text, n := e.lines[p.line].text[:p.off], 0
	for len(text) >= codeLen && isChip(text[len(text)-codeLen:]) {
		text = text[:len(text)-codeLen]
		n++
	}
	return n
}

// place returns where byte n of the text without chips is, before the chips
// that stand there.
func (e *Editor) place(n int) textPos {
	p := textPos{}
	for ; p.line < len(e.lines)-1; p.line++ {
		size := plainLen(e.lines[p.line].text)
		if n <= size {
			break
		}
		n -= size + 1
	}
	text := e.lines[p.line].text
	for n > 0 && p.off < len(text) {
		at := strings.IndexByte(text[p.off:], codeByte)
		if at < 0 || at >= n {
			p.off = min(p.off+n, len(text))
			break
		}
		p.off += at
		n -= at
		if !isChip(text[p.off:]) {
			n--
		}
		p.off += codeLen
	}
	return p
}

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

// CompleteInLine is ReplaceInLine with a blank behind the text, for which one that is there
// serves. Where the blank yields, punctuation that is typed next goes in front of it: it
// belongs to what was completed, as the lines in :3-9 do.
func CompleteInLine(e *Editor, line, from, to int, text string, yields bool) {
	if e.Line(line, to, to+1) == " " {
		to++
	}
	e.ReplaceInLine(line, from, to, text+" ")
	if yields {
		e.action = completed
	}
}

// beforeBlank is where punctuation goes in front of the blank before the caret, and what of the
// blank there it takes the place of: all of it at the end of a line.
func (e *Editor) beforeBlank() (from, to textPos) {
	from, to = e.prev(e.caret), e.caret
	if to.off < len(e.content(to.line)) {
		to = from
	}
	return from, to
}

// Delete removes n bytes from byte at on, counted in the text of Draft, but no chip before
// them or behind them. It is a step to undo of its own, and the caret is where they were.
func (e *Editor) Delete(at, n int) { e.exchange(behindChips(e.lines, e.place(at)), e.place(at+n), "") }

// Version changes whenever the text does.
func (e *Editor) Version() uint64 { return e.version }

// SetWidthMethod sets how the terminal counts cells (mode 2027). It places the
// caret; rows fit their width by either count.
func (e *Editor) SetWidthMethod(m ansi.Method) { e.method = m }

// SetHighlighter sets how parts of a line are drawn: in order, in bytes of line,
// which is one of the lines in sight or a part of it, with spaces for chips. first
// says that it begins the text. Nil draws all as text.
func (e *Editor) SetHighlighter(f func(line string, first bool) []Span) { e.spans = f }
