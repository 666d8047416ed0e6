package tui

import (
	tea "charm.land/bubbletea/v2"

	"parley/tui/search"
	"parley/tui/widget"
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

func (c *keyInput) toggleExpanded(string) tea.Cmd {
	if chip, ok := c.composer.ChipAt(); ok && chip.Attachment == nil && c.composer.Expand() {
		return c.draft.edited()
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

// openSearch opens the bar of a search, with a query to start with.
func (c *navigator) openSearch(query string) tea.Cmd {
	if c.pane.Timeline.Len() == 0 {
		c.tell("There is nothing to search yet.")
		return nil
	}
	c.endSearch()
	c.closeOverlays()
	c.search = search.New(c.win.ctx, &c.pane)
	if query == "" {
		return nil
	}
	return c.searched(c.search.Paste(query))
}

// searched does what came of something that the search was given.
func (c *navigator) searched(o search.Outcome) tea.Cmd {
	if o.Hint != "" {
		c.tell("%s", o.Hint)
	}
	if o.Ended {
		c.search = nil
	}
	return c.own(o.Next)
}

// nextMatch goes to the next match, or the one before.
func (c *navigator) nextMatch(back bool) tea.Cmd { return c.searched(c.search.Next(back)) }

// closeSearch closes the bar of the search, if there is one.
func (c *navigator) closeSearch(keep bool) {
	if c.search != nil {
		c.searched(c.search.Close(keep))
	}
}

// endSearch ends the search, if there is one.
func (c *navigator) endSearch() {
	c.search.End()
	c.search = nil
}

// searchHints are the keys of the bar, as far as there is room.
func (c *navigator) searchHints() string {
	return widget.Indent + c.win.fittingHints(c.win.width-widget.Margin-1, c.win.ways(c.search.Hints()...)...)
}
