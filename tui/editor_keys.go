package tui

import tea "charm.land/bubbletea/v2"

// Update does what a key says and reports whether the key is the editor's. Up
// in the first row and down in the last are not: they ask for history. Enter
// is not either: its newline comes with shift, alt, or as ctrl+j. The keys are
// those of the shells (emacs), so far as Copilot has no other use for them.
func (e *editor) Update(key tea.KeyPressMsg) bool {
	was, goal := e.action, e.goal
	e.action, e.goal = acted, -1
	switch key.Keystroke() {
	case "left", "ctrl+b":
		e.caret = e.prev(e.caret)
	case "right", "ctrl+f":
		e.caret = e.next(e.caret)
	case "ctrl+left", "alt+left", "alt+b":
		e.caret = e.wordBack(e.caret)
	case "ctrl+right", "alt+right", "alt+f":
		e.caret = e.wordForward(e.caret)
	case "home", "ctrl+a":
		e.caret.off = 0
	case "end", "ctrl+e":
		e.caret.off = len(e.content(e.caret.line))
	case "ctrl+home":
		e.caret = textPos{}
	case "ctrl+end":
		e.caret = e.end()
	case "up":
		return e.vertical(goal, e.above)
	case "down":
		return e.vertical(goal, e.below)
	default:
		return e.edit(key, was)
	}
	return true
}

// edit is Update for the keys that change the text.
func (e *editor) edit(key tea.KeyPressMsg, was action) bool {
	switch key.Keystroke() {
	case "backspace", "shift+backspace":
		e.extend(was, erased, e.prev(e.caret), e.caret, "")
	case "delete", "ctrl+d":
		e.extend(was, erased, e.caret, e.next(e.caret), "")
	case "ctrl+w", "alt+backspace", "ctrl+backspace":
		e.kill(was, e.wordBack(e.caret), e.caret)
	case "alt+d", "alt+delete", "ctrl+delete":
		e.kill(was, e.caret, e.wordForward(e.caret))
	case "ctrl+u":
		e.kill(was, e.killStart(), e.caret)
	case "ctrl+k":
		e.kill(was, e.caret, e.killEnd())
	case "ctrl+y":
		e.change(e.caret, e.caret, e.killed)
	case "shift+enter", "alt+enter", "ctrl+j":
		e.change(e.caret, e.caret, "\n")
	case "ctrl+_", "ctrl+-", "ctrl+shift+-":
		e.undo()
	case "alt+_", "alt+shift+-":
		e.redo()
	default:
		if !types(key) {
			return false
		}
		e.extend(was, typed, e.caret, e.caret, key.Text)
	}
	return true
}

// types reports whether a key stands for its text. Ctrl and alt together are
// AltGr on some keyboards.
func types(key tea.KeyPressMsg) bool {
	const altGr = tea.ModCtrl | tea.ModAlt
	mod := key.Mod & (altGr | tea.ModMeta | tea.ModHyper | tea.ModSuper)
	return key.Text != "" && (mod == 0 || mod == altGr)
}

// vertical moves the caret one row in a direction, if there is one, towards
// the column it had before the first of such keys.
func (e *editor) vertical(goal int, step func(textRow) (textRow, bool)) bool {
	r, ok := step(e.rowOf(e.caret))
	if !ok {
		return false
	}
	if goal < 0 {
		goal = e.column(e.caret)
	}
	e.caret, e.goal = e.at(r, goal), goal
	return true
}

// kill removes text that ctrl+y puts back; kills in a row add up.
func (e *editor) kill(was action, from, to textPos) {
	if from == to {
		return
	}
	if was != killing {
		e.killed = ""
	}
	if to == e.caret {
		e.killed = e.slice(from, to) + e.killed
	} else {
		e.killed += e.slice(from, to)
	}
	e.change(from, to, "")
	e.action = killing
}

// killStart is the start of the caret's line or, there, the end of the line
// above.
func (e *editor) killStart() textPos {
	if e.caret.off == 0 {
		return e.prev(e.caret)
	}
	return textPos{e.caret.line, 0}
}

// killEnd is the end of the caret's line or, there, the start of the line
// below.
func (e *editor) killEnd() textPos {
	if end := len(e.content(e.caret.line)); e.caret.off < end {
		return textPos{e.caret.line, end}
	}
	return e.next(e.caret)
}
