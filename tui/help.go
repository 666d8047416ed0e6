package tui

import (
	"strings"

	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/theme"
)

// help is the open list of keys and commands. It is drawn anew for every size.
type help struct {
	view viewport.Model
}

// showHelp lists the keys and commands of the table.
func (m *Model) showHelp(string) tea.Cmd {
	m.help = &help{view: viewport.New()}
	m.tellDraft()
	return nil
}

// helpView draws the part of the list that is in view.
func (m *Model) helpView(height int) []string {
	v := &m.help.view
	v.SetWidth(m.width)
	v.SetHeight(height)
	v.SetContentLines(m.helpLines())
	return strings.Split(v.View(), "\n")
}

// helpLines is the table of commands as text.
func (m *Model) helpLines() []string {
	keys := 0
	for _, c := range m.commands {
		keys = max(keys, render.Width(reach(c)))
	}
	keys = min(keys, max(8, m.width/2-margin))
	title := m.theme.Render(theme.Strong, "Keys and commands") + m.theme.Render(theme.Dim, "   esc closes, ↑↓ scroll")
	lines := []string{"", blank(margin) + title}
	context := ""
	for _, c := range m.commands {
		if c.Context != context {
			context = c.Context
			lines = append(lines, "", blank(margin)+m.theme.Render(theme.Heading, context))
		}
		column := m.cut(reach(c), keys)
		for _, text := range render.Wrap(c.Title, max(8, m.width-margin-keys-3)) {
			lines = append(lines, blank(margin)+m.theme.Render(theme.Key, column)+
				blank(keys-render.Width(column)+2)+m.theme.Render(theme.Text, text))
			column = ""
		}
	}
	return lines
}

// reach is how a command is reached: its slash name and its keys.
func reach(c Command) string {
	parts := c.Keys
	if c.Slash != "" {
		parts = append([]string{"/" + c.Slash}, parts...)
	}
	return strings.Join(parts, "  ")
}

// helpKey routes a key to open help.
func (m *Model) helpKey(press tea.KeyPressMsg) {
	switch press.Keystroke() {
	case "esc", "q", "?", "enter":
		m.closeOverlays()
	case "home", "g", "ctrl+home":
		m.help.view.GotoTop()
	case "end", "shift+g", "ctrl+end":
		m.help.view.GotoBottom()
	default:
		m.help.view, _ = m.help.view.Update(press)
	}
}
