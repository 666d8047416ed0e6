package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/render"
	"parley/theme"
	"parley/tui/keymap"
	"parley/tui/widget"
)

const (
	// besideFrom is the width from which the preview is beside the list.
	besideFrom = 110
	// browserHead are the lines above the list: title, query, what is said of it.
	browserHead = 3
	// previewHead are the lines above the timeline of the preview.
	previewHead = 2
)

// listWidth is the width of the list, and whether the preview is beside it.
func (m *Model) listWidth() (width int, wide bool) {
	if m.width < besideFrom {
		return max(1, m.width-1), false
	}
	return max(44, min(m.width*2/5, 60)), true
}

// browserRows is how many lines there are between the head and the keys.
func (m *Model) browserRows() int { return max(1, m.height-browserHead-1) }

// previewSize is the room of the timeline in the preview.
func (m *Model) previewSize() (width, height int) {
	width = m.width - 1
	if left, wide := m.listWidth(); wide {
		width -= left + widget.Margin
	}
	return width, m.browserRows() - previewHead
}

// browserView draws the browser over the whole screen, with the caret where one
// writes.
func (m *Model) browserView() ([]string, *tea.Cursor) {
	b := m.browser
	b.rows = m.browserRows()
	m.sizePreview()
	query, caret := m.queryLine()
	screen := append(make([]string, 0, m.height), m.browserTitle(), query, m.saidLine())
	left, wide := m.listWidth()
	switch {
	case wide:
		screen = append(screen, m.sideBySide(left)...)
	case b.looking:
		screen = m.band(screen, band{height: b.rows}, m.previewLines())
	default:
		screen = m.band(screen, band{height: b.rows}, m.listLines(left, false))
	}
	screen = append(screen, m.browserLast())
	for i, line := range screen {
		screen[i] = render.Truncate(line, m.width, "")
	}
	if caret < 0 {
		return screen, nil
	}
	return screen, widget.CaretAt(min(caret, m.width-1), 1)
}

// sideBySide is the list and the preview.
func (m *Model) sideBySide(left int) []string {
	rows := m.browser.rows
	list, shown := m.listLines(left, true), m.previewLines()
	edge := m.theme.Render(theme.Rule, m.theme.Glyph(theme.MarkQuote))
	lines := make([]string, rows)
	for i := range lines {
		if i < len(list) {
			lines[i] = list[i]
		}
		lines[i] += widget.Blank(left-render.Width(lines[i])) + " " + edge
		if i < len(shown) {
			lines[i] += shown[i]
		}
	}
	return lines
}

// listLines draws the sessions that are in view.
func (m *Model) listLines(width int, wide bool) []string {
	b := m.browser
	l := &b.list
	span := 1
	if wide || b.matcher != nil {
		span = 2
	}
	if l.span != span {
		line := l.lineOf(l.at) - l.top
		l.measure(span)
		l.top = max(0, l.lineOf(l.at)-line)
	}
	if len(l.items) == 0 {
		return m.nothing(width)
	}
	l.follow(b.rows)
	lines := make([]string, 0, b.rows)
	for i := max(0, l.itemAt(l.top)); i < len(l.items) && len(lines) < b.rows; i++ {
		for n := max(0, l.top-l.tops[i]); n < l.tops[i+1]-l.tops[i] && len(lines) < b.rows; n++ {
			lines = append(lines, m.drawItem(l.items[i], n, width, i == l.at, wide))
		}
	}
	return lines
}

// nothing says why there is no session, and what to do.
func (m *Model) nothing(width int) []string {
	b := m.browser
	text, words := "", m.keymap.Show("session-query")+" changes the words."
	switch further := m.keymap.Show("session-scope"); {
	case !b.found:
		text = "Opening the sessions."
	case b.library == nil:
	case b.index.Busy():
		text = "Nothing so far; the sessions are still being read."
	case b.query.Text() != "" && m.sought.scope != sessions.Everywhere:
		text = "Nothing matches " + m.scopeName() + ". " + further + " looks further, " + words
	case b.query.Text() != "":
		text = "Nothing matches. " + words
	case m.sought.scope != sessions.Everywhere:
		text = "There is no session " + m.scopeName() + ". " + further + " looks further."
	default:
		text = "There is no session yet. " + m.keymap.Show("session-new") + " starts one."
	}
	lines := []string{""}
	for _, l := range render.Wrap(text, max(1, width-widget.Margin-1)) {
		lines = append(lines, widget.Blank(widget.Margin)+m.theme.Render(theme.Dim, l))
	}
	return lines
}

func (m *Model) scopeName() string {
	return [...]string{"in this folder", "in this repository", "everywhere"}[m.sought.scope]
}

func (m *Model) orderName() string {
	order := m.sought.order
	if order == sessions.ByRelevance && m.browser.matcher == nil {
		order = sessions.ByUsed
	}
	return [...]string{"best match first", "last used first", "newest first", "by name", "most expensive first"}[order]
}

// browserTitle says what is looked through, and where in it one is.
func (m *Model) browserTitle() string {
	b, th := m.browser, m.theme
	room := max(0, m.width-widget.Margin-1)
	var facts []string
	if n := b.list.nth(); n > 0 {
		facts = append(facts, fmt.Sprintf("%s of %s", render.Number(n), render.Number(len(b.list.hits))))
	}
	if p := b.index; p.Busy() {
		facts = append(facts, fmt.Sprintf("indexing %s of %s", render.Number(p.Done), render.Number(p.All)))
	}
	right := strings.Join(facts, m.dot())
	waits := ""
	if m.questions.Len() > 0 {
		waits = widget.ColumnGapText + th.Glyph(theme.MarkQuestion) + " a question waits"
	}
	fixed := render.Width("Sessions") + render.Width(waits) + widget.ColumnGap
	right = m.cut(right, max(0, room-fixed))
	about := m.joined(m.scopeName(), m.orderName(), m.sought.group.String())
	about = m.cut(about, max(0, room-fixed-render.Width(right)-len(widget.ColumnGapText)))
	left := th.Render(theme.Strong, "Sessions") + widget.ColumnGapText + th.Render(theme.Dim, about) + th.Render(theme.Accent, waits)
	return widget.Blank(widget.Margin) + left + widget.Blank(room-render.Width(left)-render.Width(right)) + th.Render(theme.Dim, right)
}

// browserLast are the keys that there is room for, or what was said last.
func (m *Model) browserLast() string {
	b := m.browser
	room := max(0, m.width-widget.Margin-1)
	if said := m.hinted(); said != "" || b.note != "" {
		if b.note != "" {
			said = b.note
		}
		return widget.Blank(widget.Margin) + m.theme.Render(theme.Accent, m.cut(said, room))
	}
	switch {
	case b.noting != nil:
		return widget.Blank(widget.Margin) + m.fittingHints(room, keymap.HintsOf("esc", "back", "enter", "keep")...)
	case b.writing:
		return widget.Blank(widget.Margin) + m.fittingHints(room, keymap.HintsOf("enter", "to the list", "tab", "complete", "ctrl+n", "another word")...)
	case b.looking:
		return widget.Blank(widget.Margin) + m.fittingHints(room, m.ways("preview-close", "to the list", "preview-hit.next preview-hit.before", "hits",
			"preview-open.resume", "resume", "preview-open.read", "read", "preview-ends.start preview-ends.end", "ends")...)
	}
	return widget.Blank(widget.Margin) + m.browserHints(room)
}

// browserHints are the keys of the list, those that matter most first. Where
// there is no room for all, a key turns to the others.
func (m *Model) browserHints(room int) string {
	b := m.browser
	closes := m.ways("session-close", "close", "session-keys", "more keys")
	rest := m.ways("session-open", "resume", "session-query", "search", "session-preview", "preview", "session-scope", "scope",
		"session-sort", "sort", "session-delete.delete", "delete", "session-read", "read", "session-fork", "fork",
		"session-rename", "rename", "session-pin", "pin", "session-tag", "tag", "session-export", "export",
		"session-group", "group", "session-archive", "archive", "session-copy", "copy command", "session-new", "new")
	if all := slices.Concat(closes[:min(1, len(closes))], rest); widget.Fitting(room, m.dot(), all) == len(all) || len(rest) == 0 {
		return m.keyHints(all...)
	}
	var pages [][]key.Binding
	for len(rest) > 0 {
		page := slices.Concat(closes, rest)
		page = page[:max(len(closes)+1, widget.Fitting(room, m.dot(), page))]
		pages, rest = append(pages, page), rest[len(page)-len(closes):]
	}
	b.page %= max(1, len(pages))
	return m.keyHints(pages[b.page]...)
}

// previewLines draws the chosen session as it was, below what is known of it.
func (m *Model) previewLines() []string {
	b, th := m.browser, m.theme
	s := b.list.session()
	if s == nil {
		return nil
	}
	width, _ := m.previewSize()
	room := max(0, width-widget.Margin)
	right, p := "", b.preview
	switch {
	case p == nil:
	case p.nth > 0:
		right = fmt.Sprintf("hit %d of %d", p.nth, p.hits.Total())
	case p.cut:
		right = "the beginning of it"
	}
	facts := m.previewFacts(s)
	if _, wide := m.listWidth(); !wide {
		facts = slices.Insert(facts, 0, titleOf(s))
	}
	facts = slices.DeleteFunc(facts, func(one string) bool { return one == "" })
	left := max(0, room-render.Width(right)-widget.ColumnGap)
	for len(facts) > 1 && render.Width(strings.Join(facts, m.dot())) > left {
		facts = facts[:len(facts)-1]
	}
	about := m.cut(strings.Join(facts, m.dot()), left)
	lines := []string{widget.Blank(widget.Margin) + th.Render(theme.Dim, about) +
		widget.Blank(room-render.Width(about)-render.Width(right)) + th.Render(theme.Accent, right), ""}
	say := func(text string) {
		for _, l := range render.Wrap(render.SanitizeLine(text), max(1, room)) {
			lines = append(lines, widget.Blank(widget.Margin)+th.Render(theme.Warning, l))
		}
	}
	if s.Unread != "" {
		say("Not all of it could be read: " + s.Unread)
	}
	if p == nil {
		return lines
	}
	if p.trouble != "" {
		say(p.trouble)
	}
	return append(lines, p.view(th)...)
}
