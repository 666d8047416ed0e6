package conversation

import (
	"slices"
	"testing"

	"parley/render"
	"parley/theme"
	"parley/tui/keymap"
)

// TestChoices holds the words that the table offers to those that are understood.
func TestChoices(t *testing.T) {
	t.Parallel()
	var times []string
	for t := range render.TimesFull + 1 {
		times = append(times, t.String())
	}
	var modeNames []string
	for _, m := range modes() {
		modeNames = append(modeNames, string(m))
	}
	for id, want := range map[string][]string{"mode": modeNames, "times": times, "theme": theme.Names()} {
		i := slices.IndexFunc(keymap.Commands(), func(c keymap.Command) bool { return c.ID == id })
		if got := keymap.Commands()[i].Choices; !slices.Equal(got, want) {
			t.Errorf("/%s offers %v, not %v", id, got, want)
		}
	}
}
