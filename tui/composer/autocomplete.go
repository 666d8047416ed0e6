package composer

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/editor"
	"parley/history/mentions"
	"parley/tui/keymap"
	"parley/tui/widget"
)

// completions are the open list of what may stand in the place of a token of the
// draft.
type completions struct {
	widget.List
	of token
}

// target is what a row takes the place of.
func (c *completions) target(r widget.Row) token {
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

// tokenKind is what completes a token.
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

// tokenAt is the token that the caret is in or behind.
func (c *Composer) tokenAt() token {
	line, caret := c.CaretLine()
	if c.LineCount() == 1 && c.IsCommand() && c.LineLen(0) < tokenReach {
		if t := commandLine(c.Line(0, 0, tokenReach), caret); t.kind != noToken {
			return t
		}
	}
	from := max(0, caret-tokenReach)
	near := c.Line(line, from, caret+tokenReach)
	if query, a, b, ok := mentions.At(near, caret-from); ok {
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
func (c *Composer) complete() tea.Cmd {
	if c.facts.Covered {
		return nil
	}
	t := c.tokenAt()
	if t == c.token {
		return nil
	}
	c.token, c.dismissed = t, token{}
	switch t.kind {
	case commandToken:
		c.show(t, commandRows(c.ByUse(c.facts.Commands), t.query))
	case argumentToken:
		name, _, _ := keymap.ParseSlash(c.firstLine())
		c.show(t, argumentRows(c.facts.Commands, name, t.query))
	case fileToken:
		return c.completeFile(t)
	case issueToken:
		return c.completeIssue(t)
	case noToken:
		c.list = nil
	}
	return nil
}

// show opens the list of rows for a token; without rows it opens no list.
func (c *Composer) show(t token, rows []widget.Row) {
	c.list = nil
	if len(rows) > 0 && t != c.dismissed {
		c.list = &completions{List: widget.List{Rows: rows}, of: t}
	}
}

// Completions are the rows that are shown for the caret's word; nil without a list.
func (c *Composer) Completions() *widget.List {
	if c.list == nil {
		return nil
	}
	return &c.list.List
}

// CloseCompletions closes them; they open again when the draft changes.
func (c *Composer) CloseCompletions() { c.list = nil }

// SkipCompletion opens nothing for what the caret is in now.
func (c *Composer) SkipCompletion() { c.token = c.tokenAt() }

// CompleteWhenFound takes the first completion as soon as it is known; not ok means
// that none is looked for.
func (c *Composer) CompleteWhenFound() (ok bool) {
	if ok = c.SearchesFiles(); ok {
		c.eager = c.token
	}
	return ok
}

// SearchesFiles reports whether files that complete the draft are still looked for.
func (c *Composer) SearchesFiles() bool {
	return c.token.kind == fileToken && (c.workspace.asking || c.workspace.reading)
}

// ByUse sorts commands for a menu: those first that the user entered most.
func (c *Composer) ByUse(all []keymap.Command) []keymap.Command {
	uses := map[string]float64{}
	for name, n := range c.prompts.Commands(c.facts.Now) {
		if command, ok := keymap.Find(all, name); ok {
			uses[command.ID] += n
		}
	}
	return keymap.ByUse(all, uses)
}

// foundMsg ends the search for what completes a token.
type foundMsg struct {
	search
	rows []widget.Row
}

// found shows what completes a token, if the caret is still there.
func (c *Composer) found(msg foundMsg) tea.Cmd {
	if msg.of != c.token || c.facts.Covered {
		return nil
	}
	c.show(msg.of, msg.rows)
	if c.list != nil && c.eager == msg.of {
		if r, ok := c.list.Selected(); ok && r.Value != "" {
			return c.accept(c.list.target(r), r.Value, true)
		}
	}
	return nil
}

// completeIssue asks the agent what the number or the words after "#" mean.
func (c *Composer) completeIssue(t token) tea.Cmd {
	s := c.facts.Completer
	if s == nil {
		c.list = nil
		return nil
	}
	ctx, line := c.ctx, c.Line(t.line, 0, c.LineLen(t.line))
	return func() tea.Msg {
		all, _ := s.Complete(ctx, line, t.to) // without completions the number is typed
		msg := foundMsg{search: search{of: t}}
		for _, one := range all {
			if one.From < 0 || one.To > len(line) || one.From > one.To {
				continue
			}
			msg.rows = append(msg.rows, widget.Row{Value: one.Text, Label: one.Label, Detail: one.Detail, Span: [2]int{one.From, one.To}})
		}
		return msg
	}
}

// CompletionKey gives a key to the open completions, if there are any: Tab takes one, the arrows
// move, Esc closes. Enter takes one where it is meant (see meant), otherwise it
// submits what was typed.
func (c *Composer) CompletionKey(name string) (cmd tea.Cmd, taken bool) {
	list := c.list
	if list == nil {
		return nil, false
	}
	if list.of != c.token { // of what stood there before: another list is on its way
		switch name {
		case "tab", "ctrl+y":
			c.eager = c.token
			return nil, true
		case "enter":
			return nil, false
		}
	}
	switch name {
	case "up", "ctrl+p":
		list.Move(-1)
	case "down", "ctrl+n":
		list.Move(1)
	case "pgup":
		list.Leap(-c.facts.Rows)
	case "pgdown":
		list.Leap(c.facts.Rows)
	case "esc":
		c.list, c.dismissed = nil, c.token
	case "tab", "ctrl+y", "enter":
		r, ok := list.Selected()
		if name == "enter" && !c.meant(r) {
			return nil, false
		}
		if !ok || r.Value == "" {
			return nil, name != "enter"
		}
		switch {
		case name != "enter" && list.of.kind == argumentToken && c.hasFurtherWord(r.Value):
			return c.acceptOn(list.target(r), r.Value), true
		case name != "enter":
			return c.accept(list.target(r), r.Value, true), true
		}
		return c.enterRow(list.target(r), r.Value), true
	default:
		return nil, false
	}
	return nil, true
}

// meant reports whether Enter takes the highlighted row: of a command's name always, of
// others where the user moved to it, where what was typed is a beginning of it, and where
// it alone matches. What is typed whole is always what is meant, and of an issue's number
// it cannot be known whether it is whole.
func (c *Composer) meant(r widget.Row) bool {
	list := c.list
	typed := c.Line(list.of.line, list.of.from, list.of.to)
	switch {
	case r.Value == typed:
		return false
	case list.Moved:
		return true
	case list.of.query == "" || c.typedWhole(list, typed):
		return false
	case list.of.kind == commandToken:
		return true
	}
	return len(list.Rows) == 1 || strings.HasPrefix(r.Value, typed)
}

// typedWhole reports whether what was typed is itself one of what can be meant.
func (c *Composer) typedWhole(list *completions, typed string) bool {
	switch list.of.kind {
	case commandToken:
		_, named := keymap.Find(c.facts.Commands, list.of.query)
		return named
	case argumentToken:
		name, _, _ := keymap.ParseSlash(c.firstLine())
		command, _ := keymap.Find(c.facts.Commands, name)
		return slices.Contains(command.Choices, typed)
	case fileToken:
		return slices.ContainsFunc(list.Rows, func(r widget.Row) bool { return r.Value == typed })
	case issueToken, noToken:
	}
	return true
}

// enterRow accepts a value for Enter. A command is run with it, unless it needs words
// that are not there yet: then what they can be is listed.
func (c *Composer) enterRow(of token, value string) tea.Cmd {
	switch of.kind {
	case commandToken:
		command, _ := keymap.Find(c.facts.Commands, strings.TrimPrefix(value, "/"))
		if command.NeedsWords() {
			return c.acceptOn(of, value)
		}
	case argumentToken:
		if c.hasFurtherWord(value) {
			return c.acceptOn(of, value)
		}
	case noToken, fileToken, issueToken:
		return c.accept(of, value, false)
	}
	c.requests = append(c.requests, Submit{})
	return c.accept(of, value, false)
}

// hasFurtherWord reports whether a further word is known after words of the command in the draft.
func (c *Composer) hasFurtherWord(words string) bool {
	name, _, _ := keymap.ParseSlash(c.firstLine())
	command, _ := keymap.Find(c.facts.Commands, name)
	return slices.ContainsFunc(command.Choices, func(choice string) bool { return strings.HasPrefix(choice, words+" ") })
}

// acceptOn accepts a value, and lists what can follow it.
func (c *Composer) acceptOn(of token, value string) tea.Cmd {
	cmd := c.accept(of, value, true)
	c.token = token{}
	return tea.Batch(cmd, c.complete())
}

// accept puts a completion in the place of its token. A space follows where
// more is to be typed.
func (c *Composer) accept(t token, value string, more bool) tea.Cmd {
	folder := strings.HasSuffix(value, "/") || strings.HasSuffix(value, `/"`)
	if t.line < c.LineCount() && t.to <= c.LineLen(t.line) { // it is still there
		if more && !folder || t.kind == issueToken {
			editor.CompleteInLine(c.Editor, t.line, t.from, t.to, value, t.kind == fileToken || t.kind == issueToken)
		} else {
			c.ReplaceInLine(t.line, t.from, t.to, value)
		}
	}
	if strings.HasSuffix(value, `/"`) { // more of the folder's path can follow
		c.SetOffset(c.Offset() - 1)
	}
	if !folder { // it is done, and nothing opens over it
		c.token, c.list = c.tokenAt(), nil
	}
	return c.Edited()
}
