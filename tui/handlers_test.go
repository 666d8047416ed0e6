package tui

import (
	"testing"

	"parley/settings"
	"parley/tui/conversation"
	"parley/tui/keymap"
)

// TestHandlers holds the table and what is done for it to each other: every command is
// done by the window, by a conversation, or built into a part, and none by two of them.
func TestHandlers(t *testing.T) {
	t.Parallel()
	done := map[string]int{}
	m := newModel(t.Context(), Config{Settings: settings.Defaults()}, conversation.Effects{})
	for id := range m.handlers {
		done[id]++
	}
	for id := range m.win.Front.Commands.Handlers {
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
