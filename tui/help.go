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
	const widest = 30
	keys := max(8, min(widest, m.width/2-margin))
	title := m.theme.Render(theme.Strong, "Keys and commands") + m.theme.Render(theme.Dim, "   esc closes, ↑↓ scroll")
	lines := []string{"", blank(margin) + title}
	context := ""
	for _, c := range m.commands {
		if c.Context != context {
			context = c.Context
			lines = append(lines, "", blank(margin)+m.theme.Render(theme.Heading, context))
		}
		left, right := reach(c, keys), render.Wrap(c.Title, max(8, m.width-margin-keys-3))
		for i := range max(len(left), len(right)) {
			key, text := "", ""
			if i < len(left) {
				key = m.cut(left[i], keys)
			}
			if i < len(right) {
				text = right[i]
			}
			lines = append(lines, strings.TrimRight(blank(margin)+m.theme.Render(theme.Key, key)+
				blank(keys-render.Width(key)+2)+m.theme.Render(theme.Text, text), " "))
		}
	}
	return lines
}

// reach is how a command is reached: its slash name and its keys, in lines of a
// width.
func reach(c Command, width int) []string {
	parts := c.Keys
	if c.Slash != "" {
		parts = append([]string{"/" + c.Slash}, parts...)
	}
	lines := parts[:1:1]
	for _, p := range parts[1:] {
		if last := len(lines) - 1; render.Width(lines[last]+"  "+p) <= width {
			lines[last] += "  " + p
		} else {
			lines = append(lines, p)
		}
	}
	return lines
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
