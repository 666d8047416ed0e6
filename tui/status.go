package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/render"
	"parley/session"
	"parley/theme"
	"parley/timeline"
	"parley/tui/widget"
)

// item is one part of the status line as it is now. One without a text is not
// there.
type item struct {
	text  string
	brief string // for a line that is too narrow; "" is the same text
	cells int    // the width of text
	tok   theme.Token
	rank  int
	right bool
}

// statusLine says how the agent works and what it does now. A hint takes its
// place for a while.
func (m *Model) statusLine() string {
	width := max(0, m.width-widget.Margin-1)
	if hint := m.hinted(); hint != "" {
		return widget.Indent + m.theme.Render(theme.Accent, m.cut(hint, width))
	}
	dot := m.dot()
	items := fit(m.statusNow(width), width, render.Width(dot))
	gap := width
	for n := range items {
		i := &items[n]
		if i.cells > width {
			i.text = m.cut(i.text, width)
			i.cells = render.Width(i.text)
		}
		if gap -= i.cells; n > 0 && i.right == items[n-1].right {
			gap -= render.Width(dot)
		}
	}
	var b strings.Builder
	b.WriteString(widget.Indent)
	between := m.theme.Render(theme.Status, dot)
	for n, i := range items {
		switch first := n == 0 || i.right != items[n-1].right; {
		case first && i.right:
			b.WriteString(widget.Blank(gap))
		case !first:
			b.WriteString(between)
		}
		b.WriteString(m.theme.Render(i.tok, i.text))
	}
	return b.String()
}

// statusNow are the parts that have something to tell now, those at the right
// last. What an agent or a program says is made safe, and no longer than what the
// line could show.
func (m *Model) statusNow(width int) []item {
	facts := m.statusFacts()
	items := m.status.items[:0]
	add := func(shown []StatusItem, right bool) {
		for _, part := range shown {
			i := part.make(facts)
			if i.text = clip(i.text, width); i.text == "" {
				continue
			}
			if i.rank, i.right, i.cells = part.Rank, right, render.Width(i.text); i.tok == 0 {
				i.tok = theme.Status
			}
			items = append(items, i)
		}
	}
	add(m.status.left, false)
	add(m.status.right, true)
	m.status.items = items
	return items
}

// clip makes a text safe that may be megabytes long, of which width cells are
// shown at most: a cell is a few bytes.
func clip(s string, width int) string {
	const cell = 16
	if most := cell * max(1, width); len(s) > most {
		s = s[:most]
	}
	return render.SanitizeLine(s)
}

// fit leaves parts out until the rest has room: the lowest rank first. What the
// user must know of is said shorter before any of it goes. The last one stays.
func fit(items []item, width, dot int) []item {
	for total(items, dot) > width && len(items) > 0 {
		lowest := 0
		for i := range items {
			if items[i].rank < items[lowest].rank {
				lowest = i
			}
		}
		if (items[lowest].rank >= leastNeeded || len(items) == 1) && shorten(items) {
			continue
		}
		if len(items) == 1 {
			break
		}
		items = slices.Delete(items, lowest, lowest+1)
	}
	return items
}

// shorten says the next part shorter that can be, and reports whether one could.
func shorten(items []item) bool {
	for n, i := range items {
		if i.brief != "" {
			items[n].text, items[n].brief, items[n].cells = i.brief, "", render.Width(i.brief)
			return true
		}
	}
	return false
}

// total is the width of items with what is between them.
func total(items []item, dot int) int {
	n := 0
	for i, one := range items {
		n += one.cells
		switch {
		case i == 0:
		case one.right && !items[i-1].right:
			n += widget.ColumnGap
		default:
			n += dot
		}
	}
	return n
}

// hinted is the hint that is to be shown now, if any.
func (m *Model) hinted() string {
	switch {
	case m.chord:
		return m.keymap.Leader + " and then a key"
	case !m.aborting.IsZero() && m.now.Sub(m.aborting) >= abortPatience:
		return m.wayOut()
	case m.now.Before(m.hint.until):
		return m.hint.text
	}
	return ""
}

// chordLines are the second keys after the leader and what they do, in columns.
func (sh *shared) chordLines() []string {
	type chord struct{ key, what string }
	var chords []chord
	width := 0
	for _, c := range sh.commands {
		i := slices.IndexFunc(c.Keys, func(k string) bool { return strings.HasPrefix(k, sh.keymap.Leader+" ") })
		if i < 0 {
			continue
		}
		one := chord{strings.TrimPrefix(c.Keys[i], sh.keymap.Leader+" "), strings.ReplaceAll(c.ID, "-", " ")}
		width = max(width, render.Width(one.key+one.what)+1+2*widget.ColumnGap)
		chords = append(chords, one)
	}
	across := max(1, (sh.width-widget.Margin)/max(1, width))
	down := (len(chords) + across - 1) / across
	lines := []string{"", widget.Indent + sh.theme.Render(theme.Strong, sh.keymap.Leader) + sh.theme.Render(theme.Dim, "  and then")}
	for y := range down {
		line := widget.Indent
		for x := y; x < len(chords); x += down {
			c := chords[x]
			line += sh.theme.Render(theme.Key, c.key) + " " + sh.theme.Render(theme.Text, c.what) +
				widget.Blank(width-render.Width(c.key+c.what)-1)
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}

// wayOut says how to go on without an answer to the interrupt.
func (c *conversation) wayOut() string {
	end := "/stop ends it"
	if c.info.Remote {
		end = "/stop leaves it, and the turn goes on there"
	}
	return fmt.Sprintf("not stopped after %s: %s, /new starts another, or wait", render.Duration(c.now.Sub(c.aborting)), end)
}

// abortPatience is how long an interrupt may take before a way out is offered.
const abortPatience = 10 * time.Second

// second is the time now, cut to whole seconds, so that what is drawn with it
// changes once a second. It is zero, which is no time, where nothing may change
// by itself.
func (sh *shared) second() time.Time {
	if sh.still() {
		return time.Time{}
	}
	return sh.now.Truncate(time.Second)
}

// statusFacts are what the window knows that the status line says.
type statusFacts struct {
	timeline.Status
	theme *theme.Theme
	width int
	now   time.Time
	zone  *time.Location
	still bool // nothing moves by itself

	agent           string // which one answers
	dir, modelAsked string // where it works; the model that was asked for at the start
	demo            bool
	reads           bool // the session is only read
	mode            session.Mode
	allowAll        bool // for the window
	vim             string

	activity  string // what the agent does now
	stop      string // which key stops that
	rewording string // which keys end that the draft is a prompt that waits; "" where it is none
	others    string // what the other sessions of the window do
	besides   string // what runs beside the turn
	waiting   int    // prompts that wait to be sent
	elapsed   string // how long the turn takes so far
	begun     time.Time

	todos     []session.Todo
	todoShown bool // above the draft

	metered, outdated bool // how full the context is was told; by another model
	script            string
	scriptStale       bool
}

// statusFacts are those of now.
func (m *Model) statusFacts() *statusFacts {
	s := m.timeline.Status()
	f := &statusFacts{
		Status: s, theme: m.theme, width: m.width, now: m.now.In(m.zone), zone: m.zone, still: m.still(),
		agent: m.info.Agent, dir: m.info.Dir, modelAsked: m.info.Model, demo: m.info.Demo,
		reads: m.readOnly != nil, mode: m.mode(), allowAll: m.config.AllowAll, vim: m.composer.editor.VimMode(),
		activity: m.activity(), stop: m.howToStop(), others: m.othersItem(), waiting: m.waitingPrompts(),
		todos: m.todos.items, todoShown: m.layout.todo.height > 0,
		metered: m.metered, outdated: m.outdated, script: m.status.script.text, scriptStale: m.status.script.stale,
	}
	if m.rewording.ID != "" {
		f.rewording = m.says("{send} keeps it, {interrupt} does not")
	}
	if s.Busy {
		f.besides, f.elapsed = m.besides(), m.elapsed(s.Since)
	}
	if m.timeline.Len() > 0 {
		f.begun = m.timeline.At(0).At
	}
	return f
}
