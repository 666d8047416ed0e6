package browser

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/render/text"
	"parley/theme"
	"parley/tui/keymap"
	"parley/tui/overlay"
	"parley/tui/widget"
)

const (
	// wideFrom is the width from which the preview is beside the list.
	wideFrom = 110
	// browserHead are the lines above the list: title, query, and what is below that.
	browserHead = 3
	// previewHead are the lines above the timeline of the preview.
	previewHead = 2
)

// listWidth is the width of the list, and whether the preview is beside it.
func (b *Browser) listWidth() (width int, wide bool) {
	if b.Width < wideFrom {
		return max(1, b.Width-1), false
	}
	return max(44, min(b.Width*2/5, 60)), true
}

// bodyRows is the number of lines between the head and the key hints.
func (b *Browser) bodyRows() int { return max(1, b.Height-browserHead-1) }

// previewSize is the size of the timeline in the preview.
func (b *Browser) previewSize() (width, height int) {
	width = b.Width - 1
	if left, wide := b.listWidth(); wide {
		width -= left + widget.Margin
	}
	return width, b.bodyRows() - previewHead
}

// Cover implements overlay.Overlay.
func (b *Browser) Cover() overlay.Cover { return overlay.OverAll }

// View implements overlay.Overlay.
func (b *Browser) View(int, int) ([]string, *tea.Cursor) {
	b.layoutPreview()
	query, caret := b.queryLine()
	screen := append(make([]string, 0, b.Height), b.title(), query, b.belowQuery())
	left, wide := b.listWidth()
	switch {
	case wide:
		screen = append(screen, b.sideBySide(left)...)
	case b.previewFocused:
		screen = widget.Fill(screen, b.bodyRows(), b.previewLines())
	default:
		list := b.listLines(left, false)
		b.scroll().Mark(b.Theme, list, b.Width)
		screen = widget.Fill(screen, b.bodyRows(), list)
	}
	screen = append(screen, b.bottomLine())
	for i, line := range screen {
		screen[i] = text.Truncate(line, b.Width, "")
	}
	if caret < 0 {
		return screen, chosenRow(b)
	}
	return screen, widget.CaretAt(min(caret, b.Width-1), 1)
}

// chosenRow is the cursor at the chosen session; nil if that is out of view.
func chosenRow(b *Browser) *tea.Cursor {
	if _, wide := b.listWidth(); b.previewFocused && !wide || b.list.chosenItem < 0 {
		return nil
	}
	line := b.list.lineOf(b.list.chosenItem) - b.list.top
	if line < 0 || line >= b.bodyRows() {
		return nil
	}
	return widget.CaretAt(0, browserHead+line)
}

// sideBySide draws the list and the preview.
func (b *Browser) sideBySide(left int) []string {
	rows := b.bodyRows()
	list, shown := b.listLines(left, true), b.previewLines()
	b.scroll().Mark(b.Theme, list, left+1)
	edge := b.Theme.Render(theme.Rule, b.Theme.Glyph(theme.MarkQuote))
	lines := make([]string, rows)
	for i := range lines {
		if i < len(list) {
			lines[i] = list[i]
		}
		lines[i] += widget.Blank(left+1-text.Width(lines[i])) + edge
		if i < len(shown) {
			lines[i] += shown[i]
		}
	}
	return lines
}

// listLines draws the visible part of the list.
func (b *Browser) listLines(width int, wide bool) []string {
	l := &b.list
	span := 1
	if wide || b.matcher != nil {
		span = 2
	}
	if l.rowLines != span {
		line := l.lineOf(l.chosenItem) - l.top
		l.measure(span)
		l.top = max(0, l.lineOf(l.chosenItem)-line)
	}
	if len(l.items) == 0 {
		return b.emptyList(width)
	}
	l.follow(b.bodyRows())
	lines := make([]string, 0, b.bodyRows())
	for y := l.top; y < min(l.top+b.bodyRows(), len(l.lines)); y++ {
		item := l.items[l.lines[y]]
		lines = append(lines, b.drawItem(item, y-item.line, width, l.lines[y] == l.chosenItem, wide))
	}
	return lines
}

// scroll is what of the list is in view.
func (b *Browser) scroll() widget.Scroll {
	return widget.Scroll{First: b.list.top, Shown: b.bodyRows(), All: len(b.list.lines)}
}

// emptyList explains why the list is empty, and what to do.
func (b *Browser) emptyList(width int) []string {
	var s string
	words := b.Keys.Show("session-query") + " changes the words."
	switch further := b.Keys.Show("session-scope"); {
	case !b.loaded:
		s = "Opening the sessions."
	case b.indexing.Busy():
		s = "Nothing so far; the sessions are still being read."
	case b.asking:
		s = "Nothing so far; the agent is still asked for its own sessions."
	case b.query.Text() != "" && b.options.Scope != sessions.Everywhere:
		s = "Nothing matches " + b.options.scopeName() + ". " + further + " looks further, " + words
	case b.query.Text() != "":
		s = "Nothing matches. " + words
	case b.options.Scope != sessions.Everywhere:
		s = "There is no session " + b.options.scopeName() + ". " + further + " looks further."
	default:
		s = "There is no session yet. " + cmp.Or(b.none, b.Keys.Show("session-new")+" starts one.")
	}
	lines := []string{""}
	for _, l := range text.Wrap(s, max(1, width-widget.Margin-1)) {
		lines = append(lines, widget.Indent+b.Theme.Render(theme.Dim, l))
	}
	return lines
}

func (o *Options) scopeName() string {
	return [...]string{"in this folder", "in this repository", "everywhere"}[o.Scope]
}

// where is the scope, and the place that all that was found is in; "" if that differs.
func (o *Options) where(place string) string {
	switch {
	case place == "":
		return o.scopeName()
	case o.Scope == sessions.Everywhere:
		place = "all in " + place
	}
	return o.scopeName() + ", " + place
}

func (b *Browser) orderName() string {
	order := b.options.Order
	if order == sessions.ByRelevance && b.matcher == nil {
		order = sessions.ByUsed
	}
	return [...]string{"best match first", "last used first", "newest first", "by name", "most expensive first"}[order]
}

// title shows what is listed, how, and where the chosen session is in it.
func (b *Browser) title() string {
	th := b.Theme
	room := max(0, b.Width-widget.Margin-1)
	number, indexing, asking, waits := "", "", "", ""
	if n := b.list.number(); n > 0 {
		number = fmt.Sprintf("%s of %s", text.Number(n), text.Number(len(b.list.hits)))
	}
	if p := b.indexing; p.Busy() {
		indexing = fmt.Sprintf("indexing %s of %s", text.Number(p.Done), text.Number(p.All))
	}
	if b.asking {
		asking = "asking the agent"
	}
	right := text.JoinNonEmpty(b.Dot(), number, indexing, asking)
	if b.Pending {
		waits = widget.ColumnGapText + th.Glyph(theme.MarkQuestion) + " a question waits"
	}
	fixed := text.Width("Sessions") + text.Width(waits) + widget.ColumnGap
	right = b.Cut(right, max(0, room-fixed))
	about := text.JoinNonEmpty(b.Dot(), b.options.where(placeOf(b.list.repository, b.list.branch)), b.orderName(), b.options.group.String())
	about = b.Cut(about, max(0, room-fixed-text.Width(right)-len(widget.ColumnGapText)))
	left := th.Render(theme.Strong, "Sessions") + widget.ColumnGapText + th.Render(theme.Dim, about) + th.Render(theme.Accent, waits)
	return widget.Indent + left + widget.Blank(room-text.Width(left)-text.Width(right)) + th.Render(theme.Dim, right)
}

// bottomLine shows the last message, or else hints of keys.
func (b *Browser) bottomLine() string {
	room := max(0, b.Width-widget.Margin-1)
	if said := b.Hint; said != "" || b.message != "" {
		if b.message != "" {
			said = b.message
		}
		return widget.Indent + b.Theme.Render(theme.Accent, b.Cut(said, room))
	}
	switch {
	case b.input != nil:
		return widget.Indent + b.FitHints(room, keymap.HintsOf("esc", "back", "enter", "save")...)
	case b.queryFocused:
		esc := "clear"
		if b.query.Empty() {
			esc = "back"
		}
		hints := keymap.HintsOf("enter", "to the list", "esc", esc, "tab", "complete", "ctrl+n", "another word")
		return widget.Indent + b.FitHints(room, hints...)
	case b.previewFocused:
		return widget.Indent + b.previewHints(room)
	}
	return widget.Indent + b.listHints(room)
}

// previewHints draws the hints of the preview. Its next line with the words is a key of
// use only where there are words.
func (b *Browser) previewHints(room int) string {
	pairs := []string{
		"preview-close", "to the list", "preview-keys", "keys", "preview-open.resume", "resume", "preview-open.read", "read",
		"preview-ends.start preview-ends.end", "ends",
	}
	if b.matcher != nil {
		pairs = slices.Insert(pairs, 2, "preview-hit.next preview-hit.before", "next/prev hit")
	}
	return b.FitHints(room, b.Hints(pairs...)...)
}

// listHints draws the hints of the list that there is room for, the most important first.
func (b *Browser) listHints(room int) string {
	closes := "close"
	if b.quits {
		closes = "quit"
	}
	return b.FitHints(room, b.Hints("session-close", closes, "session-keys", "keys", "session-open", "resume", "session-query", "search",
		"session-rename", "rename", "session-export", "export", "session-new", "new", "session-delete.delete", "delete",
		"session-preview", "preview", "session-scope", "scope", "session-sort", "sort", "session-read", "read",
		"session-fork", "fork", "session-pin", "pin", "session-tag", "tag", "session-group", "group",
		"session-archive", "archive", "session-copy", "copy command")...)
}

// previewLines draws the preview below the facts of its session.
func (b *Browser) previewLines() []string {
	th := b.Theme
	s := b.list.session()
	if s == nil {
		return nil
	}
	width, _ := b.previewSize()
	room := max(0, width-widget.Margin)
	right, p := "", b.preview
	if p != nil {
		if nth, total := p.search.Place(); nth > 0 {
			right = fmt.Sprintf("hit %d of %d", nth, total)
		} else if p.truncated {
			right = "only the beginning"
		}
	}
	facts := b.previewFacts(s)
	if _, wide := b.listWidth(); !wide {
		facts = slices.Insert(facts, 0, b.list.titleOf(s))
	}
	facts = text.NonEmpty(facts)
	left := max(0, room-text.Width(right)-widget.ColumnGap)
	for len(facts) > 1 && text.Width(strings.Join(facts, b.Dot())) > left {
		facts = facts[:len(facts)-1]
	}
	about := b.Cut(strings.Join(facts, b.Dot()), left)
	lines := []string{widget.Indent + th.Render(theme.Dim, about) +
		widget.Blank(room-text.Width(about)-text.Width(right)) + th.Render(theme.Accent, right), ""}
	say := func(content string) {
		for _, l := range text.Wrap(text.SanitizeLine(content), max(1, room)) {
			lines = append(lines, widget.Indent+th.Render(theme.Warning, l))
		}
	}
	if s.ReadProblem != "" {
		say("Not all of it could be read: " + s.ReadProblem)
	}
	if p == nil {
		return lines
	}
	if p.warning != "" {
		say(p.warning)
	}
	return append(lines, p.pane.View()...)
}
