package tui

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"parley/render/text"
	"parley/session"
	"parley/settings"
	"parley/tui/keymap"
)

// TestHintsFit: as many hints are drawn as there is room for, from the first, which
// stays; what no key does is not among them, and a key of the user's stands in the
// place of the table's.
func TestHintsFit(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	m := sc.m
	hints := keymap.HintsOf("esc", "close", "", "reached by no key", "n N", "match", "日本", "wide")
	rapid.Check(t, func(t *rapid.T) {
		room := rapid.IntRange(-3, 60).Draw(t, "room")
		line := m.win.FittingHints(room, hints...)
		bare := ansi.Strip(line)
		if !strings.HasPrefix("esc close · n N match · 日本 wide", bare) || !strings.HasPrefix(bare, "esc close") {
			t.Fatalf("room %d: %q", room, bare)
		}
		if w := text.Width(line); w > room && bare != "esc close" {
			t.Fatalf("room %d: %d cells", room, w)
		}
	})
	if wrong := m.win.Bind(settings.Keys{Bindings: map[string][]string{"block-fold": {"f8"}}}); wrong != nil {
		t.Fatal(wrong)
	}
	if got := ansi.Strip(m.win.KeyHints(m.win.Ways("block-fold", "fold", "block-leave", "back")...)); got != "f8 fold · esc back" {
		t.Errorf("with another key: %q", got)
	}
}

// TestCommandBinding: a command is bound to its name and its keys; one with neither
// is not enabled.
func TestCommandBinding(t *testing.T) {
	t.Parallel()
	b := keymap.Command{Title: "Do it", Slash: "do", Keys: []string{"f1", "ctrl+x d"}}.Binding()
	if !b.Enabled() || !slices.Equal(b.Keys(), []string{"/do", "f1", "ctrl+x d"}) || b.Help().Desc != "Do it" {
		t.Errorf("%v %+v", b.Keys(), b.Help())
	}
	for _, keys := range [][]string{nil, {}} {
		if b := (keymap.Command{Title: "Do it", Keys: keys}).Binding(); b.Enabled() {
			t.Error("a command that nothing reaches is enabled")
		}
	}
}

// TestSearchHintsFit: all that the bar of a search can do is said at 80 columns, in every
// state of it.
func TestSearchHintsFit(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.size(80, 24)
	sc.say(session.Event{ID: "u", Body: session.UserMessage{Content: "why?", MessageID: "u"}})
	sc.step("key", "ctrl+f")
	for _, keys := range []string{"", "alt+c", "ctrl+r", "alt+c"} {
		sc.step("key", keys)
		last := sc.screen()[23]
		for _, hint := range []string{"esc back", "enter keep", "matches", "tab kind", "ctrl+r", "alt+c"} {
			if !strings.Contains(last, hint) {
				t.Errorf("after %q it does not say %q: %q", keys, hint, last)
			}
		}
	}
}
