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
	lines, cursor := m.view.draw()
	v.Content, v.Cursor = strings.Join(append(lines, m.lastLine()), "\n"), cursor
	return v
}

// draw draws all but the last line, with the cursor.
func (v *view) draw() ([]string, *tea.Cursor) {
	v.layOut()
	c := v.tabs.front
	c.pane.Opts.Now, c.pane.Opts.Unfold = v.win.second(), v.win.says("{expand} shows all")
	screen := make([]string, 0, v.win.height)
	screen = widget.Fill(screen, v.layout.tabs.height, v.tabs.view(v.win.theme, v.win.width, v.win.height))
	upper, cursor := v.main()
	cursor = widget.MoveCursor(cursor, v.layout.timeline.y)
	screen = widget.Fill(screen, v.layout.timeline.height, upper)
	screen = widget.Fill(screen, v.layout.pending.height, v.waiting())
	screen = widget.Fill(screen, v.layout.todo.height, c.todos.lines)
	screen = widget.Fill(screen, v.layout.air.height, nil)
	cardTop := len(screen)
	screen = widget.Fill(screen, v.layout.card.height, v.card)
	list, inList := v.listView(v.layout.list.height)
	if inList != nil {
		cursor = widget.MoveCursor(inList, len(screen))
	}
	screen = widget.Fill(screen, v.layout.list.height, list)
	screen = append(screen, v.rule())
	screen = widget.Fill(screen, v.layout.composer.height, v.writing())
	if g := c.questions.Generation(); !v.win.covered() && c.painting.drawn != g {
		c.painting.drawn, c.painting.writes = g, v.win.flushed() // a second view of it may write nothing
	}
	return screen, v.cursor(cardTop, cursor)
}

// lastLine shows what runs; while the timeline has the keys, what they do.
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
func (v *view) main() (lines []string, cursor *tea.Cursor) {
	switch height := v.layout.timeline.height; {
	case height == 0:
		return nil, nil
	case v.win.overlay != nil && v.win.overlay.Cover() == overlay.OverTimeline:
		return v.win.overlay.View(v.win.width, height)
	case v.tabs.front.pane.Agent != nil:
		title := v.tabs.front.nav.AgentTitle(max(0, v.win.width-widget.Margin-1), v.win.keyHints(v.win.ways("block-leave", "goes back")...))
		lines = append([]string{title, ""}, v.tabs.front.pane.View()...)
	case v.tabs.front.conversing() || v.tabs.front.readOnly != nil:
		lines = v.tabs.front.pane.View()
	default:
		lines = v.greeting(height)
	}
	return lines, nil
}

// greeting is the first screen above what was said to the user so far.
func (v *view) greeting(height int) []string {
	lines, said := v.tabs.front.first.welcome(), v.tabs.front.pane.View()
	if len(said) > 0 {
		lines = append(append(lines, ""), said...)
	}
	if len(lines) > height && len(said) > 0 {
		return said
	}
	return append(lines, v.recents.view(height-len(lines))...)
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
func (v *view) waiting() []string {
	type prompt struct{ label, text string }
	var all []prompt
	for _, in := range v.tabs.front.queue.held {
		all = append(all, prompt{"waiting ", in.Prompt})
	}
	for _, p := range v.tabs.front.queue.pending {
		label := "queued  "
		if p.Steering {
			label = "steering"
		}
		all = append(all, prompt{label, p.Text})
	}
	for _, p := range v.tabs.front.queue.inFlight() {
		all = append(all, prompt{"sending ", p.Prompt})
	}
	shown, more := all, 0
	if n := v.layout.pending.height; len(all) > n && n > 0 {
		shown, more = all[:n-1], len(all)-n+1
	}
	lead := v.win.theme.Glyph(theme.MarkFolded)
	room := max(0, v.win.width-text.Width(lead)-len("steering")-4)
	var lines []string
	for _, p := range shown {
		text := p.text[:min(len(p.text), 16*room)] // a prompt may be megabytes; a cell is a few bytes
		lines = append(lines, v.win.theme.Render(theme.Accent, lead)+" "+v.win.theme.Render(theme.Dim, p.label)+"  "+
			v.win.theme.Render(theme.Text, v.win.cut(text, room)))
	}
	if more > 0 {
		lines = append(lines, widget.Indent+v.win.theme.Render(theme.Dim, fmt.Sprintf("and %d more", more)))
	}
	return lines
}

// cut makes s safe, shortens it to a width and marks that it did.
func (w *windowState) cut(s string, width int) string {
	return widget.Cut(w.theme, s, width)
}

// rule separates the composer, and says how much came below while the reader
// is further up.
func (v *view) rule() string {
	line := v.win.theme.Glyph(theme.MarkBoundary)
	width := max(0, v.win.width-widget.Margin-1)
	if v.tabs.front.pane.Follow || v.tabs.front.pane.Loose || over[*panel.Panel](v.win) != nil ||
		v.tabs.front.pane.Selection.Followed && v.tabs.front.pane.Ends() {
		return widget.Indent + v.win.theme.Render(theme.Rule, strings.Repeat(line, width))
	}
	what := "more"
	if n := v.tabs.front.pane.Fresh(); n > 0 {
		what = fmt.Sprintf("%d new", n)
	}
	label := " " + what + " below "
	if key := v.win.keyFor("end"); key != "" {
		label = " " + what + " below" + v.win.dot() + key + " "
	}
	if text.Width(label) > width-2 {
		label = " " + what + " "
	}
	return widget.Indent + v.win.theme.Render(theme.Rule, strings.Repeat(line, max(0, width-text.Width(label)-2))) +
		v.win.theme.Render(theme.Accent, label) + v.win.theme.Render(theme.Rule, line+line)
}

// writing is the composer, or the bar of a search in its place.
func (v *view) writing() []string {
	if v.tabs.front.focus() != searching {
		return v.draft()
	}
	bar, _ := v.tabs.front.nav.SearchBar(v.win.width - widget.Margin - 1)
	return []string{widget.Indent + bar}
}

// draft is the composer.
func (v *view) draft() []string {
	rows := v.tabs.front.composer.View(v.win.composerWidth(), v.layout.composer.height, v.win.theme)
	if v.tabs.front.composer.Empty() {
		rows = []string{v.win.theme.Render(theme.Dim, v.placeholder())}
	}
	lead := v.win.theme.Glyph(theme.MarkChosen) + " "
	tok := theme.Accent
	if v.tabs.front.focus() != composing {
		tok = theme.Dim
	}
	for i, row := range rows {
		if i == 0 {
			rows[i] = v.win.theme.Render(tok, lead) + row
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
func (v *view) placeholder() string {
	text := "What should be done? / for commands"
	switch {
	case v.tabs.front.readOnly != nil:
		text = v.win.says("Read only: {continue-here} continues this session")
		if v.win.foreign(v.tabs.front.readOnly.Session) {
			text = v.win.says("Read only: {continue-here} shows how to continue this session")
		}
	case v.tabs.front.focus() == answering:
		text = ""
	case v.tabs.front.questions.Len() > 0:
		text = cmp.Or(v.win.keymap.Show("complete"), v.win.keyFor("answer"), "a click") + " answers the question"
	case v.tabs.front.busy():
		text = v.win.says("Steer with {send}, queue with {queue}")
		if v.win.config.Settings.BusyEnter == "queue" {
			text = v.win.says("Queue with {send}; {queued} shows what waits, s there sends it now")
		}
	default:
		text = cmp.Or(v.tabs.front.first.offer(), text)
	}
	return v.win.cut(text, v.win.composerWidth())
}

// cursor puts the real cursor on the caret, in the shape the user has.
func (v *view) cursor(cardTop int, overlaying *tea.Cursor) *tea.Cursor {
	at := widget.CaretAt
	switch v.tabs.front.focus() {
	case browsing:
		return nil
	case overlaid:
		return overlaying
	case answering:
		if x, y, ok := v.tabs.front.questions.Cursor(); ok {
			return at(x, cardTop+y)
		}
		return nil
	case searching:
		_, x := v.tabs.front.nav.SearchBar(v.win.width - widget.Margin - 1)
		return at(widget.Margin+x, v.layout.composer.y)
	case composing:
	}
	x, y := v.tabs.front.composer.Cursor(v.win.composerWidth(), v.layout.composer.height)
	return at(widget.Margin+x, v.layout.composer.y+y)
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

// firstScreen is what a conversation shows before anything was said in it.
type firstScreen struct {
	*core
	answers *pendingAnswers
}

// welcome is the first screen: what this is and what to press.
func (c *firstScreen) welcome() []string {
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
func (c *firstScreen) where() string {
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

// listHeight is the lines that lists above the composer want.
func (v *view) listHeight() int {
	switch {
	case v.win.overlay != nil:
		return v.win.overlay.Lines()
	case v.win.chord.listed(v.win.now):
		return len(v.win.chordLines())
	case v.tabs.front.composer.Completions() != nil:
		return 1 + min(len(v.tabs.front.composer.Completions().Rows), widget.ListRows) // a line of air above
	}
	return 0
}

// listView draws the list above the composer, with the cursor of a picker.
func (v *view) listView(height int) ([]string, *tea.Cursor) {
	switch {
	case height == 0:
	case v.win.overlay != nil && v.win.overlay.Cover() == overlay.AboveDraft:
		return v.win.overlay.View(v.win.width, height)
	case v.win.chord.listed(v.win.now):
		return v.win.chordLines(), nil
	case v.tabs.front.composer.Completions() != nil:
		rows := v.tabs.front.composer.Completions().View(v.win.width, max(1, height-1), v.win.theme)
		if height > len(rows) {
			rows = append([]string{""}, rows...)
		}
		return rows, nil
	}
	return nil, nil
}
