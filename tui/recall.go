package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/history"
	"parley/render"
	"parley/session"
	"parley/theme"
)

// recalled is an earlier prompt in the place of the draft.
type recalled struct {
	draft  history.Draft // what was typed before
	prefix string        // what earlier prompts must begin with
	n      int           // which of them is shown, 0 is the newest
	text   uint64        // version of the editor then: another text is a draft of its own
}

// place is where the person is, for prompts and files used there before.
func (m *Model) place() history.Place {
	s := m.timeline.Status()
	return history.Place{Session: m.info.ID, Dir: m.info.Dir, Repository: s.Repository}
}

// recallKey goes through the prompts sent before. The editor has the arrows
// first, and leaves them at the edges of the draft.
func (m *Model) recallKey(name string) tea.Cmd {
	normal := m.composer.editor.VimMode() == "NORMAL"
	switch {
	case name == "up" || name == "ctrl+p" || normal && name == "k":
		if m.composer.editor.Empty() && m.composer.recalled == nil {
			if cmd, ok := m.takeBackLast(); ok {
				return cmd
			}
		}
		m.older()
	case name == "down" || name == "ctrl+n" || normal && name == "j":
		m.newer()
	}
	return nil
}

// older shows the next older prompt that begins as the draft does.
func (m *Model) older() {
	c := &m.composer
	r := recalled{draft: c.editor.Draft(), prefix: c.editor.Text(), n: 0}
	if c.recalled != nil && c.recalled.text == c.editor.version {
		r = *c.recalled
		r.n++
	}
	p, ok := m.prompts.Older(r.prefix, m.place(), r.n)
	switch {
	case ok:
		m.showRecalled(p.Draft, &r)
	case r.n == 0 && r.prefix != "":
		m.tell("No earlier prompt begins like this; ctrl+r searches.")
	}
}

// newer goes the other way; after the newest comes what was typed.
func (m *Model) newer() {
	r := m.composer.recalled
	if r == nil || r.text != m.composer.editor.version {
		return
	}
	if r.n == 0 {
		m.setDraft(r.draft)
		return
	}
	next := *r
	next.n--
	if p, ok := m.prompts.Older(next.prefix, m.place(), next.n); ok {
		m.showRecalled(p.Draft, &next)
	}
}

func (m *Model) showRecalled(d history.Draft, r *recalled) {
	d.Caret, d.Behind = len(d.Text), len(d.Chips)
	m.setDraft(d)
	r.text = m.composer.editor.version
	m.composer.recalled = r
	m.completed = m.token() // no list opens over it
}

// remember keeps a prompt that was sent, outside the loop.
func (m *Model) remember(d history.Draft) tea.Cmd {
	if d.Empty() {
		return nil
	}
	at := m.place()
	p := history.Prompt{Draft: d, Time: m.now, Session: at.Session, Dir: at.Dir, Repository: at.Repository}
	prompts := m.prompts
	return func() tea.Msg { return keptMsg{prompts.Add(p)} }
}

// keptMsg ends what is done for the prompts' sake.
type keptMsg struct{ err error }

// loadPrompts reads the prompts sent before.
func (m *Model) loadPrompts() tea.Cmd {
	prompts := m.prompts
	return func() tea.Msg { return keptMsg{prompts.Load()} }
}

// kept says once that prompts cannot be kept.
func (m *Model) kept(msg keptMsg) {
	if msg.err != nil && !m.journal.warned {
		m.journal.warned = true
		m.warn("history", "Prompts are not kept: "+msg.err.Error())
	}
}

// historyPreview is how many lines of a prompt are shown below the list.
const historyPreview = 6

// searchRows bounds what a search shows.
const searchRows = 200

// searchHistory opens the prompts sent before, and what was put away.
func (m *Model) searchHistory(string) tea.Cmd {
	scope := history.InSession
	var drafts []history.Draft
	var p *picker
	search := func(m *Model, query string) {
		var rows []row
		drafts, rows = m.historyRows(query, scope)
		p.all = rows
		p.show(rows)
		for _, d := range drafts {
			if text := d.Prompt(); len(text) > m.width || strings.Contains(text, "\n") {
				p.previewRows = historyPreview
			}
		}
	}
	p = (&picker{
		title: "Prompts", search: func(m *Model, query string) tea.Cmd { search(m, query); return nil },
		state: func(p *picker) string { return scope.String() + m.dot() + countOf(len(p.rows), len(p.rows)) },
		empty: "Nothing matches; ctrl+r looks further.",
		keys: []pickerKey{
			{key: "ctrl+r", title: "further", run: func(m *Model, _ row) tea.Cmd {
				scope = (scope + 1) % (history.Everywhere + 1)
				search(m, p.query.Text())
				return nil
			}},
			{key: "ctrl+s", title: "next", run: func(_ *Model, _ row) tea.Cmd { p.move(1); return nil }},
			{key: "tab", run: func(_ *Model, _ row) tea.Cmd { return nil }},
		},
		preview: func(m *Model, r row, width, height int) []string {
			return m.previewText(drafts[index(r)].Prompt(), width, height)
		},
		onPick: func(m *Model, r row) tea.Cmd {
			d := drafts[index(r)]
			d.Caret, d.Behind = len(d.Text), len(d.Chips)
			m.keepAside(m.composer.editor.Draft(), "replaced")
			m.setDraft(d)
			m.completed = m.token()
			return nil
		},
	}).filtering("")
	for search(m, ""); len(p.rows) == 0 && scope < history.Everywhere; search(m, "") {
		scope++
	}
	m.pick(p, "")
	return m.loadPrompts()
}

// index is the number that a row has as its value.
func index(r row) int {
	n := 0
	for _, d := range r.value {
		n = n*10 + int(d-'0')
	}
	return n
}

// historyRows are what was put away, and the prompts sent before, that match.
func (m *Model) historyRows(query string, scope history.Scope) (drafts []history.Draft, rows []row) {
	add := func(d history.Draft, right string, marks [][2]int) {
		text := d.Prompt()
		text = text[:min(len(text), 4*max(m.width, 80))] // one line of it is shown
		drafts = append(drafts, d)
		rows = append(rows, row{value: fmt.Sprint(len(drafts) - 1), label: strings.ReplaceAll(text, "\n", " "), right: right, marks: marks})
	}
	for _, s := range slices.Backward(m.composer.stash) {
		if matchesAll(s.Draft.Prompt(), query) {
			add(s.Draft, s.Why, nil)
		}
	}
	for _, text := range m.questions.Written().Lines() {
		if matchesAll(text, query) {
			add(history.Draft{Text: text}, "answer", nil)
		}
	}
	for _, h := range m.prompts.Search(query, scope, m.place(), searchRows) {
		add(h.Prompt.Draft, age(m.now.Sub(h.Prompt.Time)), h.Spans)
	}
	return drafts, rows
}

// matchesAll reports whether a text has all the words of a query.
func matchesAll(text, query string) bool {
	text = strings.ToLower(text)
	for word := range strings.FieldsSeq(strings.ToLower(query)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// previewText draws the beginning of a text, and says how much follows.
func (m *Model) previewText(text string, width, height int) []string {
	room := max(1, width-2*margin-1)
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if len(lines) > height {
			break
		}
		for _, l := range render.Wrap(render.SanitizeLine(line[:min(len(line), room*height*4)]), room) {
			lines = append(lines, blank(margin)+m.theme.Render(theme.Dim, l))
		}
	}
	if len(lines) > height {
		lines = lines[:height]
		lines[height-1] = blank(margin) + m.theme.Render(theme.Dim, m.theme.Glyph(theme.MarkFolded))
	}
	return lines
}

// age writes how long ago something was.
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d/time.Minute))
	case d < 24*time.Hour:
		return fmt.Sprintf("%d h", int(d/time.Hour))
	case d < 365*24*time.Hour:
		return fmt.Sprintf("%d d", int(d/(24*time.Hour)))
	}
	return fmt.Sprintf("%d y", int(d/(365*24*time.Hour)))
}

// countOf says how many there are, and of how many.
func countOf(n, all int) string {
	if n == all {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d of %d", n, all)
}

// takeBackLast takes the prompt that was queued last back into the draft; not
// ok means that none can be.
func (m *Model) takeBackLast() (tea.Cmd, bool) {
	if n := len(m.held); n > 0 {
		d := m.held[n-1].draft
		m.held = m.held[:n-1]
		m.setDraft(d)
		return nil, true
	}
	q, ok := session.As[session.QueueEditor](m.session)
	if !ok {
		return nil, false
	}
	for _, p := range slices.Backward(m.pending) {
		if p.ID != "" {
			return m.withdraw(q, p), true
		}
	}
	return nil, false
}
