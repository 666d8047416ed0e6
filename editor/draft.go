package editor

import (
	"strings"

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
	p := e.before(e.place(n))
	for isChip(e.lines[p.line].text[p.off:]) {
		p.off += codeLen
	}
	e.caret = p
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
