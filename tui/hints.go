package tui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"

	"parley/render"
	"parley/theme"
	"parley/tui/widget"
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

// chordLines are the second keys after the leader and what they do, in columns.
func (sh *shared) chordLines() []string {
	type chord struct{ key, what string }
	var chords []chord
	width := 0
	for _, c := range sh.commands {
		i := slices.IndexFunc(c.Keys, func(k string) bool { return strings.HasPrefix(k, sh.keymap.Leader+" ") })
		if i < 0 {
			continue
		}
		one := chord{strings.TrimPrefix(c.Keys[i], sh.keymap.Leader+" "), strings.ReplaceAll(c.ID, "-", " ")}
		width = max(width, render.Width(one.key+one.what)+1+2*widget.ColumnGap)
		chords = append(chords, one)
	}
	across := max(1, (sh.width-widget.Margin)/max(1, width))
	down := (len(chords) + across - 1) / across
	lines := []string{"", widget.Indent + sh.theme.Render(theme.Strong, sh.keymap.Leader) + sh.theme.Render(theme.Dim, "  and then")}
	for y := range down {
		line := widget.Indent
		for x := y; x < len(chords); x += down {
			c := chords[x]
			line += sh.theme.Render(theme.Key, c.key) + " " + sh.theme.Render(theme.Text, c.what) +
				widget.Blank(width-render.Width(c.key+c.what)-1)
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}
