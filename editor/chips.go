package editor

import (
	"slices"
	"strings"
	"unicode/utf8"

	"parley/history/drafts"
)

// In the lines of the editor a chip is one rune of the private use plane 16,
// its code. The byte that begins all these runes begins nothing else there:
// where a text has it itself, an escape takes its place. So no text is taken
// for a chip, whatever its bytes, nor can two pieces of text come together and
// form one.
const (
	codeByte   = 0xf4
	codeEscape = "\U00100000" // the byte codeByte itself
	firstCode  = 0x100001
	lastCode   = 0x10fffd
	codeLen    = 4
)

// encode returns text as the lines hold it.
func encode(s string) string {
	if strings.IndexByte(s, codeByte) < 0 {
		return s
	}
	return strings.ReplaceAll(s, "\xf4", codeEscape)
}

// isChip reports whether s, of a line, begins with a chip.
func isChip(s string) bool {
	return s != "" && s[0] == codeByte && !strings.HasPrefix(s, codeEscape)
}

// codedLen is the length of the grapheme of s, of a line, that begins with
// codeByte: a chip, or an escape with the rest of the rune that it begins.
func codedLen(s string) int {
	if !strings.HasPrefix(s, codeEscape) {
		return codeLen
	}
	if rest := s[codeLen:]; len(rest) >= 3 && rest[0] >= 0x80 && rest[0] <= 0x8f && !utf8.RuneStart(rest[1]) && !utf8.RuneStart(rest[2]) {
		return codeLen + 3
	}
	return codeLen
}

// plainLen is how many bytes s, of a line, is of the text without chips.
func plainLen(s string) int {
	codes := strings.Count(s, "\xf4")
	if codes == 0 {
		return len(s)
	}
	return len(s) - codeLen*codes + strings.Count(s, codeEscape)
}

// chips are the chips that codes stand for: those in the lines, in what can be
// undone and in what was cut.
type chips struct {
	known []*label // by code, from firstCode on; nil is free
	dots  string   // ends what is cut
	count int
	bytes int
	// Beyond these, what nothing refers to any more is looked for.
	mostCount, mostBytes int
}

// What chips may be before the first look for those that can go.
const (
	chipCount = 64
	chipBytes = 32 << 20
)

// find returns the label of the chip that s begins with; nil if s begins with no chip.
func (c *chips) find(s string) *label {
	if c == nil || !isChip(s) {
		return nil
	}
	r, _ := utf8.DecodeRuneInString(s)
	if i := int(r) - firstCode; i >= 0 && i < len(c.known) {
		return c.known[i]
	}
	return nil
}

// code returns what stands for a chip in the lines. Equal chips share a code.
// A chip beyond the last code, of 65,000, is its text.
func (c *chips) code(chip drafts.Chip) string {
	chip.At = 0
	free := -1
	for i, l := range c.known {
		switch {
		case l == nil:
			free = i
		case l.chip == chip:
			return string(rune(firstCode + i))
		}
	}
	if free < 0 {
		if free = len(c.known); firstCode+free > lastCode {
			return encode(drafts.Draft{Chips: []drafts.Chip{chip}}.Prompt())
		}
		c.known = append(c.known, nil)
	}
	c.known[free] = &label{chip: chip}
	c.count++
	c.bytes += chipSize(chip)
	return string(rune(firstCode + free))
}

// chipSize is about how many bytes a chip keeps.
func chipSize(chip drafts.Chip) int {
	n := len(chip.Paste)
	if a := chip.Attachment; a != nil {
		n += len(a.Data) + len(a.Text)
	}
	return n
}

// in calls visit with the label of each code in s, of lines; nil is a code without
// a chip.
func (c *chips) in(s string, visit func(*label)) {
	for i := strings.IndexByte(s, codeByte); i >= 0; i = strings.IndexByte(s, codeByte) {
		visit(c.find(s[i:]))
		s = s[i+codeLen:]
	}
}

// size is how many bytes s, of lines, keeps with its chips.
func (c *chips) size(s string) int {
	n := len(s)
	c.in(s, func(l *label) {
		if l != nil {
			n += chipSize(l.chip)
		}
	})
	return n
}

// sweep frees the codes that nothing refers to, when many chips were made
// since it last did.
func (e *Editor) sweep() {
	c := &e.chips
	if c.count < max(chipCount, c.mostCount) && c.bytes < max(chipBytes, c.mostBytes) {
		return
	}
	used := map[*label]bool{}
	e.eachText(func(s string) { c.in(s, func(l *label) { used[l] = true }) })
	c.count, c.bytes = 0, 0
	for i, l := range c.known {
		if !used[l] {
			c.known[i] = nil
		} else if l != nil {
			c.count++
			c.bytes += chipSize(l.chip)
		}
	}
	c.mostCount, c.mostBytes = 2*c.count, 2*c.bytes
}

// eachText calls visit with everything that may hold a code.
func (e *Editor) eachText(visit func(string)) {
	for _, l := range e.lines {
		visit(l.text)
	}
	for _, steps := range [][]textEdit{e.past, e.future} {
		for _, step := range steps {
			visit(step.removed)
			visit(step.inserted)
		}
	}
	for _, k := range e.kills.cuts {
		visit(k.text)
	}
	if e.vim != nil {
		for _, in := range slices.Concat(e.vim.given, e.vim.last.given) {
			visit(in.text)
		}
	}
}

// InsertChip puts a chip before the caret; where it says to stand does not
// count. It is one step to undo. The attachment is kept, not copied.
func (e *Editor) InsertChip(chip drafts.Chip) {
	e.sweep()
	e.put(e.chips.code(chip))
}

// ChipAt returns the chip at the caret or, if no chip is there, just before it.
func (e *Editor) ChipAt() (drafts.Chip, bool) {
	l, p := e.chipAt()
	if l == nil {
		return drafts.Chip{}, false
	}
	chip := l.chip
	chip.At = e.offset(p)
	return chip, true
}

func (e *Editor) chipAt() (*label, textPos) {
	p := e.caret
	if l := e.chips.find(e.content(p.line)[p.off:]); l != nil {
		return l, p
	}
	if p.off >= codeLen {
		p.off -= codeLen
		return e.chips.find(e.content(p.line)[p.off:]), p
	}
	return nil, p
}

// Expand puts the text of the paste at the caret, or just before it, in the
// place of its chip, and reports whether there was one. It is one step to undo.
func (e *Editor) Expand() bool {
	l, p := e.chipAt()
	if l == nil || l.chip.Attachment != nil {
		return false
	}
	e.exchange(p, textPos{p.line, p.off + codeLen}, encode(l.chip.Paste))
	return true
}
