package tui

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/theme"
)

// showKeys shows the keys of every action as they are now, and where they can be
// changed.
func (m *Model) showKeys(string) tea.Cmd {
	m.openPanel(&panel{title: "Your keys", lines: (*Model).keyLines})
	return nil
}

// keyLines are the actions with their keys, by context. What is not as the table
// has it is set apart and says how it was.
func (m *Model) keyLines(width int) []string {
	keys, names := 8, 8
	for _, a := range m.keymap.actions {
		keys, names = max(keys, render.Width(strings.Join(a.Keys, "  "))), max(names, len(a.Name))
	}
	names = min(names, max(8, width/3))
	keys = min(keys, max(8, width/3))
	where := "There is no place for a file of keys: HOME and XDG_CONFIG_HOME are empty."
	if path := m.config.Keys.Path; path != "" {
		where = "The names are for " + short(path, m.config.Home) + ", as in: " + `todo-band = "ctrl+t"`
	}
	lines := []string{}
	for _, l := range append(render.Wrap(render.SanitizeLine(where), width), "Preset: "+cmp.Or(m.config.Keys.Preset, PresetNames()[0])) {
		lines = append(lines, blank(margin)+m.theme.Render(theme.Dim, l))
	}
	context := ""
	for _, a := range m.keymap.actions {
		if a.Context != context {
			context = a.Context
			lines = append(lines, "", blank(margin)+m.theme.Render(theme.Heading, context))
		}
		tok, what := theme.Key, a.Title
		if a.Changed() {
			tok, what = theme.Accent, "was "+cmp.Or(strings.Join(a.Default, "  "), "none")
		}
		key := m.cut(cmp.Or(strings.Join(a.Keys, "  "), "none"), keys)
		name := m.cut(a.Name, names)
		lines = append(lines, blank(margin)+m.theme.Render(tok, key)+blank(keys-render.Width(key)+columnGap)+
			m.theme.Render(theme.Text, name)+blank(names-render.Width(name)+columnGap)+
			m.theme.Render(theme.Dim, m.cut(what, max(0, width-keys-names-2*columnGap))))
	}
	return lines
}
