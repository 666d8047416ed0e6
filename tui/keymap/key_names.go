package keymap

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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

// heldKeys are what can be held with a key.
var heldKeys = map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift, "super": tea.ModSuper}

// ambiguous are names of keys that a terminal sends as another key.
var ambiguous = map[string]string{"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc", "ctrl+h": "backspace"}

// keyGrammar is how keys are written.
const keyGrammar = "a key is a letter or sign, or one of enter, tab, esc, space, backspace, delete, insert, up, down, left, right, " +
	"home, end, pgup, pgdown, f1 to f12, after any of ctrl+, alt+, shift+, super+"

// parseKey reads the name of one key press, and returns it as presses print
// themselves.
func parseKey(text string) (string, error) {
	press, err := parsePress(text)
	if err != nil {
		return "", err
	}
	name := Name(press)
	if other := ambiguous[name]; other != "" {
		return "", fmt.Errorf("%s cannot be bound: to most terminals it is %s", name, other)
	}
	return name, nil
}

// parsePress reads the press of a key by its name.
func parsePress(text string) (k tea.KeyPressMsg, err error) {
	base := text
	if i := strings.LastIndexByte(text[:max(0, len(text)-1)], '+'); i >= 0 { // the last may be the sign itself
		base = text[i+1:]
		for held := range strings.SplitSeq(text[:i], "+") {
			mod, ok := heldKeys[alias(held)]
			if !ok {
				return k, fmt.Errorf("there is no key %q%s; %s", text, meantKey(held, slices.Sorted(maps.Keys(heldKeys))), keyGrammar)
			}
			k.Mod |= mod
		}
	}
	if base == " " {
		base = "space"
	}
	if code, ok := namedKeys[alias(base)]; ok {
		if k.Code = code; code == tea.KeySpace && k.Mod == 0 {
			k.Text = " "
		}
		return k, nil
	}
	r, size := utf8.DecodeRuneInString(base)
	if size == 0 || size < len(base) || !unicode.IsGraphic(r) || unicode.IsSpace(r) {
		return k, fmt.Errorf("there is no key %q%s; %s", text, meantKey(base, slices.Sorted(maps.Keys(namedKeys))), keyGrammar)
	}
	return withLetter(k, r), nil
}

// withLetter is a press of a letter or sign: alone, it writes that; with ctrl or alt
// held, it is the key in small, with shift where it was a capital.
func withLetter(k tea.KeyPressMsg, r rune) tea.KeyPressMsg {
	small := unicode.ToLower(r)
	switch {
	case k.Mod&^tea.ModShift != 0:
		if k.Code = small; r != small {
			k.Mod |= tea.ModShift
		}
		return k
	case k.Mod == tea.ModShift && !unicode.IsLetter(r):
		k.Code = r
		return k
	case k.Mod == tea.ModShift:
		r = unicode.ToUpper(r)
	}
	k = tea.KeyPressMsg{Code: r, Text: string(r)}
	if unicode.IsUpper(r) {
		k.Code, k.ShiftedCode, k.Mod = small, r, tea.ModShift
	}
	return k
}

// alias is a name of a key, or of what is held with one, in place of another for it.
func alias(name string) string {
	name = strings.ToLower(name)
	return cmp.Or(keyAliases[name], name)
}

// meantKey returns which key may be meant.
func meantKey(typed string, names []string) string {
	if like := didyoumean.Nearest(typed, names); like != "" {
		return fmt.Sprintf(" (did you mean %s?)", like)
	}
	return ""
}

// Stroke is the press of a key by its name; the zero press if it is no name.
func Stroke(name string) tea.KeyPressMsg {
	k, _ := parsePress(name)
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
