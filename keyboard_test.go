package main

import (
	"fmt"
	"strings"
	"testing"
)

// namedKeys are the keys without a letter as an xterm sends them.
var namedKeys = map[string]string{
	"enter": "\r", "tab": "\t", "esc": "\x1b", "backspace": "\x7f", "space": " ",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F",
	"pgup": "\x1b[5~", "pgdown": "\x1b[6~", "delete": "\x1b[3~", "f1": "\x1bOP",
	"shift+tab": "\x1b[Z", "shift+up": "\x1b[1;2A", "shift+down": "\x1b[1;2B", "ctrl+home": "\x1b[1;5H", "ctrl+end": "\x1b[1;5F",
	"alt+up": "\x1b[1;3A", "alt+down": "\x1b[1;3B",
	"wheelup": "\x1b[<64;5;5M", "wheeldown": "\x1b[<65;5;5M", "focus": "\x1b[I", "blur": "\x1b[O",
}

// kittyCodes are the keys that the kitty protocol sends in its own form when
// it disambiguates.
var kittyCodes = map[string]int{"esc": 27, "enter": 13, "tab": 9, "backspace": 127, "space": 32}

// keySequence is what a keyboard sends for a key: in the form of an xterm, or
// in that of the kitty protocol where the two differ.
func keySequence(t testing.TB, name string, kitty bool) string {
	t.Helper()
	if s, ok := namedKeys[name]; ok && (!kitty || name != "esc") {
		return s
	}
	base, mods := name, 0
	for prefix, bit := range map[string]int{"shift+": 1, "alt+": 2, "ctrl+": 4} {
		if rest, ok := strings.CutPrefix(base, prefix); ok {
			base, mods = rest, mods|bit
		}
	}
	code, named := kittyCodes[base]
	if !named && len([]rune(base)) == 1 {
		code = int([]rune(base)[0])
	}
	switch {
	case code == 0:
		t.Fatalf("there is no key called %q", name)
	case kitty && (mods != 0 || base == "esc"):
		return fmt.Sprintf("\x1b[%d;%du", code, mods+1)
	case mods == 0:
		return base
	case mods == 2:
		return "\x1b" + string(rune(code))
	case mods == 4 && !named:
		return string(rune(code & 0x1f))
	}
	t.Fatalf("a plain terminal cannot send %q", name)
	return ""
}

// TestKeySequence holds a sample of each form.
func TestKeySequence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		kitty bool
		want  string
	}{
		{"y", false, "y"},
		{"y", true, "y"},
		{"ctrl+c", false, "\x03"},
		{"ctrl+c", true, "\x1b[99;5u"},
		{"esc", false, "\x1b"},
		{"esc", true, "\x1b[27;1u"},
		{"alt+enter", false, "\x1b\r"},
		{"alt+enter", true, "\x1b[13;3u"},
		{"shift+enter", true, "\x1b[13;2u"},
		{"up", true, "\x1b[A"},
	} {
		if got := keySequence(t, c.name, c.kitty); got != c.want {
			t.Errorf("%s (kitty %t): got %q, want %q", c.name, c.kitty, got, c.want)
		}
	}
}
