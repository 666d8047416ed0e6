package tui

import (
	"charm.land/bubbles/v2/key"
)

// ways are hints of actions, with the user's keys for them: pairs of actions, which
// are separated by blanks, and what they do.
func (sh *shared) ways(pairs ...string) []key.Binding {
	return sh.keymap.Hints(sh.config.Environment().Unicode(), pairs...)
}

// keyHints draws hints in a line.
func (sh *shared) keyHints(hints ...key.Binding) string { return sh.hinting.Draw(sh.theme, hints) }

// fittingHints draws as many hints, from the first, as there is room for; the first
// stays.
func (sh *shared) fittingHints(room int, hints ...key.Binding) string {
	return sh.hinting.Fitted(room, sh.theme, hints)
}
