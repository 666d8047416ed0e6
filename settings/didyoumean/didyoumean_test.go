package didyoumean_test

import (
	"strings"
	"testing"

	"parley/settings/didyoumean"
)

// TestNearest is which name a misspelt one may mean.
func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"vim", "motion", "theme", "notify.needs_you", "notify.done", "terminal.title"}
	for typed, want := range map[string]string{
		"vmi": "vim", "VIM": "vim", "thme": "theme", "notif.done": "notify.done", "done": "notify.done", "mouse.titel": "terminal.title",
		"mot": "motion", "colour": "", "x": "", "": "", strings.Repeat("vim", 100): "",
	} {
		if got := didyoumean.Nearest(typed, names); got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
}
