package tui

import (
	"slices"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"

	"parley/render"
	"parley/theme"
)

// hintLine is the line of hints that was drawn last: a frame mostly has one, and
// it is the same in the next.
type hintLine struct {
	theme *theme.Theme
	hints []key.Binding
	line  string
}

// draw draws hints in a line.
func (l *hintLine) draw(th *theme.Theme, hints []key.Binding) string {
	same := func(a, b key.Binding) bool { return a.Help() == b.Help() && a.Enabled() == b.Enabled() }
	if l.theme != th || !slices.EqualFunc(l.hints, hints, same) {
		dim := th.Style(theme.Dim)
		h := help.Model{ShortSeparator: dot(th), Styles: help.Styles{ShortKey: th.Style(theme.Key), ShortDesc: dim, ShortSeparator: dim}}
		l.theme, l.hints, l.line = th, slices.Clone(hints), h.ShortHelpView(hints)
	}
	return l.line
}

// fitted draws as many hints, from the first, as there is room for; the first stays.
func (l *hintLine) fitted(room int, th *theme.Theme, hints []key.Binding) string {
	return l.draw(th, hints[:min(len(hints), max(1, fittingHints(room, dot(th), hints)))])
}

// fittingHints is how many hints, from the first, there is room for, with a dot
// between them.
func fittingHints(room int, dot string, hints []key.Binding) int {
	gap := render.Width(dot)
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
