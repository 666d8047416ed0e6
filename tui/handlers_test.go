package tui

import (
	"slices"
	"testing"

	"parley/theme"
	"parley/tui/keymap"
)

func TestCompleteFindsByLetters(t *testing.T) {
	t.Parallel()
	if got := completing(keymap.Commands(), "mdl"); len(got) == 0 || got[0].Slash != "model" {
		t.Errorf("completing(mdl) = %v", got)
	}
	if got := completing(keymap.Commands(), "zzz"); len(got) != 0 {
		t.Errorf("completing(zzz) = %v", got)
	}
	all := 0
	for _, c := range keymap.Commands() {
		if c.Slash != "" {
			all++
		}
	}
	if got := completing(keymap.Commands(), ""); len(got) != all {
		t.Errorf("complete of nothing lists %d of %d", len(got), all)
	}
}

// TestHandlers holds the table and what the window does to each other: every
// command is done by the window or built into a part, and none by both.
func TestHandlers(t *testing.T) {
	t.Parallel()
	run := handlers()
	for _, c := range keymap.Commands() {
		if (run[c.ID] == nil) != c.BuiltIn {
			t.Errorf("%s: built into a part %t, done by the window %t", c.ID, c.BuiltIn, run[c.ID] != nil)
		}
		delete(run, c.ID)
	}
	for id := range run {
		t.Errorf("%s is not in the table", id)
	}
}

// TestChoices holds the words that the table offers to those that are understood.
func TestChoices(t *testing.T) {
	t.Parallel()
	for id, want := range map[string][]string{"mode": modeNames(), "times": timesNames(), "theme": theme.Names()} {
		i := slices.IndexFunc(keymap.Commands(), func(c keymap.Command) bool { return c.ID == id })
		if got := keymap.Commands()[i].Choices; !slices.Equal(got, want) {
			t.Errorf("/%s offers %v, not %v", id, got, want)
		}
	}
}
