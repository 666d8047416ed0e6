package picker

import (
	"cmp"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/theme"
	"parley/tui/widget"
)

// leastPreview is the least room for a preview that may be longer.
const leastPreview = 3

// Lines implements overlay.Overlay.
func (p *Picker) Lines() int {
	p.tallest = max(p.tallest, 1, min(p.List.Lines(), p.Most())) // it does not shrink under the eye
	n := 3 + p.tallest                                           // air, title, rows, keys
	if p.Query != nil {
		n++
	}
	if p.PreviewRows > 0 {
		n += p.PreviewRows + 1
	}
	return n
}

// Most bounds the lines of the list.
func (p *Picker) Most() int {
	if p.Tall {
		return max(widget.ListRows, p.Height*2/3)
	}
	return widget.MostRows(p.Height)
}

// View implements overlay.Overlay.
func (p *Picker) View(width, height int) (lines []string, cursor *tea.Cursor) {
	th := p.Theme
	if height >= p.Lines() {
		lines = append(lines, "")
	}
	heading := len(lines)
	lines = append(lines, "")
	if p.Query != nil {
		lead := cmp.Or(p.Lead, widget.FilterMark) + " "
		room := max(1, width-2*widget.Margin-1)
		cx, _ := p.Query.Cursor(room, 1)
		cursor = widget.CaretAt(widget.Margin+len(lead)+cx, len(lines))
		lines = append(lines, widget.Indent+th.Render(theme.Dim, lead)+p.Query.View(room, 1, th)[0])
	}
	left := height - len(lines) - 1 // the keys
	var preview []string
	below := 0 // what the preview has, however long it is: rows do not come and go as one moves
	if r, ok := p.Selected(); ok && p.PreviewRows > 0 {
		if room := left - min(p.List.Lines(), p.Most(), max(1, left/2)) - 1; room >= min(leastPreview, p.PreviewRows) {
			below = min(room, p.PreviewRows) + 1
			preview = append([]string{""}, p.Preview(r, width, below-1)...)
		}
	}
	shown := min(p.Most(), left-below)
	rows := p.List.View(width, shown, th)
	if row := p.Cursor(shown); row != nil && (p.Query == nil || p.Moved) { // what is typed changes the filter
		cursor = widget.MoveCursor(row, len(lines))
	}
	lines[heading] = p.heading(width, shown)
	if len(p.Rows) == 0 {
		empty := p.Cut(cmp.Or(p.Empty, "Nothing matches."), max(0, width-widget.Margin-1))
		rows = []string{widget.Indent + th.Render(theme.Dim, empty)}
	}
	lines = append(append(lines, rows...), preview...)
	return append(widget.Fill(nil, height-1, lines), p.footer()), cursor
}

// heading is the title, and at the right where one is in the list, of which so many lines
// are shown.
func (p *Picker) heading(width, shown int) string {
	state := p.Position(shown)
	if p.Query != nil && len(p.Rows) < len(p.All) {
		state = text.JoinNonEmpty(p.Dot(), state, fmt.Sprintf("%d of %d match", len(p.Rows), len(p.All)))
	}
	if p.State != nil {
		state = text.JoinNonEmpty(p.Dot(), p.State(), state)
	}
	title := p.Theme.Render(theme.Strong, text.SanitizeLine(p.Title))
	return widget.Indent + widget.Spread(p.Theme, title, text.SanitizeLine(state), max(0, width-widget.Margin-1))
}

// footer names the keys.
func (p *Picker) footer() string {
	room := max(0, p.Width-widget.Margin-1)
	if p.Note != "" {
		return widget.Indent + p.Theme.Render(theme.Accent, p.Cut(p.Note, room))
	}
	closes := "close"
	selected, _ := p.Selected()
	var pairs []string
	if p.Pick != nil {
		pairs = append(pairs, "list-choose", "choose")
	}
	for _, k := range p.More {
		if k.TitleOf != nil {
			k.Title = k.TitleOf(selected)
		}
		switch {
		case k.Title == "" || k.refusal(selected) != "":
		case k.Action == "list-close":
			closes = k.Title
		case k.Action == "list-choose":
			pairs = append([]string{k.Action, k.Title}, pairs...)
		default:
			pairs = append(pairs, cmp.Or(k.Together, k.Action), k.Title)
		}
	}
	if p.Query == nil && len(p.All) > widget.ListRows {
		pairs = append(pairs, "list-filter", "filter")
	}
	hints := p.Hints(append(pairs, "list-close", closes)...)
	for len(hints) > 1 && widget.Fitting(room, p.Theme.Dot(), hints) < len(hints) {
		hints = slices.Delete(hints, len(hints)-2, len(hints)-1) // how to close it stays
	}
	return widget.Indent + text.Truncate(p.HintLine(hints...), room, "")
}
