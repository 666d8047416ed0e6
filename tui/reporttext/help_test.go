package reporttext

import (
	"slices"
	"strings"
	"testing"

	"parley/render/text"
	"parley/settings"
	"parley/theme"
	"parley/tui/keymap"
)

// The keys that matter first are those of actions, or what is typed; they are in two columns
// where there is room, and never wider than it.
func TestEssentialKeys(t *testing.T) {
	t.Parallel()
	keys, _ := keymap.New(settings.Keys{})
	all := essentials()
	if len(all) != 15 {
		t.Errorf("there are %d", len(all))
	}
	for _, e := range all {
		if keys.KeyFor(e[0]) == "" && !slices.Contains([]string{"/", "@", "!"}, e[0]) {
			t.Errorf("%q is no action", e[0])
		}
	}
	for _, width := range []int{20, 40, 77, 137} {
		lines := DrawHelp(theme.Plain(), keys, keymap.Commands(), Selection{}, width)
		for _, line := range lines {
			if text.Width(line) > width+2 {
				t.Errorf("%d: %q is too wide", width, line)
			}
		}
		if two := strings.Contains(lines[1], "read back"); two != (width >= twoColumns) {
			t.Errorf("%d: %q", width, lines[1])
		}
	}
}
