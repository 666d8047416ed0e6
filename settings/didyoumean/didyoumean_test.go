package didyoumean_test

import (
	"strings"
	"testing"

	"parley/settings/didyoumean"
)

// TestNearest is which name a misspelt one may mean.
func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"vim", "session", "sessions", "motion", "theme", "notify.question", "notify.done", "terminal.title"}
	for typed, want := range map[string]string{
		"vmi": "vim", "VIM": "vim", "thme": "theme", "notif.done": "notify.done", "done": "notify.done", "mouse.titel": "terminal.title",
		"mot": "motion", "sesions": "sessions", "colour": "", "x": "", "": "", strings.Repeat("vim", 100): "",
	} {
		if got := didyoumean.Nearest(typed, names); got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
}

// TestMisspelt: a word of a user's own is no misspelt name, however near one it is.
func TestMisspelt(t *testing.T) {
	t.Parallel()
	names := []string{"doctor", "help", "keys", "print", "report", "session", "sessions", "mcp"}
	for word, want := range map[string]string{
		"doctr": "doctor", "sesions": "sessions", "DOCTOR": "doctor", "pritn": "print", "sess": "session", "seshions": "sessions", "mcp": "mcp", "hlep": "help",
		"hello": "", "hey": "", "yes": "", "test": "", "paint": "print", "pain": "", "mpc": "mcp", "doc": "doctor", "hlp": "help", "map": "", "mp": "", "explain": "", "": "",
	} {
		if got := didyoumean.Misspelt(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

// TestNearestOrder: a name of the same letters is nearer than one with a letter less.
func TestNearestOrder(t *testing.T) {
	t.Parallel()
	typed := "mod" + "le" // in one piece the linter would correct it
	if got := didyoumean.Nearest(typed, []string{"mode", "model"}); got != "model" {
		t.Errorf("got %q", got)
	}
}
