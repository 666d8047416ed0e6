package widget

import (
	"slices"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"

	"parley/render/text"
	"parley/theme"
)

// HintLine is the line of hints that was drawn last: a frame mostly has one, and
// it is the same in the next.
type HintLine struct {
	theme *theme.Theme
	hints []key.Binding
	line  string
}

// Draw draws hints in a line.
func (l *HintLine) Draw(th *theme.Theme, hints []key.Binding) string {
	same := func(a, b key.Binding) bool { return a.Help() == b.Help() && a.Enabled() == b.Enabled() }
	if l.theme != th || !slices.EqualFunc(l.hints, hints, same) {
		dim := th.Style(theme.Dim)
		h := help.Model{ShortSeparator: th.Dot(), Styles: help.Styles{ShortKey: th.Style(theme.Key), ShortDesc: dim, ShortSeparator: dim}}
		l.theme, l.hints, l.line = th, slices.Clone(hints), h.ShortHelpView(hints)
	}
	return l.line
}

// Fitted draws as many hints, from the first, as there is room for; the first stays.
func (l *HintLine) Fitted(room int, th *theme.Theme, hints []key.Binding) string {
	return l.Draw(th, hints[:min(len(hints), max(1, Fitting(room, th.Dot(), hints)))])
}

// Fitting is how many hints, from the first, there is room for, with a dot
// between them.
func Fitting(room int, dot string, hints []key.Binding) int {
	gap := text.Width(dot)
	for i, h := range hints {
		if i > 0 {
			room -= gap
		}
		if room -= text.Width(h.Help().Key) + 1 + text.Width(h.Help().Desc); room < 0 {
			return i
		}
	}
	return len(hints)
}
