package panel

import (
	"strings"

	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/theme"
	"parley/tui/keymap"
	"parley/tui/overlay"
	"parley/tui/widget"
)

// Filter is a text that is filtered by what is typed. It is a Body.
type Filter struct {
	overlay.Base
	// Draw draws the text that matches a query, which may be "", in lines of a width. It is
	// asked again once one of these, the keys or Source differ.
	Draw func(th *theme.Theme, query string, width int) []string
	// Source returns, as a value that can be compared, what else the text is made of; nil
	// if there is nothing else.
	Source func() any
	What   string // what is filtered, for the empty query
	// Begin is the query that it opens with.
	Begin string
	// Again is asked for when the key Opens is typed before anything else: it opened the
	// panel. Both may be zero.
	Opens string
	Again overlay.Request

	query *editor.Editor
	view  viewport.Model
	drawn drawnFilter
}

// drawnFilter is what the lines in view were drawn of.
type drawnFilter struct {
	theme  *theme.Theme
	keys   *keymap.Map
	query  string
	width  int
	source any
}

// NewFilter returns a panel whose text is filtered by what is typed.
func NewFilter(title string, f *Filter) *Panel {
	f.query, f.view = editor.New(), viewport.New()
	f.query.Insert(f.Begin)
	return &Panel{Title: title, Body: f}
}

// Scope implements Body.
func (f *Filter) Scope() string { return keymap.InList }

// CloseAction implements Body.
func (f *Filter) CloseAction() string { return "list-close" }

// Rows implements Body: the query is the first row.
func (f *Filter) Rows(width, height int) ([]string, widget.Scroll) {
	room := max(1, width-widget.Margin-1)
	query := f.query.View(max(1, room-2), 1, f.Theme)[0]
	if f.query.Text() == "" {
		query = f.Theme.Render(theme.Dim, f.Cut("Type to filter "+f.What, room-2))
	}
	rows := []string{widget.Indent + f.Theme.Render(theme.Dim, widget.FilterMark+" ") + query}
	if height > 4 {
		rows = append(rows, "")
	}
	f.view.SetWidth(width)
	f.view.SetHeight(max(0, height-len(rows)))
	now := drawnFilter{theme: f.Theme, keys: f.Keys, query: f.query.Text(), width: room}
	if f.Source != nil {
		now.source = f.Source()
	}
	if f.drawn != now {
		f.drawn = now
		f.view.SetContentLines(f.Draw(now.theme, now.query, room))
	}
	var text []string
	if f.view.Height() > 0 {
		for line := range strings.SplitSeq(f.view.View(), "\n") {
			text = append(text, strings.TrimRight(line, " "))
		}
	}
	in := widget.Scroll{First: f.view.YOffset(), Shown: f.view.Height(), All: f.view.TotalLineCount()}
	in.Mark(f.Theme, text, width)
	return append(rows, text...), in
}

// Cursor implements Body.
func (f *Filter) Cursor() *tea.Cursor {
	x, _ := f.query.Cursor(max(1, f.Width-2*widget.Margin-1), 1)
	return widget.CaretAt(2*widget.Margin+x, 0)
}

// Typed implements Body: everything that is typed is the query's, but for the mark that it
// begins with.
func (f *Filter) Typed(press tea.KeyPressMsg) bool {
	if f.query.Text() == "" && press.Text == widget.FilterMark {
		return true
	}
	if f.Opens != "" && f.query.Text() == "" && press.Text == f.Opens && !press.IsRepeat {
		f.Ask(f.Again)
		return true
	}
	if !editor.Types(press) && f.Keys.Action(f.Scope(), press) != "" {
		return false
	}
	before := f.query.Text()
	f.query.Update(f.Keys.Query(press))
	if f.query.Text() != before {
		f.view.GotoTop()
	}
	return true
}

// Paste implements Body.
func (f *Filter) Paste(text string) bool {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	f.query.Insert(line)
	f.view.GotoTop()
	return true
}

// Act implements Body.
func (f *Filter) Act(action string) {
	switch action {
	case "list-move.before":
		f.view.ScrollUp(1)
	case "list-move.after":
		f.view.ScrollDown(1)
	case "list-page.up":
		f.view.PageUp()
	case "list-page.down":
		f.view.PageDown()
	case "list-page.first", "list-letters.first":
		f.view.GotoTop()
	case "list-page.last", "list-letters.last":
		f.view.GotoBottom()
	case "list-choose":
		f.Ask(overlay.Close{})
	}
}

// Scroll implements Body.
func (f *Filter) Scroll(n int) {
	f.view.ScrollUp(max(0, -n))
	f.view.ScrollDown(max(0, n))
}

// Click implements Body.
func (f *Filter) Click(int) {}

// HintPairs implements Body.
func (f *Filter) HintPairs() []string {
	return []string{f.CloseAction(), "close", "list-move.before list-move.after", "scroll"}
}
