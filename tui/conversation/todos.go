package conversation

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
	Shape TodoShape
	lines []string // as drawn in this frame
}

// TodoShape is how much of it stands above the composer.
type TodoShape uint8

// What of the to-do list stands above the composer.
const (
	TodoLine TodoShape = iota // what it is at
	TodoList
	TodoHidden
)

const (
	// mostTodos bounds the rows of the list.
	mostTodos = 8
	// TallScreen is the height of a screen from which on there is room for the
	// list, and for air.
	TallScreen = 30
)

// ReadTodos reads anew what is to be done.
func (c *todos) ReadTodos() tea.Cmd {
	s, ok := session.As[session.TodoLister](c.Session)
	if !ok {
		return nil
	}
	return c.read(c.core, s.Todos)
}

// Band draws what is to be done, above the composer: one line, or the list of a few
// where that fits. All that is done is shown only as long as the agent is at work.
func (c *todos) Band(width int, listFits bool) []string {
	done := finished(c.Items)
	switch {
	case len(c.Items) == 0 || c.Shape == TodoHidden || c.Session == nil || done == len(c.Items) && !c.Busy():
		return nil
	case c.Shape == TodoList && listFits:
		return c.todoRows(width)
	}
	at := c.Items[Current(c.Items)]
	count := fmt.Sprintf("%d/%d", done, len(c.Items))
	lead := c.win.Theme.Glyph(theme.MarkTodo) + " "
	room := max(0, width-text.Width(lead)-len(count)-2)
	text := at.Title
	if at.Status == todoBlocked {
		text += " (blocked)"
	}
	return []string{c.win.Theme.Render(theme.Accent, lead) + c.win.Theme.Render(theme.Dim, count) + "  " +
		c.win.Theme.Render(theme.Text, c.win.Cut(text, room))}
}

// todoRows draws at most mostTodos of the list around the current one.
func (c *todos) todoRows(width int) []string {
	all := c.Items
	shown := min(len(all), mostTodos)
	first := max(0, min(Current(all)-shown/2, len(all)-shown))
	count := fmt.Sprintf("  %d/%d", finished(all), len(all))
	lines := make([]string, 0, shown)
	for i, t := range all[first : first+shown] {
		end := ""
		if i == 0 {
			end = count // where the line's own count was
		}
		lines = append(lines, c.win.todoTitle(t, width-widget.Margin-len(end))+c.win.Theme.Render(theme.Dim, end))
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

// Current is what the agent is at: what it says it is, or else the first that it
// can begin, or else the first that is not done. The list has one at least.
func Current(all []session.Todo) int {
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
	c.Shape = (c.Shape + 1) % (TodoHidden + 1)
	said := map[TodoShape]string{
		TodoLine: "To-do list: one line", TodoList: "To-do list: all lines", TodoHidden: "To-do list: hidden; /todos shows it",
	}[c.Shape]
	switch {
	case len(c.Items) == 0:
		said += " (empty so far)"
	case c.Shape == TodoList && c.win.Height < TallScreen:
		said = fmt.Sprintf("To-do list: all lines, from %d lines on; /todos shows it", TallScreen)
	}
	return c.ShowHint("%s", said)
}

// showTodos shows all that the agent still has to do.
func (c *todos) showTodos(string) tea.Cmd {
	s, ok := session.As[session.TodoLister](c.Session)
	if !ok {
		return c.ShowHint("This agent keeps no to-do list.")
	}
	return ask(c.core, "read what is to be done", s.Todos, func(all []session.Todo) tea.Cmd {
		if !c.Opens(len(all) > 0, "There is no to-do list yet.", "The to-do list is ready: /todos shows it.") {
			return nil
		}
		c.Items = all
		return c.OpenPanel(&panel.Panel{
			Title: fmt.Sprintf("To do, %d of %d done", finished(all), len(all)),
			Text:  func(_ *theme.Theme, width int) []string { return c.TodoLines(width) },
		})
	})
}

// todoTitle draws the mark and the title of a to-do; the title has so many cells at most.
func (w *Window) todoTitle(t session.Todo, room int) string {
	sign, tok := theme.MarkBullet, theme.Text
	switch t.Status {
	case todoDone:
		sign, tok = theme.MarkDone, theme.Dim
	case todoActive:
		sign, tok = theme.MarkRunning, theme.Strong
	case todoBlocked:
		sign, tok = theme.MarkWarning, theme.Warning
	}
	return w.Theme.Render(tok, w.Theme.Glyph(sign)) + " " + w.Theme.Render(tok, w.Cut(t.Title, max(0, room)))
}

// TodoLines draws all of it, as it is now.
func (c *todos) TodoLines(width int) []string {
	var lines []string
	for _, t := range c.Items {
		lines = append(lines, widget.Indent+c.win.todoTitle(t, width-2*widget.Margin))
		if t.Description != "" && t.Status != todoDone {
			about := c.win.Cut(strings.TrimSpace(t.Description), max(0, width-2*widget.Margin))
			lines = append(lines, widget.Blank(2*widget.Margin)+c.win.Theme.Render(theme.Dim, about))
		}
	}
	return lines
}
