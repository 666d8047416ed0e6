package editor

import (
	"strings"
	"unicode"
)

// operate cuts, changes or copies a part of the text or lines.
func (v *vim) operate(op string, from, to textPos, lines bool) {
	if from == to && !lines && op != "c" {
		return
	}
	v.ed.kills.add(killed{v.ed.slice(from, to), lines}, &v.ed.chips)
	switch {
	case op == "y":
		if !lines || from.line < v.ed.caret.line {
			v.ed.caret = from
		}
	case op == "d" && lines:
		v.deleteLines(from.line, to.line)
	default:
		v.ed.change(from, to, "")
		v.ed.caret = v.ed.before(from)
		if op == "c" {
			v.mode = vimInsert
		}
	}
}

// deleteLines deletes lines with the break after them or, of the last, before.
func (v *vim) deleteLines(first, last int) {
	from, to := textPos{first, 0}, textPos{last + 1, 0}
	if last == len(v.ed.lines)-1 {
		from, to = v.ed.prev(from), v.ed.end()
	}
	v.ed.change(from, to, "")
	v.toLine(first)
}

// toLine goes to the first letter of a line, or of the last one.
func (v *vim) toLine(line int) {
	line = min(line, len(v.ed.lines)-1)
	v.ed.caret = v.ed.before(textPos{line, v.indent(line)})
}

// openLine makes an empty line below or above p and returns where it is.
func (v *vim) openLine(key string, p textPos) textPos {
	at := textPos{line: p.line}
	if key == "o" {
		at.line++
	}
	v.insertLines(at, "")
	return at
}

// insertLines puts lines before the one that begins at a place, or behind the last.
func (v *vim) insertLines(at textPos, text string) {
	if at.line < len(v.ed.lines) {
		v.ed.change(at, at, text+"\n")
	} else {
		v.ed.change(v.ed.end(), v.ed.end(), "\n"+text)
	}
}

// paste puts what was cut or copied last behind the caret, or before it.
func (v *vim) paste(c vimCommand) {
	last, ok := v.ed.kills.newest()
	if !ok {
		return
	}
	n := max(1, min(c.times(), vimBytes/max(1, len(last.text))))
	at := v.ed.caret
	if !last.lines {
		if c.key == "p" {
			at = v.alongLine(at, 1)
		}
		v.ed.change(at, at, strings.Repeat(last.text, n))
		if v.ed.caret = v.ed.prev(v.ed.caret); strings.Contains(last.text, "\n") {
			v.ed.caret = v.ed.before(at)
		}
		return
	}
	if at.off = 0; c.key == "p" {
		at.line++
	}
	v.insertLines(at, strings.TrimSuffix(strings.Repeat(last.text+"\n", n), "\n"))
	v.toLine(at.line)
}

// replaceLetters puts a letter in the place of each of so many in the line.
func (v *vim) replaceLetters(c vimCommand) {
	p, to := v.ed.caret, v.ed.caret
	for n := c.times(); n > 0; n-- {
		if to.off >= len(v.ed.content(to.line)) {
			return
		}
		to = v.ed.next(to)
	}
	if c.letter == "\n" {
		v.ed.change(p, to, "\n")
		return
	}
	v.ed.change(p, to, strings.Repeat(c.letter, c.times()))
	v.ed.caret = v.ed.prev(v.ed.caret)
}

// replaceSelection puts a letter in the place of each that is selected.
func (v *vim) replaceSelection(from, to textPos, letter string) {
	var b strings.Builder
	for text := v.ed.slice(from, to); text != ""; {
		n := graphemeLen(text)
		if text[n-1] == '\n' {
			b.WriteString(text[:n])
		} else {
			b.WriteString(letter)
		}
		text = text[n:]
	}
	v.ed.change(from, to, b.String())
	v.ed.caret = v.ed.before(from)
}

// joinLines joins so many lines below to that of the caret.
func (v *vim) joinLines(n int) {
	for ; n > 0 && v.ed.caret.line < len(v.ed.lines)-1; n-- {
		line := v.ed.caret.line
		text, indent := v.ed.content(line), v.indent(line+1)
		rest := v.ed.content(line + 1)[indent:]
		space := " "
		if text == "" || strings.ContainsAny(text[len(text)-1:], " \t") || rest == "" || rest[0] == ')' {
			space = ""
		}
		at := textPos{line, len(text)}
		v.ed.change(at, textPos{line + 1, indent}, space)
		v.ed.caret = v.ed.before(at)
	}
}

// otherCase returns a letter in the other case.
func otherCase(_ bool, r rune) rune {
	if unicode.IsUpper(r) {
		return unicode.ToLower(r)
	}
	return unicode.ToUpper(r)
}
