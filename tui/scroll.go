package tui

import (
	tea "charm.land/bubbletea/v2"
)

func (c *navigator) page() int { return max(1, c.pane.Height-2) }

func (c *navigator) scroll(n int) tea.Cmd {
	c.pane.Scroll(n)
	return nil
}

func (c *navigator) goHome(string) tea.Cmd {
	c.pane.Home()
	return nil
}

func (c *navigator) goEnd(string) tea.Cmd {
	c.pane.End()
	c.pane.Asked = true
	return nil
}

func (m *conversation) toggleExpanded(string) tea.Cmd {
	if c, ok := m.composer.ChipAt(); ok && c.Attachment == nil && m.composer.Expand() {
		return m.edited()
	}
	m.pane.Expanded = !m.pane.Expanded
	return nil
}

func (c *navigator) toggleReasoning(string) tea.Cmd {
	c.pane.Thinking = !c.pane.Thinking
	return nil
}

func (c *navigator) redraw(string) tea.Cmd {
	c.pane.End()
	return tea.ClearScreen
}

func (c *navigator) clearScreen(string) tea.Cmd {
	c.pane.Clear()
	return nil
}
