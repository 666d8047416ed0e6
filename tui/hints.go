package tui

import (
	"strings"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"

	"parley/render"
	"parley/theme"
)

// hintsOf are bindings as hints show them, of pairs of keys and what these do.
// Those that have no key are left out.
func hintsOf(pairs ...string) []key.Binding {
	hints := make([]key.Binding, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		if keys := pairs[i]; keys != "" {
			hints = append(hints, key.NewBinding(key.WithKeys(strings.Fields(keys)...), key.WithHelp(keys, pairs[i+1])))
		}
	}
	return hints
}

// ways are hints of the keys that are built into a scope, with the user's keys in
// their place.
func (m *Model) ways(scope string, pairs ...string) []key.Binding {
	shown := make([]string, 0, len(pairs))
	for i := 0; i+1 < len(pairs); i += 2 {
		keys := m.keymap.show(scope, pairs[i])
		if up := m.keymap.show(scope, "up down"); pairs[i] == "↑↓" && up != "up down" {
			keys = up
		}
		shown = append(shown, keys, pairs[i+1])
	}
	return hintsOf(shown...)
}

// keyHints draws hints in a line.
func (m *Model) keyHints(hints ...key.Binding) string {
	dim := m.theme.Style(theme.Dim)
	h := help.Model{
		ShortSeparator: m.dot(),
		Styles:         help.Styles{ShortKey: m.theme.Style(theme.Key), ShortDesc: dim, ShortSeparator: dim},
	}
	return h.ShortHelpView(hints)
}

// fittingHints draws as many hints, from the first, as there is room for; the
// first stays.
func (m *Model) fittingHints(room int, hints ...key.Binding) string {
	for len(hints) > 1 && render.Width(m.keyHints(hints...)) > room {
		hints = hints[:len(hints)-1]
	}
	return m.keyHints(hints...)
}
