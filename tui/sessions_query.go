package tui

import (
	"errors"
	"regexp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/history/sessions"
	"parley/render"
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
	take   func(m *Model, text string) tea.Cmd
}

// readQuery reads what is typed. What is no query says why, and the rest of it
// counts.
func (m *Model) readQuery() {
	b := m.browser
	b.complete()
	q, err := sessions.ParseQuery(b.query.Text(), m.now.In(m.zone))
	if b.wrong, b.wrongAt = "", [2]int{-1, -1}; err != nil {
		b.wrong = err.Error()
		if where := (*sessions.QueryError)(nil); errors.As(err, &where) {
			b.wrongAt = where.Span
		}
	}
	b.read, b.matcher = q, matcherOf(q)
}

// unsaid reports whether what is wrong is still being written, where the caret is.
func (b *browser) unsaid() bool {
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
func (b *browser) complete() {
	b.choices = choices{}
	b.choices.span, b.choices.all = sessions.Complete(b.query.Text(), b.query.Offset(), b.known)
}

// accept puts the choice in.
func (m *Model) acceptChoice() tea.Cmd {
	b := m.browser
	c := b.choices
	text := b.query.Text()
	if len(c.all) == 0 || c.span[0] < 0 || c.span[1] < c.span[0] || c.span[1] > len(text) {
		return nil
	}
	word := c.all[c.at].Text
	b.query.SetText(text[:c.span[0]] + word + text[c.span[1]:])
	b.query.SetOffset(c.span[0] + len(word))
	return m.queryChanged()
}

// queryChanged looks for what is typed now.
func (m *Model) queryChanged() tea.Cmd {
	b := m.browser
	b.widens = false
	m.readQuery()
	b.list.fresh = true
	return m.lookUpSoon()
}

// queryKey takes a key while the query has them.
func (m *Model) queryKey(press tea.KeyPressMsg) tea.Cmd {
	b := m.browser
	n := len(b.choices.all)
	switch press.Keystroke() {
	case "enter", "esc", "down":
		b.writing = false
		return nil
	case "tab":
		return m.acceptChoice()
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
	b.query.Update(m.inQuery(press))
	if b.query.Version() == before {
		b.complete() // the caret may be elsewhere
		return nil
	}
	return m.queryChanged()
}

// noteKey takes a key while a line is written about a session.
func (m *Model) noteKey(press tea.KeyPressMsg) tea.Cmd {
	b := m.browser
	n := b.noting
	switch press.Keystroke() {
	case "enter":
		if press.IsRepeat {
			return nil
		}
		b.noting = nil
		return n.take(m, strings.TrimSpace(n.editor.Text()))
	case "esc":
		b.noting = nil
		return nil
	case "tab", "up", "down", "shift+enter", "alt+enter", "ctrl+j":
		return nil
	}
	n.editor.Update(m.inQuery(press))
	return nil
}

// browserPaste takes the first line of a paste into the line that is written. It
// never does anything else.
func (m *Model) browserPaste(text string) tea.Cmd {
	b := m.browser
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	text = strings.TrimSuffix(text, "\r")
	if b.noting != nil {
		b.noting.editor.Insert(text)
		return nil
	}
	b.writing, b.looking = true, false
	b.query.Insert(text)
	return m.queryChanged()
}

// queryLine draws the line that is written on, and says where its caret is; -1
// is nowhere.
func (m *Model) queryLine() (line string, caret int) {
	b, th := m.browser, m.theme
	lead, e, on := "/ ", b.query, b.writing
	if b.noting != nil {
		lead, e, on = b.noting.lead+"  ", b.noting.editor, true
	}
	tok := theme.Dim
	if on {
		tok = theme.Accent
	}
	room := max(1, m.width-widget.Margin-1-len(lead)-1)
	text := e.View(room, 1, th)[0]
	if e.Empty() && b.noting == nil {
		text = th.Render(theme.Dim, m.cut("words, \"a phrase\", repo:name, file:path, after:7d", room))
	}
	line = widget.Blank(widget.Margin) + th.Render(tok, lead) + text
	if !on {
		return line, -1
	}
	x, _ := e.Cursor(room, 1)
	return line, widget.Margin + len(lead) + x
}

// saidLine is below the query: what is wrong with it, what may stand in it, what
// the user should know, or else a rule.
func (m *Model) saidLine() string {
	b, th := m.browser, m.theme
	room := max(1, m.width-widget.Margin-1)
	switch {
	case b.noting != nil:
	case b.wrong != "" && !b.unsaid():
		return widget.Blank(widget.Margin) + th.Render(theme.Warning, m.cut(b.wrong, room))
	case b.writing && len(b.choices.all) > 0:
		return widget.Blank(widget.Margin) + m.choicesLine(room)
	case b.trouble != "":
		return widget.Blank(widget.Margin) + th.Render(theme.Warning, m.cut(b.trouble, room))
	}
	return widget.Blank(widget.Margin) + th.Render(theme.Rule, strings.Repeat(th.Glyph(theme.MarkBoundary), room))
}

// choicesLine are the choices from the one that tab takes.
func (m *Model) choicesLine(room int) string {
	c, th := m.browser.choices, m.theme
	first := c.all[c.at]
	line := th.Render(theme.Strong, m.cut(first.Text, room))
	if first.Detail != "" {
		line += " " + th.Render(theme.Dim, m.cut(first.Detail, max(0, room/2)))
	}
	for i := 1; i < len(c.all); i++ {
		next := widget.ColumnGapText + th.Render(theme.Dim, m.cut(c.all[(c.at+i)%len(c.all)].Text, room))
		if render.Width(line)+render.Width(next) > room {
			break
		}
		line += next
	}
	return render.Truncate(line, room, th.Glyph(theme.MarkEllipsis))
}
