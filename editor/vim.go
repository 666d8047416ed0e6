package editor

import (
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// vim is the state of the editor with the keys of vim. What it understands is
// in vimCommand; text that is cut or copied is in the editor's ring, and so
// the same that ctrl+y puts back.
type vim struct {
	ed     *Editor
	mode   vimMode
	typing vimCommand // as far as it was typed
	last   vimCommand // the last that changed the text, for "."
	began  vimCommand // the one that INSERT began with; none if it was not a command
	given  []vimInput // in INSERT since then
	since  int        // the number of the last step before that
	find   vimCommand // the last f, F, t or T
	anchor textPos    // where VISUAL began
}

type vimMode uint8

const (
	vimInsert vimMode = iota
	vimNormal
	vimVisual
	vimLines
)

// vimInput is a key in INSERT, or text that came otherwise.
type vimInput struct {
	key  tea.KeyPressMsg
	text string
}

// What "." and counts can repeat is bounded, in inputs and in bytes.
const (
	vimInputs = 10_000
	vimBytes  = 32 << 20
	vimCount  = 9999
)

// SetVim turns the keys of vim on, in INSERT, or off.
func (e *Editor) SetVim(on bool) {
	e.endRun()
	if e.vim = nil; on {
		e.vim = &vim{ed: e, since: e.steps}
	}
}

// VimMode is INSERT, NORMAL, VISUAL or V-LINE; "" if vim is off.
func (e *Editor) VimMode() string {
	if e.vim == nil {
		return ""
	}
	return [...]string{vimInsert: "INSERT", vimNormal: "NORMAL", vimVisual: "VISUAL", vimLines: "V-LINE"}[e.vim.mode]
}

// Claims reports whether vim needs a key that otherwise may belong to others:
// esc, but for the one in NORMAL that ends nothing, ctrl+r when there is
// something to redo, and what continues a command. Update then takes it.
func (e *Editor) Claims(key tea.KeyPressMsg) bool {
	v := e.vim
	if v == nil {
		return false
	}
	switch name := key.Keystroke(); {
	case name == "esc":
		return v.mode != vimNormal || v.typing.begun()
	case v.mode == vimInsert:
		return false
	case v.typing.begun():
		return Types(key) || name == "enter"
	default:
		return name == "ctrl+r" && v.mode == vimNormal && len(e.future) > 0
	}
}

// reset forgets what was begun, after a change that no key made.
func (v *vim) reset(steps int) {
	v.typing, v.began, v.given, v.since = vimCommand{}, vimCommand{}, nil, steps
	if v.mode != vimInsert {
		v.mode = vimNormal
	}
}

// record notes what came in INSERT. Too much is not repeated.
func (v *vim) record(inputs ...vimInput) {
	if v.began.key == "" {
		return
	}
	if v.given = append(v.given, inputs...); len(v.given) > vimInputs {
		v.given, v.began = nil, vimCommand{}
	}
}

// handle is Update for the keys of vim: all in NORMAL and VISUAL, and esc.
func (v *vim) handle(key tea.KeyPressMsg) bool {
	name := key.Keystroke()
	if v.mode != vimInsert {
		v.ed.caret = v.fit(v.ed.caret)
	}
	switch {
	case name == "esc":
		return v.escape()
	case Types(key):
		if v.typing.letters() {
			return v.typeKey(key.Text)
		}
		return v.typeKey(vimLetter(key))
	case name == "enter" && v.typing.begun():
		return v.typeKey("\n")
	case name == "ctrl+r":
		v.typing = vimCommand{}
		return v.mode == vimNormal && v.redoStep()
	case vimNames[name] != "" && !v.typing.waits():
		return v.typeKey(vimNames[name])
	}
	v.typing = vimCommand{}
	version := v.ed.version
	taken := v.ed.press(key)
	if v.ed.version != version {
		v.mode = vimNormal
	}
	v.ed.caret = v.fit(v.ed.caret)
	return taken
}

// vimNames are the letters that keys with a name stand for.
var vimNames = map[string]string{
	"left": "h", "right": "l", "up": "k", "down": "j", "delete": "x", "home": "home", "end": "end", "backspace": "backspace",
}

// vimLetter is the letter that a key stands for: on a keyboard of another
// script that of its place, so far as the terminal says which that is.
func vimLetter(key tea.KeyPressMsg) string {
	r, _ := utf8.DecodeRuneInString(key.Text)
	if r < utf8.RuneSelf || unicode.Is(unicode.Latin, r) || key.BaseCode < 'a' || key.BaseCode > 'z' {
		return key.Text
	}
	if key.Mod.Contains(tea.ModShift) {
		return string(unicode.ToUpper(key.BaseCode))
	}
	return string(key.BaseCode)
}

// escape ends what is open, and reports whether anything was.
func (v *vim) escape() bool {
	v.ed.action, v.ed.goal = acted, -1
	switch {
	case v.mode == vimInsert:
		v.endInsert()
	case v.mode != vimNormal:
		v.mode, v.typing = vimNormal, vimCommand{}
	case v.typing.begun():
		v.typing = vimCommand{}
	default:
		return false
	}
	return true
}

// endInsert goes back to NORMAL: what was typed is repeated as often as the
// command said, and is one step to undo with it.
func (v *vim) endInsert() {
	if c := v.began; c.key != "" {
		c.given, v.given = v.given, nil
		if c.op == "" {
			for range v.affordable(c.times()-1, c.given) {
				if c.key == "o" || c.key == "O" {
					v.ed.caret = v.openLine("o", v.ed.caret)
				}
				v.replay(c.given)
			}
		}
		v.last = c
	}
	v.ed.join(v.since)
	v.ed.action, v.ed.goal = acted, -1
	v.mode, v.began, v.typing, v.given = vimNormal, vimCommand{}, vimCommand{}, nil
	if v.ed.caret.off > 0 {
		v.ed.caret = v.ed.prev(v.ed.caret)
	}
}

// affordable returns how many of n times inputs can be given again.
func (v *vim) affordable(n int, inputs []vimInput) int {
	bytes := 0
	for _, in := range inputs {
		bytes += len(in.text)
	}
	return min(n, vimInputs/max(1, len(inputs)), vimBytes/max(1, bytes))
}

// replay gives inputs again.
func (v *vim) replay(inputs []vimInput) {
	for _, in := range inputs {
		if in.text != "" {
			v.ed.action, v.ed.goal = acted, -1
			v.ed.change(v.ed.caret, v.ed.caret, in.text)
			continue
		}
		v.ed.press(in.key)
	}
}

// fit returns the letter that the caret of NORMAL stands on for p: behind the
// last of a line is on it.
func (v *vim) fit(p textPos) textPos {
	if p.off > 0 && p.off >= len(v.ed.content(p.line)) {
		return v.ed.prev(p)
	}
	return p
}
