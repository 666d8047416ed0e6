package conversation

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/history/drafts"
	prompthistory "parley/history/prompts"
	"parley/render/text"
	"parley/tui/composer"
	"parley/tui/overlay"
	"parley/tui/picker"
	"parley/tui/widget"
)

// promptSearch is the open list of prompts sent before, and of what was put
// away. The prompts are searched outside the loop.
type promptSearch struct {
	picker *picker.Picker
	scope  prompthistory.Scope
	asked  string // the query that is searched for now
	moved  bool   // the user typed, or chose the scope
	drafts []drafts.Draft
}

const (
	// searchPreview is how many lines of a prompt are shown below the list.
	searchPreview = 6
	// searchRows bounds what a search shows.
	searchRows = 200
)

// promptsMsg ends a search.
type promptsMsg struct {
	search *promptSearch
	query  string
	scope  prompthistory.Scope
	hits   []prompthistory.Hit
	err    error
}

// promptRecall finds the prompts that were sent before.
type promptRecall struct {
	*core
	draft *promptDraft
}

// searchHistory opens the list.
func (c *promptRecall) searchHistory(string) tea.Cmd {
	w := &promptSearch{}
	w.picker = (&picker.Picker{
		Title: "Prompts", Pick: Doing(func(r widget.Row) tea.Cmd { return w.pick(c, r) }),
		State: func() string {
			if n := len(w.picker.Rows); n <= w.picker.Most() { // else it is where one is in them
				return w.scope.String() + c.win.Dot() + strconv.Itoa(n)
			}
			return w.scope.String()
		},
		Search: func(query string) overlay.Request {
			w.moved = true
			return doThis{func() tea.Cmd { return w.find(c, query) }}
		},
		More: []picker.Key{
			{Action: "list-scope.further", Title: "further", Do: Doing(func(widget.Row) tea.Cmd {
				w.moved = true
				w.scope = (w.scope + 1) % (prompthistory.Everywhere + 1)
				return w.find(c, w.picker.Query.Text())
			})},
			{Action: "list-scope.next", Title: "next", Do: Doing(func(widget.Row) tea.Cmd {
				w.picker.Move(1)
				return nil
			})},
		},
		Preview: func(r widget.Row, width, height int) []string {
			return widget.PreviewText(c.win.Theme, w.drafts[w.index(r)].Prompt(), width, height)
		},
	}).Filter("")
	w.show(c, nil)
	c.Pick(w.picker, "")
	return w.find(c, "")
}

// index is which of the drafts a row stands for.
func (w *promptSearch) index(r widget.Row) int {
	i, err := strconv.Atoi(r.Value)
	if err != nil || i >= len(w.drafts) {
		return 0
	}
	return i
}

// find searches the prompts, with those of other windows.
func (w *promptSearch) find(c *promptRecall, query string) tea.Cmd {
	w.asked, w.picker.Searching, w.picker.Eager = query, true, false
	prompts, scope, at := c.win.prompts, w.scope, c.draft.place()
	return func() tea.Msg {
		err := prompts.Load()
		return promptsMsg{w, query, scope, prompts.Search(query, scope, at, searchRows), err}
	}
}

// promptsFound shows the end of a search, if it is still what is looked for.
// Before the user did anything, the scope widens until there is something.
func (c *promptRecall) promptsFound(msg promptsMsg) tea.Cmd {
	c.promptsSaved(composer.PromptsMsg{Err: msg.err})
	w := msg.search
	if c.win.Overlay != w.picker || msg.query != w.asked || msg.scope != w.scope {
		return nil
	}
	w.show(c, msg.hits)
	w.picker.Searching = false
	if r, ok := w.picker.Selected(); ok && w.picker.Eager {
		c.CloseOverlays()
		return w.pick(c, r)
	}
	if len(w.drafts) == 0 && !w.moved && w.scope < prompthistory.Everywhere {
		w.scope++
		return w.find(c, msg.query)
	}
	return nil
}

// show puts what was put away that matches, and the prompts, into the list.
func (w *promptSearch) show(c *promptRecall, hits []prompthistory.Hit) {
	w.drafts, w.picker.PreviewRows = nil, 0
	var rows []widget.Row
	add := func(d drafts.Draft, text, right string, marks [][2]int) {
		if len(text) > c.win.Width || strings.Contains(text, "\n") {
			w.picker.PreviewRows = searchPreview
		}
		label := strings.ReplaceAll(text[:min(len(text), 4*max(c.win.Width, 80))], "\n", " ") // one line of it is shown
		rows = append(rows, widget.Row{Value: strconv.Itoa(len(w.drafts)), Label: label, Right: right, Marks: marks})
		w.drafts = append(w.drafts, d)
	}
	aside := func(d drafts.Draft, why string) {
		if text := d.Prompt(); matchesAll(text, w.asked) {
			add(d, text, why, nil)
		}
	}
	further := w.scope > prompthistory.InSession
	for _, s := range slices.Backward(c.win.stashed) {
		if further || s.Session == c.Info.ID {
			aside(s.Draft, s.Why)
		}
	}
	if further {
		for _, id := range slices.Sorted(maps.Keys(c.win.Journal.Drafts)) {
			aside(c.win.Journal.Drafts[id], "other session")
		}
	}
	for _, text := range c.Questions.Written().Lines() {
		aside(drafts.Draft{Text: text}, "answer")
	}
	for _, h := range hits {
		add(h.Prompt.Draft, h.Prompt.Prompt(), text.Age(c.win.Now.Sub(h.Prompt.Time)), h.Spans)
	}
	w.picker.All, w.picker.Empty = rows, c.win.says("Nothing matches; {list-scope.further} looks further.")
	w.picker.Show(rows)
}

// pick puts the chosen one into the composer. The draft there was is put away.
func (w *promptSearch) pick(c *promptRecall, r widget.Row) tea.Cmd {
	c.win.Stash(c.Composer.Draft(), "replaced")
	c.draft.replace(w.drafts[w.index(r)])
	return nil
}

// promptsSaved says that prompts cannot be read, or, once, that none can be kept.
func (c *promptRecall) promptsSaved(msg composer.PromptsMsg) {
	var damaged *prompthistory.DamagedError
	switch {
	case msg.Err == nil:
	case errors.As(msg.Err, &damaged):
		c.Warn("history", "Some earlier prompts cannot be read: "+msg.Err.Error())
	case !c.win.Journal.warned:
		c.win.Journal.warned = true
		c.Warn("history", "Prompts are not saved: "+msg.Err.Error())
	}
}

// matchBytes bounds how much of a text is looked through on the loop.
const matchBytes = 64 << 10

// matchesAll reports whether a text has all the words of a query.
func matchesAll(text, query string) bool {
	text = strings.ToLower(text[:min(len(text), matchBytes)])
	for word := range strings.FieldsSeq(strings.ToLower(query)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// LoadPrompts reads the prompts sent before.
func (w *Window) LoadPrompts() tea.Cmd {
	prompts := w.prompts
	return func() tea.Msg { return composer.PromptsMsg{Err: prompts.Load()} }
}
