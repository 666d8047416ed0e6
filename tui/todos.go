package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/session"
	"parley/theme"
	"parley/tui/panel"
	"parley/tui/widget"
)

// todos are what the agent still has to do, as it noted it.
type todos struct {
	*core
	mirror[session.Todo]
	shape todoShape
	lines []string // as drawn in this frame
}

// todoShape is how much of it stands above the composer.
type todoShape uint8

const (
	todoLine todoShape = iota // what it is at
	todoList
	todoHidden
)

const (
	// mostTodos bounds the rows of the list.
	mostTodos = 8
	// tallScreen is the height of a screen from which on there is room for the
	// list, and for air.
	tallScreen = 30
)

// readTodos reads anew what is to be done.
func (c *todos) readTodos() tea.Cmd {
	s, ok := session.As[session.TodoLister](c.session)
	if !ok {
		return nil
	}
	return c.read(c.core, s.Todos)
}

// showsTodos reports whether what is to be done stands above the composer.
func (c *todos) showsTodos() bool {
	all := c.items
	return len(all) > 0 && c.shape != todoHidden && c.session != nil && (c.busy() || finished(all) < len(all))
}

// band draws what is to be done, above the composer: one line, or the list of a few
// where that fits.
func (c *todos) band(width int, listFits bool) []string {
	if !c.showsTodos() {
		return nil
	}
	if c.shape == todoList && listFits {
		return c.todoRows(width)
	}
	at := c.items[current(c.items)]
	count := fmt.Sprintf("%d/%d", finished(c.items), len(c.items))
	lead := c.win.theme.Glyph(theme.MarkTodo) + " "
	room := max(0, width-text.Width(lead)-len(count)-2)
	text := at.Title
	if at.Status == todoBlocked {
		text += " (blocked)"
	}
	return []string{c.win.theme.Render(theme.Accent, lead) + c.win.theme.Render(theme.Dim, count) + "  " +
		c.win.theme.Render(theme.Text, c.win.cut(text, room))}
}

// todoRows draws at most mostTodos of the list around the current one.
func (c *todos) todoRows(width int) []string {
	all := c.items
	shown := min(len(all), mostTodos)
	first := max(0, min(current(all)-shown/2, len(all)-shown))
	count := fmt.Sprintf("  %d/%d", finished(all), len(all))
	lines := make([]string, 0, shown)
	for i, t := range all[first : first+shown] {
		end := ""
		if i == 0 {
			end = count // where the line's own count was
		}
		mark, tok := c.win.todoMark(t)
		text := c.win.cut(t.Title, max(0, width-widget.Margin-len(end)))
		lines = append(lines, mark+" "+c.win.theme.Render(tok, text)+c.win.theme.Render(theme.Dim, end))
	}
	return lines
}

// The states of a thing to be done.
const (
	todoDone    = "done"
	todoActive  = "in_progress"
	todoBlocked = "blocked"
)

// finished counts what is done.
func finished(all []session.Todo) int {
	n := 0
	for _, t := range all {
		if t.Status == todoDone {
			n++
		}
	}
	return n
}

// current is what the agent is at: what it says it is, or else the first that it
// can begin, or else the first that is not done. The list has one at least.
func current(all []session.Todo) int {
	for _, is := range []func(session.Todo) bool{
		func(t session.Todo) bool { return t.Status == todoActive },
		func(t session.Todo) bool { return t.Status != todoDone && t.Status != todoBlocked },
		func(t session.Todo) bool { return t.Status != todoDone },
	} {
		if i := slices.IndexFunc(all, is); i >= 0 {
			return i
		}
	}
	return len(all) - 1
}

// cycleTodos shows what is to be done in one line, as a list, or not.
func (c *todos) cycleTodos(string) tea.Cmd {
	c.shape = (c.shape + 1) % (todoHidden + 1)
	said := map[todoShape]string{
		todoLine: "To-do list: one line", todoList: "To-do list: all lines", todoHidden: "To-do list: hidden; /todos shows it",
	}[c.shape]
	switch {
	case len(c.items) == 0:
		said += " (empty so far)"
	case c.shape == todoList && c.win.height < tallScreen:
		said = fmt.Sprintf("To-do list: all lines, from %d lines on; /todos shows it", tallScreen)
	}
	c.showHint("%s", said)
	return nil
}

// showTodos shows all that the agent still has to do.
func (c *todos) showTodos(string) tea.Cmd {
	s, ok := session.As[session.TodoLister](c.session)
	if !ok {
		c.showHint("This agent keeps no to-do list.")
		return nil
	}
	return ask(c.core, "read what is to be done", s.Todos, func(all []session.Todo) tea.Cmd {
		if !c.opens(len(all) > 0, "There is no to-do list yet.", "The to-do list is ready: /todos shows it.") {
			return nil
		}
		c.items = all
		c.openPanel(&panel.Panel{
			Title: fmt.Sprintf("To do, %d of %d done", finished(all), len(all)),
			Text:  func(_ *theme.Theme, width int) []string { return c.todoLines(width) },
		})
		return nil
	})
}

// todoMark is the mark of a thing to be done, and how its title is drawn.
func (w *windowState) todoMark(t session.Todo) (mark string, tok theme.Token) {
	sign, tok := theme.MarkBullet, theme.Text
	switch t.Status {
	case todoDone:
		sign, tok = theme.MarkDone, theme.Dim
	case todoActive:
		sign, tok = theme.MarkRunning, theme.Strong
	case todoBlocked:
		sign, tok = theme.MarkWarning, theme.Warning
	}
	return w.theme.Render(tok, w.theme.Glyph(sign)), tok
}

// todoLines draws all of it, as it is now.
func (c *todos) todoLines(width int) []string {
	var lines []string
	for _, t := range c.items {
		mark, tok := c.win.todoMark(t)
		text := c.win.cut(t.Title, max(0, width-2*widget.Margin))
		lines = append(lines, widget.Indent+mark+" "+c.win.theme.Render(tok, text))
		if t.Description != "" && t.Status != todoDone {
			about := c.win.cut(strings.TrimSpace(t.Description), max(0, width-2*widget.Margin))
			lines = append(lines, widget.Blank(2*widget.Margin)+c.win.theme.Render(theme.Dim, about))
		}
	}
	return lines
}
