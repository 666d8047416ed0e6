package reporttext

import (
	"cmp"
	"strings"

	"parley/render/text"
	"parley/settings"
	"parley/settings/environ"
	"parley/theme"
	"parley/tui/keymap"
	"parley/tui/widget"
)

// stackedKeys is the width below which what an action does is below its keys.
const stackedKeys = 70

// DrawKeys draws the actions with their keys that match a query, by context. What is not
// as the table has it is set apart and says how it was.
func DrawKeys(th *theme.Theme, actions []keymap.Action, k settings.Keys, home, query string, width int) []string {
	keys, names := 8, 8
	for _, a := range actions {
		keys, names = max(keys, text.Width(strings.Join(a.Keys, "  "))), max(names, len(a.Name))
	}
	names = min(names, max(8, width/3))
	keys = min(keys, max(8, width/4))
	if width < stackedKeys {
		keys = max(8, width-names-widget.ColumnGap)
	}
	where := "There is no place for a file of keys: " + environ.ConfigVariable + " and XDG_CONFIG_HOME are empty."
	if path := k.Path; path != "" {
		where = "The names are for " + widget.ShortPath(path, home) + ", as in:\n  " + `bindings.todo-band = "f9"`
	}
	lines := []string{}
	preset := "Preset: " + cmp.Or(k.Preset, keymap.PresetNames()[0])
	for _, l := range append(text.Wrap(text.Sanitize(where), width), preset) {
		lines = append(lines, widget.Indent+th.Render(theme.Dim, l))
	}
	context := ""
	for _, a := range filtered(actions, query, keyRow) {
		if a.Context != context {
			context = a.Context
			lines = append(lines, "", widget.Indent+th.Render(theme.Heading, context))
		}
		tok, what := theme.Key, a.Title
		if a.Changed() {
			tok, what = theme.Accent, "was "+cmp.Or(strings.Join(a.Default, "  "), "none")+": "+what
		}
		row := []widget.Cell{
			{Token: tok, Text: cmp.Or(strings.Join(a.Keys, "  "), "none"), Width: keys},
			{Token: theme.Text, Text: a.Name, Width: names},
		}
		explained := widget.Cell{Token: theme.Dim, Text: what}
		if width < stackedKeys {
			explained.Width = width - widget.ColumnGap
			lines = append(append(lines, widget.Cells(th, row...)...), widget.Cells(th, widget.Cell{}, explained)...)
			continue
		}
		explained.Width = width - keys - names - 2*widget.ColumnGap
		lines = append(lines, widget.Cells(th, append(row, explained)...)...)
	}
	return lines
}

// keyRow is an action as a query finds it.
func keyRow(a keymap.Action) widget.Row {
	return widget.Row{Label: a.Name, Detail: strings.Join(a.Keys, " "), Terms: a.Title + " " + a.Context}
}
