package generate

import (
	"fmt"
	"strings"

	"parley/settings"
	"parley/tui/keymap"
)

// actionTables list the actions and their keys, and what the presets change.
func actionTables() string {
	var b strings.Builder
	actions, _ := keymap.Actions(settings.Keys{})
	context := ""
	for _, a := range actions {
		if a.Context != context {
			context = a.Context
			fmt.Fprintf(&b, "\n## %s\n\n| action | keys | what its row does |\n|---|---|---|\n", context)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", a.Name, codes(a.Keys), cell(a.Title))
	}
	b.WriteString("\n## Presets\n\nWhat differs from copilot, whose keys are those above.\n")
	for _, name := range keymap.PresetNames()[1:] {
		fmt.Fprintf(&b, "\n### %s\n\n| action | keys | in place of |\n|---|---|---|\n", name)
		actions, _ := keymap.Actions(settings.Keys{Preset: name})
		for _, a := range actions {
			if a.Changed() {
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", a.Name, codes(a.Keys), codes(a.Default))
			}
		}
	}
	return b.String()
}

// codes are keys as a cell of a table shows them.
func codes(keys []string) string {
	if len(keys) == 0 {
		return "none"
	}
	quoted := make([]string, len(keys))
	for i, k := range keys {
		quoted[i] = "`" + cell(k) + "`"
	}
	return strings.Join(quoted, " ")
}
