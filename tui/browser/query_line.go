package browser

import (
	"errors"
	"regexp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/history/sessions"
	"parley/render/text"
	"parley/theme"
	"parley/timeline"
	"parley/tui/widget"
)

// choices are what may stand where the caret of the query is.
type choices struct {
	span [2]int // of the query, in bytes, that a choice takes the place of
	all  []sessions.Choice
	at   int
}

// noting is a line that is written about a session.
type noting struct {
	lead   string // what it is
	editor *editor.Editor
	take   func(text string) tea.Cmd
}

// readQuery reads what is typed. What is no query says why, and the rest of it
// counts.
func (b *Browser) readQuery() {
	b.complete()
	q, err := sessions.ParseQuery(b.query.Text(), b.Now.In(b.Zone))
	if b.wrong, b.wrongAt = "", [2]int{-1, -1}; err != nil {
		b.wrong = err.Error()
		if where := (*sessions.QueryError)(nil); errors.As(err, &where) {
			b.wrongAt = where.Span
		}
	}
	b.read, b.matcher = q, matcherOf(q)
}

// unsaid reports whether what is wrong is still being written, where the caret is.
func (b *Browser) unsaid() bool {
	at := b.query.Offset()
	return b.writing && b.wrongAt[0] <= at && at <= b.wrongAt[1]
}

// matcherOf finds texts in which the words of a query may be; nil where it has
// none. Which words these are exactly, sessions.Query.Marks says.
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
	return timeline.NewMatcher(strings.Join(words, "|"), false)
}

// complete finds what may stand where the caret is.
func (b *Browser) complete() {
	b.choices = choices{}
	b.choices.span, b.choices.all = sessions.Complete(b.query.Text(), b.query.Offset(), b.known)
}

// accept puts the choice in.
func (b *Browser) acceptChoice() tea.Cmd {
	c := b.choices
	text := b.query.Text()
	if len(c.all) == 0 || c.span[0] < 0 || c.span[1] < c.span[0] || c.span[1] > len(text) {
		return nil
	}
	word := c.all[c.at].Text
	b.query.SetText(text[:c.span[0]] + word + text[c.span[1]:])
	b.query.SetOffset(c.span[0] + len(word))
	return b.queryChanged()
}

// queryChanged looks for what is typed now.
func (b *Browser) queryChanged() tea.Cmd {
	b.widens = false
	b.readQuery()
	b.list.fresh = true
	return b.lookUpSoon()
}

// queryKey takes a key while the query has them.
func (b *Browser) queryKey(press tea.KeyPressMsg) tea.Cmd {
	n := len(b.choices.all)
	switch press.Keystroke() {
	case "enter", "esc", "down":
		b.writing = false
		return nil
	case "tab":
		return b.acceptChoice()
	case "ctrl+n", "ctrl+p":
		if n > 0 {
			by := 1
			if press.Keystroke() == "ctrl+p" {
				by = n - 1
			}
			b.choices.at = (b.choices.at + by) % n
		}
		return nil
	case "up", "shift+enter", "alt+enter", "ctrl+j", "shift+tab":
		return nil
	}
	before := b.query.Version()
	b.query.Update(b.Keys.Query(press))
	if b.query.Version() == before {
		b.complete() // the caret may be elsewhere
		return nil
	}
	return b.queryChanged()
}

// noteKey takes a key while a line is written about a session.
func (b *Browser) noteKey(press tea.KeyPressMsg) tea.Cmd {
	n := b.noting
	switch press.Keystroke() {
	case "enter":
		if press.IsRepeat {
			return nil
		}
		b.noting = nil
		return n.take(strings.TrimSpace(n.editor.Text()))
	case "esc":
		b.noting = nil
		return nil
	case "tab", "up", "down", "shift+enter", "alt+enter", "ctrl+j":
		return nil
	}
	n.editor.Update(b.Keys.Query(press))
	return nil
}

// paste takes the first line of a paste into the line that is written. It
// never does anything else.
func (b *Browser) Paste(text string) (tea.Cmd, bool) {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	text = strings.TrimSuffix(text, "\r")
	if b.noting != nil {
		b.noting.editor.Insert(text)
		return nil, true
	}
	b.writing, b.looking = true, false
	b.query.Insert(text)
	return b.queryChanged(), true
}

// queryLine draws the line that is written on, and says where its caret is; -1
// is nowhere.
func (b *Browser) queryLine() (line string, caret int) {
	th := b.Theme
	lead, e, on := "/ ", b.query, b.writing
	if b.noting != nil {
		lead, e, on = b.noting.lead+"  ", b.noting.editor, true
	}
	tok := theme.Dim
	if on {
		tok = theme.Accent
	}
	room := max(1, b.Width-widget.Margin-1-len(lead)-1)
	text := e.View(room, 1, th)[0]
	if e.Empty() && b.noting == nil {
		text = th.Render(theme.Dim, b.Cut("words, \"a phrase\", repo:name, file:path, after:7d", room))
	}
	line = widget.Indent + th.Render(tok, lead) + text
	if !on {
		return line, -1
	}
	x, _ := e.Cursor(room, 1)
	return line, widget.Margin + len(lead) + x
}

// saidLine is below the query: what is wrong with it, what may stand in it, what
// the user should know, or else a rule.
func (b *Browser) saidLine() string {
	th := b.Theme
	room := max(1, b.Width-widget.Margin-1)
	switch {
	case b.noting != nil:
	case b.wrong != "" && !b.unsaid():
		return widget.Indent + th.Render(theme.Warning, b.Cut(b.wrong, room))
	case b.writing && len(b.choices.all) > 0:
		return widget.Indent + b.choicesLine(room)
	case b.trouble != "":
		return widget.Indent + th.Render(theme.Warning, b.Cut(b.trouble, room))
	}
	return widget.Indent + th.Render(theme.Rule, strings.Repeat(th.Glyph(theme.MarkBoundary), room))
}

// choicesLine are the choices from the one that tab takes.
func (b *Browser) choicesLine(room int) string {
	c, th := b.choices, b.Theme
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
