package tui

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
	"parley/tui/keymap"
	"parley/tui/overlay"
	"parley/tui/panel"
	"parley/tui/widget"
)

// View implements tea.Model.
func (m *Model) View() tea.View { return m.frame.view(m.build) }

// build draws the window. It does not ask for key releases: terminals in use
// (kitty 0.26) then send Enter, Tab and Backspace again on release. A held key
// is known by coming again within 400 ms (decision 2).
func (m *Model) build() tea.View {
	v := tea.View{
		AltScreen:   true,
		ReportFocus: true,
		MouseMode:   m.mouse.mode(),
		WindowTitle: m.front.title(),
		ProgressBar: m.front.progress(),
	}
	if m.win.width < tooSmallWidth || m.win.height < tooSmallHeight {
		v.Content = tooSmall(m.win.width, m.win.height)
		return v
	}
	if o := m.win.overlay; o != nil && o.Cover() == overlay.OverAll { // no question is on the screen
		o.SetFacts(m.tabs.overlayFacts())
		screen, cursor := o.View(m.win.width, m.win.height)
		v.Content, v.Cursor = strings.Join(screen, "\n"), cursor
		return v
	}
	if m.win.overlay != nil {
		m.win.overlay.SetFacts(m.tabs.overlayFacts())
	}
	m.layOut()
	m.front.pane.Opts.Now, m.front.pane.Opts.Unfold = m.win.second(), m.win.says("{expand} shows all")
	screen := make([]string, 0, m.win.height)
	screen = widget.Fill(screen, m.layout.tabs.height, m.tabs.view(m.win.theme, m.win.width, m.win.height))
	upper, cursor := m.main()
	cursor = widget.MoveCursor(cursor, m.layout.timeline.y)
	screen = widget.Fill(screen, m.layout.timeline.height, upper)
	screen = widget.Fill(screen, m.layout.pending.height, m.waiting())
	screen = widget.Fill(screen, m.layout.todo.height, m.front.todos.lines)
	screen = widget.Fill(screen, m.layout.air.height, nil)
	cardTop := len(screen)
	screen = widget.Fill(screen, m.layout.card.height, m.card)
	list, inList := m.listView(m.layout.list.height)
	if inList != nil {
		cursor = widget.MoveCursor(inList, len(screen))
	}
	screen = widget.Fill(screen, m.layout.list.height, list)
	screen = append(screen, m.rule())
	screen = widget.Fill(screen, m.layout.composer.height, m.writing())
	screen = append(screen, m.lastLine())
	v.Content = strings.Join(screen, "\n")
	v.Cursor = m.cursor(cardTop, cursor)
	if g := m.front.questions.Generation(); !m.win.covered() && m.front.painting.drawn != g {
		m.front.painting.drawn, m.front.painting.writes = g, m.win.flushed() // a second view of it may write nothing
	}
	return v
}

// lastLine says what goes on; while the timeline has the keys, what they do.
func (m *Model) lastLine() string {
	switch f := m.front.focus(); {
	case m.front.hinted() != "":
	case f == browsing:
		return m.win.timelineHints(m.front.nav.BlockHints())
	case f == searching:
		return m.win.timelineHints("", m.front.nav.SearchHints())
	}
	return m.statusLine()
}

// main is what takes the upper part of the screen.
func (m *Model) main() (lines []string, cursor *tea.Cursor) {
	switch height := m.layout.timeline.height; {
	case height == 0:
		return nil, nil
	case m.win.overlay != nil && m.win.overlay.Cover() == overlay.OverTimeline:
		return m.win.overlay.View(m.win.width, height)
	case m.front.pane.Agent != nil:
		title := m.front.nav.AgentTitle(max(0, m.win.width-widget.Margin-1), m.win.keyHints(m.win.ways("block-leave", "goes back")...))
		lines = append([]string{title, ""}, m.front.pane.View()...)
	case m.front.conversing() || m.front.readOnly != nil:
		lines = m.front.pane.View()
	default:
		lines = m.greeting(height)
	}
	return lines, nil
}

// greeting is the first screen above what was said to the user so far.
func (m *Model) greeting(height int) []string {
	lines, said := m.front.welcome(), m.front.pane.View()
	if len(said) > 0 {
		lines = append(append(lines, ""), said...)
	}
	if len(lines) > height && len(said) > 0 {
		return said
	}
	return append(lines, m.recents.view(height-len(lines))...)
}

// conversing reports whether the first screen has made way for a timeline.
func (c *core) conversing() bool {
	if c.talked {
		return true
	}
	for i := range c.timeline.Len() {
		if _, notice := c.timeline.At(i).Body.(*timeline.Notice); !notice {
			c.talked = true
		}
	}
	return c.talked
}

// waiting are the prompts that the agent holds back, or has not taken yet.
func (m *Model) waiting() []string {
	type prompt struct{ label, text string }
	var all []prompt
	for _, in := range m.front.queue.held {
		all = append(all, prompt{"waiting ", in.Prompt})
	}
	for _, p := range m.front.queue.pending {
		label := "queued  "
		if p.Steering {
			label = "steering"
		}
		all = append(all, prompt{label, p.Text})
	}
	for _, p := range m.front.queue.onTheirWay() {
		all = append(all, prompt{"sending ", p.Prompt})
	}
	shown, more := all, 0
	if n := m.layout.pending.height; len(all) > n && n > 0 {
		shown, more = all[:n-1], len(all)-n+1
	}
	lead := m.win.theme.Glyph(theme.MarkFolded)
	room := max(0, m.win.width-text.Width(lead)-len("steering")-4)
	var lines []string
	for _, p := range shown {
		text := p.text[:min(len(p.text), 16*room)] // a prompt may be megabytes; a cell is a few bytes
		lines = append(lines, m.win.theme.Render(theme.Accent, lead)+" "+m.win.theme.Render(theme.Dim, p.label)+"  "+
			m.win.theme.Render(theme.Text, m.win.cut(text, room)))
	}
	if more > 0 {
		lines = append(lines, widget.Indent+m.win.theme.Render(theme.Dim, fmt.Sprintf("and %d more", more)))
	}
	return lines
}

// cut makes s safe, shortens it to a width and marks that it did.
func (w *windowState) cut(s string, width int) string {
	return widget.Cut(w.theme, s, width)
}

// rule separates the composer, and says how much came below while the reader
// is further up.
func (m *Model) rule() string {
	line := m.win.theme.Glyph(theme.MarkBoundary)
	width := max(0, m.win.width-widget.Margin-1)
	if m.front.pane.Follow || m.front.pane.Loose || over[*panel.Panel](m.win) != nil ||
		m.front.pane.Selection.Followed && m.front.pane.Ends() {
		return widget.Indent + m.win.theme.Render(theme.Rule, strings.Repeat(line, width))
	}
	what := "more"
	if n := m.front.pane.Fresh(); n > 0 {
		what = fmt.Sprintf("%d new", n)
	}
	label := " " + what + " below "
	if key := m.win.keyFor("end"); key != "" {
		label = " " + what + " below" + m.win.dot() + key + " "
	}
	if text.Width(label) > width-2 {
		label = " " + what + " "
	}
	return widget.Indent + m.win.theme.Render(theme.Rule, strings.Repeat(line, max(0, width-text.Width(label)-2))) +
		m.win.theme.Render(theme.Accent, label) + m.win.theme.Render(theme.Rule, line+line)
}

// writing is the composer, or the bar of a search in its place.
func (m *Model) writing() []string {
	if m.front.focus() != searching {
		return m.draft()
	}
	bar, _ := m.front.nav.SearchBar(m.win.width - widget.Margin - 1)
	return []string{widget.Indent + bar}
}

// draft is the composer.
func (m *Model) draft() []string {
	rows := m.front.composer.View(m.win.composerWidth(), m.layout.composer.height, m.win.theme)
	if m.front.composer.Empty() {
		rows = []string{m.win.theme.Render(theme.Dim, m.placeholder())}
	}
	lead := m.win.theme.Glyph(theme.MarkChosen) + " "
	tok := theme.Accent
	if m.front.focus() != composing {
		tok = theme.Dim
	}
	for i, row := range rows {
		if i == 0 {
			rows[i] = m.win.theme.Render(tok, lead) + row
			continue
		}
		rows[i] = widget.Indent + row
	}
	return rows
}

// tooSmall is the screen of a window in which nothing can be shown.
func tooSmall(width, height int) string {
	if width <= 0 {
		return ""
	}
	lines := text.Wrap(fmt.Sprintf("Window too small: needs at least %dx%d", tooSmallWidth, tooSmallHeight), width)
	return strings.Join(lines[:min(len(lines), max(1, height))], "\n")
}

// placeholder says what enter does now.
func (m *Model) placeholder() string {
	text := "What should be done? / for commands"
	switch {
	case m.front.readOnly != nil:
		text = m.win.says("Read only: {continue-here} continues this session")
		if m.win.foreign(m.front.readOnly.Session) {
			text = m.win.says("Read only: {continue-here} shows how to continue this session")
		}
	case m.front.focus() == answering:
		text = ""
	case m.front.questions.Len() > 0:
		text = cmp.Or(m.win.keymap.Show("complete"), m.win.keyFor("answer"), "a click") + " answers the question"
	case m.front.busy():
		text = m.win.says("Steer with {send}, queue with {queue}")
		if m.win.config.Settings.BusyEnter == "queue" {
			text = m.win.says("Queue with {send}; {queued} shows what waits, s there sends it now")
		}
	default:
		text = cmp.Or(m.front.offer(), text)
	}
	return m.win.cut(text, m.win.composerWidth())
}

// cursor puts the real cursor on the caret, in the shape the user has.
func (m *Model) cursor(cardTop int, overlaying *tea.Cursor) *tea.Cursor {
	at := widget.CaretAt
	switch m.front.focus() {
	case browsing:
		return nil
	case overlaid:
		return overlaying
	case answering:
		if x, y, ok := m.front.questions.Cursor(); ok {
			return at(x, cardTop+y)
		}
		return nil
	case searching:
		_, x := m.front.nav.SearchBar(m.win.width - widget.Margin - 1)
		return at(widget.Margin+x, m.layout.composer.y)
	case composing:
	}
	x, y := m.front.composer.Cursor(m.win.composerWidth(), m.layout.composer.height)
	return at(widget.Margin+x, m.layout.composer.y+y)
}

// title is the terminal window's.
func (c *conversation) title() string {
	if !c.win.config.Settings.Terminal.Title {
		return ""
	}
	name := c.timeline.Status().Title
	if name == "" {
		name = widget.Base(c.info.Dir)
	}
	title := "parley"
	if name != "" {
		title = c.win.cut(name, 60) + c.win.dot() + title
	}
	if c.questions.Len() > 0 {
		title = "? " + title
	}
	return title
}

// welcome is the first screen: what this is and what to press.
func (c *conversation) welcome() []string {
	who := c.info.Agent + " answers" + c.where()
	switch {
	case c.opening:
		who = "Starting " + c.info.Agent + c.where()
	case c.info.Demo:
		who = "Demo mode: replies are scripted. Type tour for a tour."
	}
	return c.win.wrapped(
		c.win.theme.Render(theme.Strong, "Parley")+" "+
			c.win.theme.Render(theme.Dim, c.win.config.Version+c.win.dot()+"chat with a coding agent, here in the terminal"),
		"",
		text.SanitizeLine(who),
		c.win.says("Say what you want done and press {send}.")+" It asks before it changes anything.",
		c.win.keyHints(keymap.HintsOf(c.win.keyFor("send"), "send", "/", "commands", c.win.keyFor("help"), "keys",
			c.win.keyFor("cycle-mode"), "mode", c.win.keyFor("cancel"), "twice to quit")...),
	)
}

// where says in which folder and on which branch the agent works.
func (c *conversation) where() string {
	dir := widget.ShortPath(c.info.Dir, c.win.config.Home)
	if dir == "" {
		return ""
	}
	s := ", in " + text.SanitizeLine(dir)
	if b := c.timeline.Status().Branch; b != "" {
		s += " (" + text.SanitizeLine(b) + ")"
	}
	return s
}

// dot stands between short things on one line.
func (w *windowState) dot() string { return widget.Dot(w.theme) }

// wrapped indents lines by the margin and cuts them to the width.
func (w *windowState) wrapped(lines ...string) []string {
	out := []string{""}
	for _, l := range lines {
		for _, row := range text.Wrap(l, max(1, w.width-widget.Margin-1)) {
			out = append(out, widget.Indent+row)
		}
	}
	return out
}
