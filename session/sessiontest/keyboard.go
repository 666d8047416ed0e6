package sessiontest

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Keyboard is how a terminal sends keys.
type Keyboard string

// The keyboards.
const (
	Legacy    Keyboard = "legacy"          // as terminals always did
	OtherKeys Keyboard = "modifyOtherKeys" // as xterm does where modifyOtherKeys is 2
	Kitty     Keyboard = "kitty"           // by the kitty keyboard protocol, which disambiguates
)

// Keyboards are all of them.
var Keyboards = []Keyboard{Legacy, OtherKeys, Kitty}

// functionKeys are the keys without a letter, by their names, as every keyboard
// sends them.
var functionKeys = map[string]string{
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F",
	"pgup": "\x1b[5~", "pgdown": "\x1b[6~", "delete": "\x1b[3~", "f1": "\x1bOP",
}

// asciiKeys are keys that have a code of ASCII.
var asciiKeys = map[string]rune{"esc": 27, "enter": 13, "tab": 9, "backspace": 127, "space": ' '}

// otherSequences are what a terminal sends apart from keys.
var otherSequences = map[string]string{
	"wheelup": "\x1b[<64;5;5M", "wheeldown": "\x1b[<65;5;5M", "focus": "\x1b[I", "blur": "\x1b[O",
}

// The bits of keys that are held, as sequences have them.
const (
	shift = 1 << iota
	alt
	ctrl
)

// Sequence is what a keyboard sends for a key that is called as presses print
// themselves; not ok if it sends nothing else for it than for another key.
func (k Keyboard) Sequence(key string) (sequence string, ok bool) {
	if sequence, ok = otherSequences[key]; ok {
		return sequence, true
	}
	base, held := heldWith(key)
	if sequence, ok = functionKeys[base]; ok {
		return modified(sequence, held), true
	}
	code, ok := asciiKeys[base]
	if !ok {
		if utf8.RuneCountInString(base) != 1 {
			return "", false
		}
		code, _ = utf8.DecodeRuneInString(base)
	}
	switch {
	case base == "tab" && held == shift && k != Kitty:
		return "\x1b[Z", true
	case held == 0 && (base != "esc" || k != Kitty):
		return string(code), true
	case k == Legacy:
		return legacy(code, held)
	}
	if base == "_" { // shift is held, too
		held |= shift
	}
	if k == OtherKeys {
		return fmt.Sprintf("\x1b[27;%d;%d~", held+1, code), true
	}
	if base == "_" { // the key is that of the minus
		code = '-'
	}
	return fmt.Sprintf("\x1b[%d;%du", code, held+1), true
}

// heldWith is the key without what is held with it.
func heldWith(key string) (base string, held int) {
	base = key
	for _, h := range []struct {
		prefix string
		bit    int
	}{{"ctrl+", ctrl}, {"alt+", alt}, {"shift+", shift}} {
		if rest, ok := strings.CutPrefix(base, h.prefix); ok {
			base, held = rest, held|h.bit
		}
	}
	return base, held
}

// legacy is what terminals always sent for a key with others held.
func legacy(code rune, held int) (string, bool) {
	switch {
	case held == alt:
		return "\x1b" + string(code), true
	case held == ctrl && code > ' ' && code < unicode.MaxASCII:
		return string(code & 0x1f), true
	}
	return "", false
}

// modified is the sequence of a function key with others held.
func modified(sequence string, held int) string {
	last := sequence[len(sequence)-1:]
	switch number := strings.TrimSuffix(sequence[2:], last); {
	case held == 0:
		return sequence
	case number == "":
		return fmt.Sprintf("\x1b[1;%d%s", held+1, last)
	default:
		return fmt.Sprintf("\x1b[%s;%d%s", number, held+1, last)
	}
}
