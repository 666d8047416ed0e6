package editor

import "strings"

// selection returns what VISUAL has selected: a part of the text, or lines
// without the break after the last.
func (v *vim) selection() (from, to textPos, lines bool) {
	from, to = v.anchor, v.ed.caret
	if to.before(from) {
		from, to = to, from
	}
	if v.mode == vimLines {
		from, to = v.wholeLines(from.line, to.line)
		return from, to, true
	}
	return from, v.ed.next(to), false
}

// onSelection does what works on the selection, and returns what "." does to
// do it again. ok is false if the command is not of these.
func (v *vim) onSelection(c vimCommand) (done vimCommand, ok bool) {
	from, to, lines := v.selection()
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
		v.anchor, v.ed.caret = v.ed.caret, v.anchor
		return c, true
	case "u", "U", "~":
		v.mode, v.ed.caret = vimNormal, from
		turn := map[string]func(bool, rune) rune{"u": lowerCase, "U": upperCase, "~": otherCase}[c.key]
		v.ed.change(from, to, recased(v.ed.slice(from, to), turn))
		v.ed.caret = v.ed.before(from)
		return vimCommand{}, true
	case "J":
		v.mode, v.ed.caret = vimNormal, from
		last := v.lastLine(from, to)
		v.joinLines(max(1, last-from.line))
		return vimCommand{count: last - from.line + 1, key: "J"}, true
	case "r":
		v.mode = vimNormal
		v.replaceSelection(from, to, c.letter)
		return vimCommand{}, true
	case "p", "P":
		v.exchangeSelection(from, to, lines)
		return vimCommand{}, true
	}
	if len(c.key) > 1 && strings.Contains("ia", c.key[:1]) {
		v.selectObject(c)
		return c, true
	}
	return v.operateOnSelection(c.key, from, to, lines)
}

// vimOperators are the operators that keys of VISUAL stand for; those in upper
// case work on whole lines.
var vimOperators = map[string]string{
	"d": "d", "x": "d", "D": "d", "X": "d", "c": "c", "s": "c", "C": "c", "S": "c", "R": "c", "y": "y", "Y": "y",
}

// operateOnSelection is onSelection for the operators.
func (v *vim) operateOnSelection(key string, from, to textPos, lines bool) (done vimCommand, ok bool) {
	op := vimOperators[key]
	if op == "" {
		return done, false
	}
	if !lines && strings.ToUpper(key) == key {
		lines = true
		from, to = v.wholeLines(from.line, v.lastLine(from, to))
	}
	done = vimCommand{op: op, key: op}
	if lines {
		done.lines = to.line - from.line + 1
	} else {
		for p := from; p.before(to) && done.graphemes < vimInputs; done.graphemes++ {
			p = v.ed.next(p)
		}
	}
	v.mode, v.ed.caret = vimNormal, from
	v.operate(op, from, to, lines)
	return done, true
}

// lastLine is the last line of a selection, which may end before the next one.
func (v *vim) lastLine(from, to textPos) int {
	if to.off == 0 && to.line > from.line {
		return to.line - 1
	}
	return to.line
}

// selectObject selects an object.
func (v *vim) selectObject(c vimCommand) {
	from, to, lines, ok := v.object(c, v.ed.caret)
	if !ok || from == to && !lines {
		return
	}
	v.anchor, v.ed.caret = v.ed.before(from), v.ed.prev(v.ed.after(to))
	if lines {
		v.mode, v.ed.caret = vimLines, v.fit(to)
	}
}

// exchangeSelection puts what was cut or copied last in the place of the selection,
// which is cut.
func (v *vim) exchangeSelection(from, to textPos, lines bool) {
	v.mode, v.ed.caret = vimNormal, from
	last, ok := v.ed.kills.newest()
	if !ok {
		return
	}
	v.ed.kills.add(killed{v.ed.slice(from, to), lines}, &v.ed.chips)
	text := last.text
	if last.lines && !lines {
		text = "\n" + text + "\n"
	}
	v.ed.change(from, to, text)
	if v.ed.caret = v.ed.prev(v.ed.caret); lines || strings.Contains(text, "\n") {
		v.ed.caret = v.ed.before(from)
	}
	if last.lines && !lines {
		v.toLine(from.line + 1)
	}
}
