package tui

import (
	"charm.land/bubbles/v2/key"
)

// ways are hints of actions, with the user's keys for them: pairs of actions, which
// are separated by blanks, and what they do.
func (m *Model) ways(pairs ...string) []key.Binding {
	return m.keymap.Hints(m.config.Environment().Unicode(), pairs...)
}

// keyHints draws hints in a line.
func (m *Model) keyHints(hints ...key.Binding) string { return m.hinting.Draw(m.theme, hints) }

// fittingHints draws as many hints, from the first, as there is room for; the first
// stays.
func (m *Model) fittingHints(room int, hints ...key.Binding) string {
	return m.hinting.Fitted(room, m.theme, hints)
}
