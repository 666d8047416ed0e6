package editor

import (
	"strings"
	"unicode"
)

// vimOperate cuts, changes or copies a part of the text or lines.
func (e *Editor) vimOperate(op string, from, to textPos, lines bool) {
	if from == to && !lines && op != "c" {
		return
	}
	e.keep(killed{e.slice(from, to), lines})
	switch {
	case op == "y":
		if !lines || from.line < e.caret.line {
			e.caret = from
		}
	case op == "d" && lines:
		e.deleteLines(from.line, to.line)
	default:
		e.change(from, to, "")
		e.caret = e.before(from)
		if op == "c" {
			e.vim.mode = vimInsert
		}
	}
}

// deleteLines deletes lines with the break after them or, of the last, before.
func (e *Editor) deleteLines(first, last int) {
	from, to := textPos{first, 0}, textPos{last + 1, 0}
	if last == len(e.lines)-1 {
		from, to = e.prev(from), e.end()
	}
	e.change(from, to, "")
	e.toLine(first)
}

// toLine goes to the first letter of a line, or of the last one.
func (e *Editor) toLine(line int) {
	line = min(line, len(e.lines)-1)
	e.caret = e.before(textPos{line, e.indent(line)})
}

// vimOpen makes an empty line below or above p and returns where it is.
func (e *Editor) vimOpen(key string, p textPos) textPos {
	at := textPos{line: p.line}
	if key == "o" {
		at.line++
	}
	if at.line < len(e.lines) {
		e.change(at, at, "\n")
	} else {
		e.change(e.end(), e.end(), "\n")
	}
	return at
}

// vimPut puts what was cut or copied last behind the caret, or before it.
func (e *Editor) vimPut(c vimCommand) {
	if len(e.ring) == 0 {
		return
	}
	last := e.ring[len(e.ring)-1]
	n := max(1, min(c.times(), vimBytes/max(1, len(last.text))))
	at := e.caret
	if !last.lines {
		if c.key == "p" {
			at = e.alongLine(at, 1)
		}
		e.change(at, at, strings.Repeat(last.text, n))
		if e.caret = e.prev(e.caret); strings.Contains(last.text, "\n") {
			e.caret = e.before(at)
		}
		return
	}
	text := strings.Repeat(last.text+"\n", n)
	if at.off = 0; c.key == "p" {
		at.line++
	}
	if at.line < len(e.lines) {
		e.change(at, at, text)
	} else {
		e.change(e.end(), e.end(), "\n"+text[:len(text)-1])
	}
	e.toLine(at.line)
}

// vimReplace puts a letter in the place of each of so many in the line.
func (e *Editor) vimReplace(c vimCommand) {
	p, to := e.caret, e.caret
	for n := c.times(); n > 0; n-- {
		if to.off >= len(e.content(to.line)) {
			return
		}
		to = e.next(to)
	}
	if c.letter == "\n" {
		e.change(p, to, "\n")
		return
	}
	e.change(p, to, strings.Repeat(c.letter, c.times()))
	e.caret = e.prev(e.caret)
}

// vimReplaceAll puts a letter in the place of each that is selected.
func (e *Editor) vimReplaceAll(from, to textPos, letter string) {
	var b strings.Builder
	for text := e.slice(from, to); text != ""; {
		n := graphemeLen(text)
		if text[n-1] == '\n' {
			b.WriteString(text[:n])
		} else {
			b.WriteString(letter)
		}
		text = text[n:]
	}
	e.change(from, to, b.String())
	e.caret = e.before(from)
}

// vimJoin joins so many lines below to that of the caret.
func (e *Editor) vimJoin(n int) {
	for ; n > 0 && e.caret.line < len(e.lines)-1; n-- {
		line := e.caret.line
		text, indent := e.content(line), e.indent(line+1)
		rest := e.content(line + 1)[indent:]
		space := " "
		if text == "" || strings.ContainsAny(text[len(text)-1:], " \t") || rest == "" || rest[0] == ')' {
			space = ""
		}
		at := textPos{line, len(text)}
		e.change(at, textPos{line + 1, indent}, space)
		e.caret = e.before(at)
	}
}

// otherCase returns a letter in the other case.
func otherCase(_ bool, r rune) rune {
	if unicode.IsUpper(r) {
		return unicode.ToLower(r)
	}
	return unicode.ToUpper(r)
}
