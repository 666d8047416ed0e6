package editor

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Update does what a key says and reports whether the key is the editor's. Up
// in the first row and down in the last are not: they ask for history. Enter
// is not either: its newline comes with shift, alt, or as ctrl+j. The keys are
// those of the shells (emacs), so far as Copilot has no other use for them, or
// of vim where that is on and not in INSERT.
func (e *Editor) Update(key tea.KeyPressMsg) bool {
	switch v := e.vim; {
	case v == nil:
		return e.press(key)
	case v.mode == vimInsert && key.Keystroke() != "esc":
		taken := e.press(key)
		if taken {
			v.record(vimInput{key: key})
		}
		return taken
	}
	return e.vim.handle(key)
}

// press is Update for what vim leaves.
func (e *Editor) press(key tea.KeyPressMsg) bool {
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

// edit is press for the keys that change the text.
func (e *Editor) edit(key tea.KeyPressMsg, was action) bool {
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
		e.yank()
	case "alt+y":
		e.turn(was)
	case "alt+u":
		e.recase(upperCase)
	case "alt+l":
		e.recase(lowerCase)
	case "alt+c":
		e.recase(capital)
	case "alt+t":
		e.transpose()
	case "shift+enter", "alt+enter", "ctrl+j":
		e.change(e.caret, e.caret, "\n")
	case "ctrl+_", "ctrl+-", "ctrl+shift+-", "ctrl+shift+_":
		e.undo()
	case "alt+_", "alt+shift+-", "alt+shift+_":
		e.redo()
	default:
		if !Types(key) {
			return false
		}
		from, to := e.caret, e.caret
		if was == completed && strings.Contains(":,;.!?)", key.Text) {
			from, to = e.beforeBlank()
		}
		e.extend(was, typed, from, to, encode(key.Text))
	}
	return true
}

// Types reports whether a key stands for its text. Ctrl and alt together are
// AltGr on some keyboards.
func Types(key tea.KeyPressMsg) bool {
	const altGr = tea.ModCtrl | tea.ModAlt
	mod := key.Mod & (altGr | tea.ModMeta | tea.ModHyper | tea.ModSuper)
	return key.Text != "" && (mod == 0 || mod == altGr)
}

// vertical moves the caret one row in a direction, if there is one, towards
// the column it had before the first of such keys.
func (e *Editor) vertical(goal int, step func(textRow) (textRow, bool)) bool {
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
