package keymap

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"parley/editor"
	"parley/settings/didyoumean"

	tea "charm.land/bubbletea/v2"
)

// namedKeys are the keys that are called by a name, as key presses print
// themselves.
var namedKeys = map[string]rune{
	"enter": tea.KeyEnter, "tab": tea.KeyTab, "esc": tea.KeyEscape, "space": tea.KeySpace,
	"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "insert": tea.KeyInsert,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4, "f5": tea.KeyF5, "f6": tea.KeyF6,
	"f7": tea.KeyF7, "f8": tea.KeyF8, "f9": tea.KeyF9, "f10": tea.KeyF10, "f11": tea.KeyF11, "f12": tea.KeyF12,
}

// keyAliases are other names of keys and of what is held with them.
var keyAliases = map[string]string{
	"return": "enter", "escape": "esc", "del": "delete", "ins": "insert", "bs": "backspace", "spacebar": "space",
	"pageup": "pgup", "pagedown": "pgdown", "pgdn": "pgdown",
	"control": "ctrl", "option": "alt", "opt": "alt", "cmd": "super", "command": "super", "win": "super",
}

// heldKeys are what can be held with a key, in the order in which presses print
// themselves.
var heldKeys = []struct {
	name string
	mod  tea.KeyMod
}{{"ctrl", tea.ModCtrl}, {"alt", tea.ModAlt}, {"shift", tea.ModShift}, {"super", tea.ModSuper}}

// ambiguous are names of keys that a terminal sends as another key.
var ambiguous = map[string]string{"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc", "ctrl+h": "backspace"}

// keyGrammar says how keys are written.
const keyGrammar = "a key is a letter or sign, or one of enter, tab, esc, space, backspace, delete, insert, up, down, left, right, " +
	"home, end, pgup, pgdown, f1 to f12, after any of ctrl+, alt+, shift+, super+"

// parseKey reads the name of one key press, and returns it as presses print
// themselves.
func parseKey(text string) (string, error) {
	parts := strings.Split(text, "+")
	switch rest, plus := strings.CutSuffix(text, "++"); { // the sign itself
	case text == "+":
		parts = []string{"+"}
	case plus:
		parts = append(strings.Split(rest, "+"), "+")
	}
	held := map[string]bool{}
	for _, p := range parts[:len(parts)-1] {
		mod := alias(strings.ToLower(p))
		if !slices.Contains(mods(), mod) {
			return "", fmt.Errorf("there is no key %q%s; %s", text, meantKey(p, mods()), keyGrammar)
		}
		held[mod] = true
	}
	base := parts[len(parts)-1]
	if lower := alias(strings.ToLower(base)); namedKeys[lower] != 0 {
		base = lower
	}
	r := []rune(base)
	switch {
	case base == " ":
		base = "space"
	case namedKeys[base] != 0:
	case len(r) != 1 || !unicode.IsGraphic(r[0]) || unicode.IsSpace(r[0]):
		return "", fmt.Errorf("there is no key %q%s; %s", text, meantKey(base, slices.Sorted(maps.Keys(namedKeys))), keyGrammar)
	default:
		base = heldLetter(r[0], held)
	}
	name := ""
	for _, h := range heldKeys {
		if held[h.name] {
			name += h.name + "+"
		}
	}
	name += base
	if other := ambiguous[name]; other != "" {
		return "", fmt.Errorf("%s cannot be bound: to most terminals it is %s", name, other)
	}
	return name, nil
}

// heldLetter is a letter or sign as a press prints it: alone, what it writes;
// with ctrl or alt held, the key in small, with shift where it was a capital.
func heldLetter(r rune, held map[string]bool) string {
	if held["ctrl"] || held["alt"] || held["super"] {
		if unicode.IsUpper(r) {
			held["shift"] = true
		}
		return string(unicode.ToLower(r))
	}
	if held["shift"] && unicode.IsLetter(r) {
		delete(held, "shift")
		r = unicode.ToUpper(r)
	}
	return string(r)
}

func alias(name string) string {
	if other, ok := keyAliases[name]; ok {
		return other
	}
	return name
}

func mods() []string {
	names := make([]string, 0, len(heldKeys))
	for _, h := range heldKeys {
		names = append(names, h.name)
	}
	return names
}

// meantKey says which key may be meant.
func meantKey(typed string, names []string) string {
	if like := didyoumean.Nearest(typed, names); like != "" {
		return fmt.Sprintf(" (did you mean %s?)", like)
	}
	return ""
}

// Stroke is the press of a key by its name.
func Stroke(name string) tea.KeyPressMsg {
	var k tea.KeyPressMsg
	for _, h := range heldKeys {
		if rest, ok := strings.CutPrefix(name, h.name+"+"); ok && rest != "" {
			k.Mod, name = k.Mod|h.mod, rest
		}
	}
	if code, ok := namedKeys[name]; ok {
		if k.Code = code; name == "space" && k.Mod == 0 {
			k.Text = " "
		}
		return k
	}
	r := []rune(name)[0]
	k.Code = r
	if k.Mod == 0 {
		k.Text = name
		if unicode.IsUpper(r) {
			k.Code, k.ShiftedCode, k.Mod = unicode.ToLower(r), r, tea.ModShift
		}
	}
	return k
}

// printsName reports whether a key writes something.
func printsName(name string) bool {
	return name == "space" || len([]rune(name)) == 1
}

// Name is what a key writes, or else its name.
func Name(press tea.KeyPressMsg) string {
	if editor.Types(press) && press.Code != tea.KeySpace {
		return press.Text
	}
	return press.Keystroke()
}
