package editor

import (
	"strings"
	"unicode"
)

// vimSelection returns what VISUAL has selected: a part of the text, or lines
// without the break after the last.
func (e *Editor) vimSelection() (from, to textPos, lines bool) {
	from, to = e.vim.anchor, e.caret
	if to.before(from) {
		from, to = to, from
	}
	if e.vim.mode == vimLines {
		from, to = e.wholeLines(from.line, to.line)
		return from, to, true
	}
	return from, e.next(to), false
}

// vimSelecting does what works on the selection, and returns what "." does to
// do it again. ok is false if the command is not of these.
func (e *Editor) vimSelecting(c vimCommand) (done vimCommand, ok bool) {
	v := e.vim
	from, to, lines := e.vimSelection()
	switch c.key {
	case "v", "V":
		mode := vimVisual
		if c.key == "V" {
			mode = vimLines
		}
		if v.mode == mode {
			mode = vimNormal
		}
		v.mode = mode
		return c, true
	case "o", "O":
		v.anchor, e.caret = e.caret, v.anchor
		return c, true
	case "u", "U", "~":
		v.mode, e.caret = vimNormal, from
		turn := map[string]func(bool, rune) rune{"u": lowerCase, "U": upperCase, "~": otherCase}[c.key]
		e.change(from, to, recased(e.slice(from, to), turn))
		e.caret = e.before(from)
		return vimCommand{}, true
	case "J":
		v.mode, e.caret = vimNormal, from
		last := e.vimLast(from, to)
		e.vimJoin(max(1, last-from.line))
		return vimCommand{count: last - from.line + 1, key: "J"}, true
	case "r":
		v.mode = vimNormal
		e.vimReplaceAll(from, to, c.letter)
		return vimCommand{}, true
	case "p", "P":
		e.vimExchange(from, to, lines)
		return vimCommand{}, true
	}
	if len(c.key) > 1 && strings.Contains("ia", c.key[:1]) {
		e.vimSelect(c)
		return c, true
	}
	return e.vimOnSelection(c.key, from, to, lines)
}

func lowerCase(_ bool, r rune) rune { return unicode.ToLower(r) }

func upperCase(_ bool, r rune) rune { return unicode.ToUpper(r) }

// vimOperators are the operators that keys of VISUAL stand for; those in upper
// case work on whole lines.
var vimOperators = map[string]string{
	"d": "d", "x": "d", "D": "d", "X": "d", "c": "c", "s": "c", "C": "c", "S": "c", "R": "c", "y": "y", "Y": "y",
}

// vimOnSelection is vimSelecting for the operators.
func (e *Editor) vimOnSelection(key string, from, to textPos, lines bool) (done vimCommand, ok bool) {
	op := vimOperators[key]
	if op == "" {
		return done, false
	}
	if !lines && strings.ToUpper(key) == key {
		lines = true
		from, to = e.wholeLines(from.line, e.vimLast(from, to))
	}
	done = vimCommand{op: op, key: op}
	if lines {
		done.lines = to.line - from.line + 1
	} else {
		for p := from; p.before(to) && done.graphemes < vimInputs; done.graphemes++ {
			p = e.next(p)
		}
	}
	e.vim.mode, e.caret = vimNormal, from
	e.vimOperate(op, from, to, lines)
	return done, true
}

// vimLast is the last line of a selection, which may end before the next one.
func (e *Editor) vimLast(from, to textPos) int {
	if to.off == 0 && to.line > from.line {
		return to.line - 1
	}
	return to.line
}

// vimSelect selects an object.
func (e *Editor) vimSelect(c vimCommand) {
	from, to, lines, ok := e.vimObject(c, e.caret)
	if !ok || from == to && !lines {
		return
	}
	e.vim.anchor, e.caret = e.before(from), e.prev(e.after(to))
	if lines {
		e.vim.mode, e.caret = vimLines, e.fit(to)
	}
}

// vimExchange puts what was cut or copied last in the place of the selection,
// which is cut.
func (e *Editor) vimExchange(from, to textPos, lines bool) {
	e.vim.mode, e.caret = vimNormal, from
	if len(e.ring) == 0 {
		return
	}
	last := e.ring[len(e.ring)-1]
	e.keep(killed{e.slice(from, to), lines})
	text := last.text
	if last.lines && !lines {
		text = "\n" + text + "\n"
	}
	e.change(from, to, text)
	if e.caret = e.prev(e.caret); lines || strings.Contains(text, "\n") {
		e.caret = e.before(from)
	}
	if last.lines && !lines {
		e.toLine(from.line + 1)
	}
}
