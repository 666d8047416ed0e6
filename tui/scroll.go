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

func (c *conversation) toggleExpanded(string) tea.Cmd {
	if chip, ok := c.composer.ChipAt(); ok && chip.Attachment == nil && c.composer.Expand() {
		return c.edited()
	}
	c.pane.Expanded = !c.pane.Expanded
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
