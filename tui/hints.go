package tui

import (
	"slices"
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

// ways are hints of actions, with the user's keys for them: pairs of actions, which
// are separated by blanks, and what they do.
func (m *Model) ways(pairs ...string) []key.Binding {
	shown := slices.Clone(pairs)
	for i := 0; i < len(pairs); i += 2 {
		shown[i] = m.keymap.Show(pairs[i])
		if arrows := map[string]string{"up down": "↑↓", "left right": "←→"}[shown[i]]; arrows != "" && m.config.Environment().Unicode() {
			shown[i] = arrows
		}
	}
	return hintsOf(shown...)
}

// hintLine is the line of hints that was drawn last: a frame mostly has one, and
// it is the same in the next.
type hintLine struct {
	theme *theme.Theme
	hints []key.Binding
	line  string
}

// draw draws hints in a line.
func (l *hintLine) draw(th *theme.Theme, dot string, hints []key.Binding) string {
	same := func(a, b key.Binding) bool { return a.Help() == b.Help() && a.Enabled() == b.Enabled() }
	if l.theme != th || !slices.EqualFunc(l.hints, hints, same) {
		dim := th.Style(theme.Dim)
		h := help.Model{ShortSeparator: dot, Styles: help.Styles{ShortKey: th.Style(theme.Key), ShortDesc: dim, ShortSeparator: dim}}
		l.theme, l.hints, l.line = th, slices.Clone(hints), h.ShortHelpView(hints)
	}
	return l.line
}

// keyHints draws hints in a line.
func (m *Model) keyHints(hints ...key.Binding) string { return m.hinting.draw(m.theme, m.dot(), hints) }

// fitting is how many hints, from the first, there is room for.
func (m *Model) fitting(room int, hints []key.Binding) int {
	gap := render.Width(m.dot())
	for i, h := range hints {
		if i > 0 {
			room -= gap
		}
		if room -= render.Width(h.Help().Key) + 1 + render.Width(h.Help().Desc); room < 0 {
			return i
		}
	}
	return len(hints)
}

// fittingHints draws as many hints, from the first, as there is room for; the
// first stays.
func (m *Model) fittingHints(room int, hints ...key.Binding) string {
	return m.keyHints(hints[:min(len(hints), max(1, m.fitting(room, hints)))]...)
}
