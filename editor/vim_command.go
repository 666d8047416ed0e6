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

// vimType takes one more key of a command, runs the command when that was the
// last, and reports whether the key was vim's.
func (e *Editor) vimType(key string) bool {
	v := e.vim
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
	return e.vimRun(whole)
}

// vimShort are the commands that are short for another.
var vimShort = map[string]vimCommand{
	"x": {op: "d", key: "l"}, "X": {op: "d", key: "h"}, "s": {op: "c", key: "l"}, "S": {op: "c", key: "c"},
	"D": {op: "d", key: "$"}, "C": {op: "c", key: "$"}, "Y": {op: "y", key: "y"},
}

// vimRun runs a command and reports whether its last key was vim's.
func (e *Editor) vimRun(c vimCommand) bool {
	v := e.vim
	goal, since, taken := e.goal, e.steps, true
	e.action, e.goal = acted, -1
	if short, ok := vimShort[c.key]; ok && c.op == "" && v.mode == vimNormal {
		c.op, c.key = short.op, short.key
	}
	done, selecting := c, false
	if v.mode != vimNormal {
		done, selecting = e.vimSelecting(c)
	}
	if !selecting {
		taken = e.vimDo(c, goal)
	}
	if v.mode == vimInsert {
		v.began, v.given, v.since = done, nil, since
		return true
	}
	if e.join(since); e.steps > since && done.key != "." {
		v.last = done
	}
	e.caret = e.fit(e.caret)
	return taken
}

// vimDo is vimRun for all that does not depend on what is selected. Motions up
// and down that lead out of the text are not vim's, nor is "?" where there is
// no text.
func (e *Editor) vimDo(c vimCommand, goal int) bool {
	switch {
	case c.op != "":
		if from, to, lines, ok := e.vimRange(c); ok {
			e.vimOperate(c.op, from, to, lines)
		}
		return true
	case c.key == "j" || c.key == "k" || c.key == "gj" || c.key == "gk":
		return e.vimRows(c, goal)
	case c.key == "?" && !c.counted():
		return !e.Empty()
	}
	if m, ok := e.vimFollow(c, e.caret); ok {
		if e.caret = m.to; c.key == "$" || c.key == "end" {
			e.goal = 1 << 30
		}
		return true
	}
	if e.vim.mode == vimNormal {
		e.vimAct(c)
	}
	return true
}

// vimRows moves by rows, and reports whether it did so or may have been meant
// for nothing else.
func (e *Editor) vimRows(c vimCommand, goal int) bool {
	step := e.below
	if strings.HasSuffix(c.key, "k") {
		step = e.above
	}
	for i := range c.times() {
		if !e.vertical(goal, step) {
			return i > 0 || c.counted() || len(c.key) > 1 || e.vim.mode != vimNormal
		}
		goal = e.goal
	}
	return true
}

// vimAct does what is neither a motion nor an operator.
func (e *Editor) vimAct(c vimCommand) {
	switch c.key {
	case "p", "P":
		e.vimPut(c)
	case "r":
		e.vimReplace(c)
	case "~":
		to := e.alongLine(e.caret, c.times())
		e.change(e.caret, to, recased(e.slice(e.caret, to), otherCase))
	case "J":
		e.vimJoin(max(1, c.times()-1))
	case "u":
		for range min(c.times(), len(e.past)) {
			e.undo()
		}
	case ".":
		e.vimAgain(c)
	case "v":
		e.vim.mode, e.vim.anchor = vimVisual, e.caret
	case "V":
		e.vim.mode, e.vim.anchor = vimLines, e.caret
	case "i", "I", "a", "A", "o", "O":
		e.vimBegin(c.key)
	}
}

// vimBegin begins INSERT in one of six ways.
func (e *Editor) vimBegin(key string) {
	p := e.caret
	switch key {
	case "I":
		p.off = e.indent(p.line)
	case "a":
		p = e.alongLine(p, 1)
	case "A":
		p.off = len(e.content(p.line))
	case "o", "O":
		p = e.vimOpen(key, p)
	}
	e.caret, e.vim.mode = p, vimInsert
}

// vimAgain does the last change once more, with another count if there is one.
func (e *Editor) vimAgain(c vimCommand) {
	last := e.vim.last
	if last.key == "" {
		return
	}
	if c.count > 0 {
		last.count, last.again = c.count, 0
	}
	if e.vimRun(last); e.vim.mode == vimInsert {
		e.replay(last.given)
		e.vim.given = last.given
		e.vimEndInsert()
	}
}

// vimRedo does again what was taken back, and reports whether there was any.
func (e *Editor) vimRedo() bool {
	if len(e.future) == 0 {
		return false
	}
	e.redo()
	i := len(e.past) - 1
	for i > 0 && e.past[i].joined {
		i--
	}
	e.action, e.goal = acted, -1
	e.caret = e.fit(e.before(e.past[i].at))
	return true
}
