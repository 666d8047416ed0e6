package browser

import (
	"errors"
	"regexp"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/history/sessions"
	"parley/render/text"
	"parley/theme"
	"parley/timeline"
	"parley/tui/widget"
)

// completions are what may be put in at the caret of the query.
type completions struct {
	span [2]int // of the query, in bytes, that a choice replaces
	all  []sessions.Choice
	at   int
}

// lineInput asks for a line of text, such as a name or tags.
type lineInput struct {
	label  string // such as "tags"
	editor *editor.Editor
	submit func(text string) tea.Cmd
	// listensFrom is when a letter that comes first is for the line; an earlier one closes
	// it.
	listensFrom time.Time
}

// parseQuery parses the query. If a part of it is wrong, the rest is used.
func (b *Browser) parseQuery() {
	b.updateCompletions()
	q, err := sessions.ParseQuery(b.query.Text(), b.Now.In(b.Zone))
	if b.queryError, b.errorSpan = "", [2]int{-1, -1}; err != nil {
		b.queryError = err.Error()
		if where := (*sessions.QueryError)(nil); errors.As(err, &where) {
			b.errorSpan = where.Span
		}
	}
	b.parsed, b.matcher = q, matcherOf(q)
}

// stillTyping reports whether the caret is in what is wrong with the query.
func (b *Browser) stillTyping() bool {
	at := b.query.Offset()
	return b.queryFocused && b.errorSpan[0] <= at && at <= b.errorSpan[1]
}

// matcherOf finds texts that may have the words of a query; nil if it has none. Which
// words exactly are hits, sessions.Query.Marks returns.
func matcherOf(q sessions.Query) *timeline.Matcher {
	var words []string
	for _, w := range q.Words {
		if text := strings.TrimSpace(w.Text); !w.Not && text != "" {
			words = append(words, "(?:"+regexp.QuoteMeta(strings.ToLower(text))+")")
		}
	}
	if len(words) == 0 {
		return nil
	}
	return timeline.NewMatcher(strings.Join(words, "|"), false, timeline.SmartCase)
}

// updateCompletions finds the completions for the caret.
func (b *Browser) updateCompletions() {
	b.completions = completions{}
	b.completions.span, b.completions.all = sessions.Complete(b.query.Text(), b.query.Offset(), b.known)
}

// acceptCompletion puts the chosen completion in.
func (b *Browser) acceptCompletion() tea.Cmd {
	c := b.completions
	text := b.query.Text()
	if len(c.all) == 0 || c.span[0] < 0 || c.span[1] < c.span[0] || c.span[1] > len(text) {
		return nil
	}
	word := c.all[c.at].Text
	b.query.SetText(text[:c.span[0]] + word + text[c.span[1]:])
	b.query.SetOffset(c.span[0] + len(word))
	return b.queryChanged()
}

// queryChanged searches for the query as it is now.
func (b *Browser) queryChanged() tea.Cmd {
	b.autoWiden = false
	b.parseQuery()
	b.list.resetChoice = true
	return b.searchSoon()
}

// queryKey handles a key while the query has the focus.
func (b *Browser) queryKey(press tea.KeyPressMsg) tea.Cmd {
	n := len(b.completions.all)
	switch press.Keystroke() {
	case "enter", "down":
		b.queryFocused = false
		return nil
	case "esc":
		b.queryFocused = false
		if b.query.Empty() {
			return nil
		}
		b.query.SetText("")
		return b.queryChanged()
	case "tab":
		return b.acceptCompletion()
	case "ctrl+n", "ctrl+p":
		if n > 0 {
			by := 1
			if press.Keystroke() == "ctrl+p" {
				by = n - 1
			}
			b.completions.at = (b.completions.at + by) % n
		}
		return nil
	case "up", "shift+enter", "alt+enter", "ctrl+j", "shift+tab":
		return nil
	}
	before := b.query.Version()
	b.query.Update(b.Keys.Query(press))
	if b.query.Version() == before {
		b.updateCompletions() // the caret may have moved
		return nil
	}
	return b.queryChanged()
}

// inputKey handles a key while a line of text is asked for.
func (b *Browser) inputKey(press tea.KeyPressMsg) tea.Cmd {
	n := b.input
	if editor.Types(press) && b.Now.Before(n.listensFrom) {
		b.input = nil
		notTyped(b)
		return nil
	}
	n.listensFrom = time.Time{}
	switch press.Keystroke() {
	case "enter":
		if press.IsRepeat {
			return nil
		}
		b.input = nil
		return n.submit(strings.TrimSpace(n.editor.Text()))
	case "esc":
		b.input = nil
		return nil
	case "tab", "up", "down", "shift+enter", "alt+enter", "ctrl+j":
		return nil
	}
	n.editor.Update(b.Keys.Query(press))
	return nil
}

// Paste implements overlay.Overlay: it inserts the first line of a paste, and never does
// anything else.
func (b *Browser) Paste(text string) (tea.Cmd, bool) {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	text = strings.TrimSuffix(text, "\r")
	if b.input != nil {
		b.input.editor.Insert(text)
		b.input.listensFrom = time.Time{}
		return nil, true
	}
	b.queryFocused, b.previewFocused = true, false
	b.query.Insert(text)
	return b.queryChanged(), true
}

// queryLine draws the query, or the line that is asked for, and returns the column of its
// caret; -1 if it has none.
func (b *Browser) queryLine() (line string, caret int) {
	th := b.Theme
	lead, e, on := "/ ", b.query, b.queryFocused
	if b.input != nil {
		lead, e, on = b.input.label+"  ", b.input.editor, true
	}
	tok := theme.Dim
	if on {
		tok = theme.Accent
	}
	room := max(1, b.Width-widget.Margin-1-len(lead)-1)
	text := e.View(room, 1, th)[0]
	if e.Empty() && b.input == nil {
		hint := "words, \"a phrase\", repo:name, file:path, after:7d"
		if !on {
			lead, hint = "", b.Keys.Fill("press {session-query} to search: ")+hint
		}
		text = th.Render(theme.Dim, b.Cut(hint, room))
	}
	line = widget.Indent + th.Render(tok, lead) + text
	if !on {
		return line, -1
	}
	x, _ := e.Cursor(room, 1)
	return line, widget.Margin + len(lead) + x
}

// belowQuery shows what is wrong with the query, its completions, a warning, or else a
// rule.
func (b *Browser) belowQuery() string {
	th := b.Theme
	room := max(1, b.Width-widget.Margin-1)
	switch {
	case b.input != nil:
	case b.queryError != "" && !b.stillTyping():
		return widget.Indent + th.Render(theme.Warning, b.Cut(b.queryError, room))
	case b.queryFocused && len(b.completions.all) > 0:
		return widget.Indent + b.completionsLine(room)
	case b.warning != "":
		return widget.Indent + th.Render(theme.Warning, b.Cut(b.warning, room))
	}
	return widget.Indent + th.Render(theme.Rule, strings.Repeat(th.Glyph(theme.MarkBoundary), room))
}

// completionsLine draws the completions from the one that Tab accepts.
func (b *Browser) completionsLine(room int) string {
	c, th := b.completions, b.Theme
	first := c.all[c.at]
	line := th.Render(theme.Strong, b.Cut(first.Text, room))
	if first.Detail != "" {
		line += " " + th.Render(theme.Dim, b.Cut(first.Detail, max(0, room/2)))
	}
	for i := 1; i < len(c.all); i++ {
		next := widget.ColumnGapText + th.Render(theme.Dim, b.Cut(c.all[(c.at+i)%len(c.all)].Text, room))
		if text.Width(line)+text.Width(next) > room {
			break
		}
		line += next
	}
	return text.Truncate(line, room, th.Glyph(theme.MarkEllipsis))
}
