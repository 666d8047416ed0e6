package tui

import (
	"slices"
	"testing"

	"parley/render"
	"parley/theme"
	"parley/tui/keymap"
)

// TestHandlers holds the table and what is done for it to each other: every command is
// done by the window, by a conversation, or built into a part, and none by two of them.
func TestHandlers(t *testing.T) {
	t.Parallel()
	done := map[string]int{}
	for id := range (&Model{win: &windowState{}}).windowHandlers() {
		done[id]++
	}
	for id := range commandHandlers(conversationOf(&core{})) {
		done[id]++
	}
	for _, c := range keymap.Commands() {
		if c.BuiltIn {
			done[c.ID]++
		}
		if done[c.ID] != 1 {
			t.Errorf("%s is done in %d places", c.ID, done[c.ID])
		}
		delete(done, c.ID)
	}
	for id := range done {
		t.Errorf("%s is not in the table", id)
	}
}

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
