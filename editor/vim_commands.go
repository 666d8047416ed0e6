package editor

import "strings"

// vimCommand is a command of NORMAL or VISUAL: a count, an operator and what
// it works on, or a motion or an action alone.
type vimCommand struct {
	count, again int    // before the operator and after it; 0 is none
	op           string // d, c or y; "" is none
	key          string // a motion, an object or an action: "w", "gg", "iw", "p"; that of op is its lines
	letter       string // what f, F, t, T and r name, as the lines hold it
	given        []vimInput
	// An operator on what was selected works again on as much: so many
	// graphemes, or lines.
	graphemes, lines int
}

// begun reports whether anything of it was typed.
func (c vimCommand) begun() bool { return c.counted() || c.op != "" || c.key != "" }

// waits reports whether its key needs another.
func (c vimCommand) waits() bool { return c.key != "" }

// letters reports whether what its key needs is any letter.
func (c vimCommand) letters() bool { return c.waits() && strings.Contains("fFtTr", c.key) }

func (c vimCommand) counted() bool { return c.count > 0 || c.again > 0 }

// times is the count, at least 1.
func (c vimCommand) times() int { return min(max(1, c.count)*max(1, c.again), vimCount) }

// typeKey takes one more key of a command, runs the command when that was the
// last, and reports whether the key was vim's.
func (v *vim) typeKey(key string) bool {
	c := &v.typing
	selecting := v.mode != vimNormal
	n := &c.count
	if c.op != "" {
		n = &c.again
	}
	switch {
	case c.letters():
		letter := encode(key)
		c.letter = letter[:graphemeLen(letter)]
	case c.waits():
		c.key += key
	case len(key) != 1:
		c.key = key
	case key >= "1" && key <= "9" || key == "0" && *n > 0:
		*n = min(*n*10+int(key[0]-'0'), vimCount)
		return true
	case c.op == "" && !selecting && strings.Contains("dcy", key):
		c.op = key
		return true
	default:
		c.key = key
		if strings.Contains("fFtTg", key) || key == "r" && c.op == "" || strings.Contains("ia", key) && (c.op != "" || selecting) {
			return true
		}
	}
	whole := *c
	*c = vimCommand{}
	return v.run(whole)
}

// vimShort are the commands that are short for another.
var vimShort = map[string]vimCommand{
	"x": {op: "d", key: "l"}, "X": {op: "d", key: "h"}, "s": {op: "c", key: "l"}, "S": {op: "c", key: "c"},
	"D": {op: "d", key: "$"}, "C": {op: "c", key: "$"}, "Y": {op: "y", key: "y"},
}

// run runs a command and reports whether its last key was vim's.
func (v *vim) run(c vimCommand) bool {
	goal, since, taken := v.ed.goal, v.ed.steps, true
	v.ed.action, v.ed.goal = acted, -1
	if short, ok := vimShort[c.key]; ok && c.op == "" && v.mode == vimNormal {
		c.op, c.key = short.op, short.key
	}
	done, selecting := c, false
	if v.mode != vimNormal {
		done, selecting = v.onSelection(c)
	}
	if !selecting {
		taken = v.do(c, goal)
	}
	if v.mode == vimInsert {
		v.began, v.given, v.since = done, nil, since
		return true
	}
	if v.ed.join(since); v.ed.steps > since && done.key != "." {
		v.last = done
	}
	v.ed.caret = v.fit(v.ed.caret)
	return taken
}

// do is run for all that does not depend on what is selected. Motions up
// and down that lead out of the text are not vim's, nor is "?" where there is
// no text.
func (v *vim) do(c vimCommand, goal int) bool {
	switch {
	case c.op != "":
		if from, to, lines, ok := v.operand(c); ok {
			v.operate(c.op, from, to, lines)
		}
		return true
	case c.key == "j" || c.key == "k" || c.key == "gj" || c.key == "gk":
		return v.moveRows(c, goal)
	case c.key == "?" && !c.counted():
		return !v.ed.Empty()
	}
	if m, ok := v.motion(c, v.ed.caret); ok {
		if v.ed.caret = m.to; c.key == "$" || c.key == "end" {
			v.ed.goal = 1 << 30
		}
		return true
	}
	if v.mode == vimNormal {
		v.act(c)
	}
	return true
}

// moveRows moves by rows, and reports whether it did so or may have been meant
// for nothing else.
func (v *vim) moveRows(c vimCommand, goal int) bool {
	step := v.ed.below
	if strings.HasSuffix(c.key, "k") {
		step = v.ed.above
	}
	for i := range c.times() {
		if !v.ed.vertical(goal, step) {
			return i > 0 || c.counted() || len(c.key) > 1 || v.mode != vimNormal
		}
		goal = v.ed.goal
	}
	return true
}

// act does what is neither a motion nor an operator.
func (v *vim) act(c vimCommand) {
	switch c.key {
	case "p", "P":
		v.paste(c)
	case "r":
		v.replaceLetters(c)
	case "~":
		to := v.alongLine(v.ed.caret, c.times())
		v.ed.change(v.ed.caret, to, recased(v.ed.slice(v.ed.caret, to), otherCase))
	case "J":
		v.joinLines(max(1, c.times()-1))
	case "u":
		for range min(c.times(), len(v.ed.past)) {
			v.ed.undo()
		}
	case ".":
		v.repeat(c)
	case "v":
		v.mode, v.anchor = vimVisual, v.ed.caret
	case "V":
		v.mode, v.anchor = vimLines, v.ed.caret
	case "i", "I", "a", "A", "o", "O":
		v.beginInsert(c.key)
	}
}

// beginInsert begins INSERT in one of six ways.
func (v *vim) beginInsert(key string) {
	p := v.ed.caret
	switch key {
	case "I":
		p.off = v.indent(p.line)
	case "a":
		p = v.alongLine(p, 1)
	case "A":
		p.off = len(v.ed.content(p.line))
	case "o", "O":
		p = v.openLine(key, p)
	}
	v.ed.caret, v.mode = p, vimInsert
}

// repeat does the last change once more, with another count if there is one.
func (v *vim) repeat(c vimCommand) {
	last := v.last
	if last.key == "" {
		return
	}
	if c.count > 0 {
		last.count, last.again = c.count, 0
	}
	if v.run(last); v.mode == vimInsert {
		v.replay(last.given)
		v.given = last.given
		v.endInsert()
	}
}

// redoStep does again what was taken back, and reports whether there was any.
func (v *vim) redoStep() bool {
	if len(v.ed.future) == 0 {
		return false
	}
	v.ed.redo()
	i := len(v.ed.past) - 1
	for i > 0 && v.ed.past[i].joined {
		i--
	}
	v.ed.action, v.ed.goal = acted, -1
	v.ed.caret = v.fit(v.ed.before(v.ed.past[i].at))
	return true
}
