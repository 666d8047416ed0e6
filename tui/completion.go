package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/tui/keymap"
	"parley/tui/picker"
	"parley/tui/widget"
)

// completion is the open list of what may stand in the place of a token of the
// draft.
type completion struct {
	widget.List
	of token
}

// target is what a row takes the place of.
func (c *completion) target(r widget.Row) token {
	t := c.of
	if r.Span != [2]int{} {
		t.from, t.to = r.Span[0], r.Span[1]
	}
	return t
}

// token is the part of the caret's line that can be completed, as byte offsets
// in it. The zero token is none.
type token struct {
	kind     tokenKind
	from, to int
	query    string // what was typed of it, without its sign
	line     int
}

// tokenKind says what completes a token.
type tokenKind uint8

const (
	noToken       tokenKind = iota
	commandToken            // the name after the slash
	argumentToken           // the words after a command's name
	fileToken               // a mention of a file
	issueToken              // what the agent completes after "#"
)

// tokenReach bounds how far before the caret a token may begin.
const tokenReach = 1024

// completionRows bounds what is asked of a source.
const completionRows = 50

// token is the one that the caret is in or behind.
func (c *conversation) token() token {
	e := c.composer.editor
	line, caret := e.CaretLine()
	if e.LineCount() == 1 && c.composer.slash() && e.LineLen(0) < tokenReach {
		if t := commandLine(e.Line(0, 0, tokenReach), caret); t.kind != noToken {
			return t
		}
	}
	from := max(0, caret-tokenReach)
	near := e.Line(line, from, caret+tokenReach)
	if query, a, b, ok := mentionAt(near, caret-from); ok {
		return token{kind: fileToken, from: from + a, to: from + b, query: query, line: line}
	}
	if i := strings.LastIndexAny(near[:caret-from], " \t#"); i >= 0 && near[i] == '#' {
		if i == 0 || near[i-1] == ' ' || near[i-1] == '\t' || near[i-1] == '(' {
			return token{kind: issueToken, from: from + i, to: caret, query: near[i+1 : caret-from], line: line}
		}
	}
	return token{}
}

// commandLine is the token of a draft that is a slash command.
func commandLine(text string, caret int) token {
	name, args, spaced := strings.Cut(text[1:], " ")
	switch {
	case !spaced || caret <= len(name)+1:
		if caret == 0 {
			return token{}
		}
		return token{kind: commandToken, to: len(name) + 1, query: name}
	case caret == len(text) && !strings.Contains(args, "@"):
		return token{kind: argumentToken, from: len(name) + 2, to: len(text), query: args}
	}
	return token{}
}

// complete opens, changes or closes the completions as the draft changes. A
// list that was closed stays so until the token changes.
func (m *conversation) complete() tea.Cmd {
	if over[*picker.Picker](m.shared) != nil {
		return nil
	}
	t := m.token()
	if t == m.completed {
		return nil
	}
	m.completed, m.dismissed = t, token{}
	switch t.kind {
	case commandToken:
		m.showCompletion(t, commandRows(m.slashes(), t.query))
	case argumentToken:
		name, _, _ := keymap.ParseSlash(m.composer.firstLine())
		m.showCompletion(t, m.argumentRows(name, t.query))
	case fileToken:
		return m.completeFile(t)
	case issueToken:
		return m.completeIssue(t)
	case noToken:
		m.completion = nil
	}
	return nil
}

// showCompletion opens the list of rows for a token; without rows there is none.
func (c *conversation) showCompletion(t token, rows []widget.Row) {
	c.completion = nil
	if len(rows) > 0 && t != c.dismissed {
		c.completion = &completion{List: widget.List{Rows: rows}, of: t}
	}
}

// commandRows are the commands whose names match what was typed, best first.
func commandRows(all []keymap.Command, typed string) []widget.Row {
	var rows []widget.Row
	for _, c := range completing(all, typed) {
		rows = append(rows, widget.Row{Value: "/" + c.Slash, Label: strings.TrimSpace("/" + c.Slash + " " + c.Args), Detail: c.Title})
	}
	return rows
}

// argumentRows are the words that a command takes, as far as they are known.
func (c *conversation) argumentRows(name, typed string) []widget.Row {
	command, ok := keymap.Find(c.slashes(), name)
	if !ok || len(command.Choices) == 0 {
		return nil
	}
	var rows []widget.Row
	for _, choice := range command.Choices {
		if strings.HasPrefix(choice, typed) && choice != typed {
			rows = append(rows, widget.Row{Value: choice, Label: choice})
		}
	}
	return rows
}

// foundMsg ends the search for what completes a token.
type foundMsg struct {
	of   token
	rows []widget.Row
}

// found shows what completes a token, if the caret is still there.
func (m *conversation) found(msg foundMsg) tea.Cmd {
	if msg.of != m.completed || over[*picker.Picker](m.shared) != nil {
		return nil
	}
	m.showCompletion(msg.of, msg.rows)
	if c := m.completion; c != nil && m.eager == msg.of {
		if r, ok := c.Selected(); ok && r.Value != "" {
			return m.accept(c.target(r), r.Value, true)
		}
	}
	return nil
}

// completeIssue asks the agent what the number or the words after "#" mean.
func (c *conversation) completeIssue(t token) tea.Cmd {
	s, ok := session.As[session.Completer](c.session)
	if !ok {
		c.completion = nil
		return nil
	}
	ctx, e := c.ctx, c.composer.editor
	line := e.Line(t.line, 0, e.LineLen(t.line))
	return c.own(func() tea.Msg {
		all, _ := s.Complete(ctx, line, t.to) // without completions the number is typed
		msg := foundMsg{of: t}
		for _, one := range all {
			if one.From < 0 || one.To > len(line) || one.From > one.To {
				continue
			}
			msg.rows = append(msg.rows, widget.Row{Value: one.Text, Label: one.Label, Detail: one.Detail, Span: [2]int{one.From, one.To}})
		}
		return msg
	})
}

// completionKey routes a key to the open completions: Tab takes one, the arrows
// move, Esc closes. Enter takes one where it is meant (see meant), otherwise it
// submits what was typed.
func (m *conversation) completionKey(name string) (cmd tea.Cmd, taken bool) {
	c := m.completion
	if c.of != m.completed { // of what stood there before: another list is on its way
		switch name {
		case "tab", "ctrl+y":
			m.eager = m.completed
			return nil, true
		case "enter":
			return nil, false
		}
	}
	switch name {
	case "up", "ctrl+p":
		c.Move(-1)
	case "down", "ctrl+n":
		c.Move(1)
	case "esc":
		m.completion, m.dismissed = nil, m.completed
	case "tab", "ctrl+y", "enter":
		r, ok := c.Selected()
		if name == "enter" && !m.meant(r) {
			return nil, false
		}
		if !ok || r.Value == "" {
			return nil, name != "enter"
		}
		if name != "enter" {
			return m.accept(c.target(r), r.Value, true), true
		}
		return m.enterRow(c.target(r), r.Value), true
	default:
		return nil, false
	}
	return nil, true
}

// meant reports whether Enter takes the highlighted row: where the user moved to
// it, where what was typed is a beginning of it, and where it alone matches. What
// is typed whole is always what is meant, and of an issue's number it cannot be
// known whether it is whole.
func (c *conversation) meant(r widget.Row) bool {
	list := c.completion
	typed := c.composer.tokenText(list.of)
	switch {
	case r.Value == typed:
		return false
	case list.Moved:
		return true
	case list.of.query == "" || c.typedWhole(list, typed):
		return false
	}
	return len(list.Rows) == 1 || strings.HasPrefix(r.Value, typed)
}

// typedWhole reports whether what was typed is itself one of what can be meant.
func (c *conversation) typedWhole(list *completion, typed string) bool {
	switch list.of.kind {
	case commandToken:
		_, named := keymap.Find(c.slashes(), list.of.query)
		return named
	case argumentToken:
		name, _, _ := keymap.ParseSlash(c.composer.firstLine())
		command, _ := keymap.Find(c.slashes(), name)
		return slices.Contains(command.Choices, typed)
	case fileToken:
		return slices.ContainsFunc(list.Rows, func(r widget.Row) bool { return r.Value == typed })
	case issueToken, noToken:
	}
	return true
}

// enterRow accepts a value for Enter. A command is run with it, unless it needs words
// that are not there yet: then what they can be is listed.
func (m *conversation) enterRow(of token, value string) tea.Cmd {
	switch of.kind {
	case commandToken:
		c, _ := keymap.Find(m.slashes(), strings.TrimPrefix(value, "/"))
		if c.NeedsWords() {
			cmd := m.accept(of, value, true)
			m.completed = token{}
			return tea.Batch(cmd, m.complete())
		}
	case argumentToken:
	case noToken, fileToken, issueToken:
		return m.accept(of, value, false)
	}
	return tea.Batch(m.accept(of, value, false), m.submit(""))
}

// accept puts a completion in the place of its token. A space follows where
// more is to be typed.
func (m *conversation) accept(t token, value string, more bool) tea.Cmd {
	folder := strings.HasSuffix(value, "/") || strings.HasSuffix(value, `/"`)
	if more && !folder || t.kind == issueToken {
		value += " "
	}
	m.composer.replaceToken(t, value)
	if e := m.composer.editor; strings.HasSuffix(value, `/"`) { // more of the folder's path can follow
		e.SetOffset(e.Offset() - 1)
	}
	if !folder { // it is done, and nothing opens over it
		m.completed, m.completion = m.token(), nil
	}
	return m.edited()
}

// tokenText is what stands in the draft for a token.
func (c *composer) tokenText(t token) string {
	if t.to > c.editor.LineLen(t.line) {
		return ""
	}
	return c.editor.Line(t.line, t.from, t.to)
}

// replaceToken puts a text in the place of a token, if that is still there. A
// space that follows it already is not doubled.
func (c *composer) replaceToken(t token, value string) {
	if t.line >= c.editor.LineCount() || t.to > c.editor.LineLen(t.line) {
		return
	}
	to := t.to
	if strings.HasSuffix(value, " ") && c.editor.Line(t.line, to, to+1) == " " {
		to++
	}
	c.editor.ReplaceInLine(t.line, t.from, to, value)
}

// completing returns the commands that have a name which matches what was typed
// after the slash, best first. Without anything typed the session's come first:
// they are what one looks for.
func completing(table []keymap.Command, typed string) []keymap.Command {
	var rows []widget.Row
	byID := map[string]keymap.Command{}
	for _, first := range []bool{true, false} {
		for _, c := range table {
			if c.Slash != "" && (c.Context == keymap.InSession) == first {
				rows = append(rows, widget.Row{Value: c.ID, Label: c.Slash})
				byID[c.ID] = c
			}
		}
	}
	var out []keymap.Command
	for _, r := range widget.Match(rows, typed) {
		out = append(out, byID[r.Value])
	}
	return out
}
