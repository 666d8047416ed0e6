package conversation

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
	"parley/theme"
	"parley/timeline"
	"parley/tui/overlay"
	"parley/tui/panel"
	"parley/tui/transcript"
	"parley/tui/widget"
)

// Draw draws all but the last line, with the cursor: below the lines of the tabs the
// conversation on the screen. On its first screen are the recent sessions, in so many lines
// at most.
func (v *view) Draw(tabs []string, recents Recents) ([]string, *tea.Cursor) {
	v.recents = recents
	v.LayOut(len(tabs))
	c := v.win.Front
	c.Pane.Opts.Now, c.Pane.Opts.Unfold = v.win.second(), v.win.says("{expand} shows all")
	screen := make([]string, 0, v.win.Height)
	screen = widget.Fill(screen, v.Layout.tabs.Height, tabs)
	upper, cursor := v.main()
	cursor = widget.MoveCursor(cursor, v.Layout.Timeline.Y)
	screen = widget.Fill(screen, v.Layout.Timeline.Height+v.Layout.activity.Height, upper)
	screen = widget.Fill(screen, v.Layout.pending.Height, v.waiting())
	screen = widget.Fill(screen, v.Layout.todo.Height, c.Todos.lines)
	var air []string
	if v.Layout.Rule.Height == 0 && v.below() != "" { // the rule says it where there is one
		air = []string{v.rule()}
	}
	screen = widget.Fill(screen, v.Layout.air.Height, air)
	cardTop := len(screen)
	screen = widget.Fill(screen, v.Layout.Card.Height, v.Card)
	list, inList := v.listView(v.Layout.list.Height)
	if inList != nil {
		cursor = widget.MoveCursor(inList, len(screen))
	}
	screen = widget.Fill(screen, v.Layout.list.Height, list)
	if v.Layout.Rule.Height > 0 {
		screen = append(screen, v.rule())
	}
	screen = widget.Fill(screen, v.Layout.thumbnails.Height, v.thumbnails)
	screen = widget.Fill(screen, v.Layout.Composer.Height, v.writing())
	if !v.win.covered() {
		c.Painting.draws(v.win, c.Questions.Generation())
	}
	return screen, v.cursor(cardTop, cursor)
}

// DrawCard draws no more than the open question, for a window that says what it shows.
func (v *view) DrawCard() {
	v.LayOut(0)
	v.Facts = v.StatusFacts()
	if !v.win.covered() {
		v.win.Front.Painting.draws(v.win, v.win.Front.Questions.Generation())
	}
}

// main is what takes the upper part of the screen.
func (v *view) main() (lines []string, cursor *tea.Cursor) {
	v.Facts = v.StatusFacts()
	v.Facts.ActivityShown = false // so far
	switch height := v.Layout.Timeline.Height + v.Layout.activity.Height; {
	case height == 0:
		return nil, nil
	case v.win.Overlay != nil && v.win.Overlay.Cover() == overlay.OverTimeline:
		return v.win.Overlay.View(v.win.Width, height)
	case v.win.Front.Pane.Agent != nil:
		title := v.win.Front.Nav.AgentTitle(max(0, v.win.Width-widget.Margin-1), v.win.KeyHints(v.win.Ways("block-leave", "goes back")...))
		lines = append([]string{title, ""}, v.win.Front.Pane.View()...)
	case v.win.Front.conversing() || v.win.Front.ReadOnly != nil:
		lines = v.withActivity(append(v.apart(), v.win.Front.Pane.View()...), height)
	default:
		lines = v.greeting(height)
	}
	return lines, nil
}

// conversing reports whether the first screen has made way for a timeline.
func (c *core) conversing() bool {
	if c.Talked {
		return true
	}
	for i := range c.Timeline.Len() {
		switch c.Timeline.At(i).Body.(type) {
		case *timeline.Notice, *timeline.AnsweredQuestion: // such as whether the folder is trusted
		default:
			c.Talked = true
		}
	}
	return c.Talked
}

// waiting are the prompts and notes that the agent has not taken yet, and those that are held.
func (v *view) waiting() []string {
	type prompt struct{ label, text string }
	var all []prompt
	for _, in := range v.win.Front.Queue.Early {
		all = append(all, prompt{"queued", in.Prompt})
	}
	for _, p := range v.win.Front.Queue.Pending {
		all = append(all, prompt{pendingKind(p), p.Text})
	}
	for _, p := range v.win.Front.Queue.inFlight() {
		all = append(all, prompt{"sending", p.Prompt})
	}
	for _, note := range v.win.Front.Queue.Notes {
		all = append(all, prompt{"after call", note.Text})
	}
	for _, h := range v.win.Front.Queue.held {
		all = append(all, prompt{"held", h.draft.Prompt()})
	}
	shown, more := all, 0
	if n := v.Layout.pending.Height; len(all) > n && n > 0 {
		shown, more = all[:n-1], len(all)-n+1
	}
	lead, label := v.win.Theme.Glyph(theme.MarkFolded), len("sending")+1
	for _, p := range shown {
		label = max(label, len(p.label))
	}
	room := max(0, v.win.Width-text.Width(lead)-label-4)
	var lines []string
	for _, p := range shown {
		text := p.text[:min(len(p.text), 16*room)] // a prompt may be megabytes; a cell is a few bytes
		state := v.win.Theme.Render(theme.Dim, fmt.Sprintf("%-*s", label, p.label))
		lines = append(lines, v.win.Theme.Render(theme.Accent, lead)+" "+state+"  "+v.win.Theme.Render(theme.Text, v.win.Cut(text, room)))
	}
	if more > 0 {
		lines = append(lines, widget.Indent+v.win.Theme.Render(theme.Dim, fmt.Sprintf("and %d more", more)))
	}
	return lines
}

// Cut makes s safe, shortens it to a width and marks that it did.
func (w *Window) Cut(s string, width int) string {
	return widget.Cut(w.Theme, s, width)
}

// rule separates the composer, and says how much came below while the reader
// is further up.
func (v *view) rule() string {
	line := v.win.Theme.Glyph(theme.MarkBoundary)
	width := max(0, v.win.Width-widget.Margin-1)
	what := v.below()
	if what == "" {
		return widget.Indent + v.win.Theme.Render(theme.Rule, strings.Repeat(line, width))
	}
	label := " " + what + " below "
	if key := v.win.KeyFor("end"); key != "" {
		label = " " + what + " below" + v.win.Dot() + key + " "
	}
	if text.Width(label) > width-2 {
		label = " " + what + " "
	}
	return widget.Indent + v.win.Theme.Render(theme.Rule, strings.Repeat(line, max(0, width-text.Width(label)-2))) +
		v.win.Theme.Render(theme.Accent, label) + v.win.Theme.Render(theme.Rule, line+line)
}

// below says how much is below while the reader is further up; "" is nothing.
func (v *view) below() string {
	if v.win.Front.Pane.Follow || v.win.Front.Pane.Loose || Over[*panel.Panel](v.win) != nil || v.win.Front.Pane.Ends() {
		return ""
	}
	switch n := v.win.Front.Pane.Fresh(); {
	case n == transcript.MaxFresh:
		return fmt.Sprintf("%d+ new", n-1)
	case n > 0:
		return fmt.Sprintf("%d new", n)
	}
	return "more"
}

// writing is the composer, or the bar of a search in its place.
func (v *view) writing() []string {
	if v.win.Front.focus() == searching {
		bar, _ := v.win.Front.Nav.SearchBar(v.win.Width - widget.Margin - 1)
		return []string{widget.Indent + bar}
	}
	rows := v.win.Front.Composer.View(v.win.composerWidth(), v.Layout.Composer.Height, v.win.Theme)
	if v.win.Front.Composer.Empty() {
		rows = []string{v.win.Theme.Render(theme.Dim, v.placeholder())}
	}
	tok := theme.Accent
	if v.win.Front.focus() != composing {
		tok = theme.Dim
	}
	if v.win.Front.focus() == browsing {
		for i, row := range rows {
			rows[i] = v.win.Theme.Render(theme.Dim, text.Unstyled(row))
		}
	}
	lead := v.win.Theme.Render(tok, v.win.Theme.Glyph(theme.MarkChosen)+" ")
	for i, row := range rows {
		rows[i], lead = lead+row, widget.Indent
	}
	return rows
}

// tooSmall is the screen of a window in which nothing can be shown.
func tooSmall(width, height int) []string {
	if width <= 0 {
		return nil
	}
	lines := text.Wrap(fmt.Sprintf("Window too small: needs at least %dx%d", tooSmallWidth, tooSmallHeight), width)
	return lines[:min(len(lines), max(1, height))]
}

// placeholder says what enter does now.
func (v *view) placeholder() string {
	text := "What should be done? / for commands"
	switch {
	case v.win.Front.ReadOnly != nil:
		text = v.win.says("Read only: {continue-here} continues this session")
		if v.win.Foreign(v.win.Front.ReadOnly.Session) {
			text = v.win.says("Read only: {continue-here} shows how to continue this session")
		}
	case v.win.Front.Questions.Len() > 0 && len(v.Card) == 0 && !v.win.covered():
		text = "Answer in a larger window"
	case v.win.Front.focus() == answering:
		text = ""
	case v.win.Front.focus() == browsing:
		text = v.win.says("Keys are for the block" + v.win.Dot() + "{block-leave} returns here")
	case v.win.Front.Questions.Len() > 0:
		text = cmp.Or(v.win.Keymap.Show("complete"), v.win.KeyFor("answer"), "a click") + " answers the question"
		if v.win.Front.Questions.TakesWords() {
			text += v.win.Dot() + "what you write here can be the answer, too"
		}
	case v.win.Front.Busy():
		text = v.win.says("{send}: send for its next step" + v.win.Dot() + "{queue}: send when it is done")
		if v.win.Config.Settings.BusyEnter == "queue" {
			text = v.win.says("{send}: send when it is done" + v.win.Dot() + "{queued} shows the queue")
		}
	default:
		text = cmp.Or(v.win.Front.first.offer(), text)
	}
	return v.win.Cut(text, v.win.composerWidth())
}

// cursor puts the real cursor on the caret, in the shape the user has.
func (v *view) cursor(cardTop int, overlaying *tea.Cursor) *tea.Cursor {
	at := widget.CaretAt
	switch v.win.Front.focus() {
	case browsing:
		return nil
	case overlaid:
		return overlaying
	case answering:
		if x, y, ok := v.win.Front.Questions.Cursor(); ok {
			return at(x, cardTop+y)
		}
		return nil
	case searching:
		_, x := v.win.Front.Nav.SearchBar(v.win.Width - widget.Margin - 1)
		return at(widget.Margin+x, v.Layout.Composer.Y)
	case composing:
	}
	x, y := v.win.Front.Composer.Cursor(v.win.composerWidth(), v.Layout.Composer.Height)
	return at(widget.Margin+x, v.Layout.Composer.Y+y)
}

// Dot stands between short things on one line.
func (w *Window) Dot() string { return w.Theme.Dot() }

// listHeight is the lines that lists above the composer want.
func (v *view) listHeight() int {
	switch {
	case v.win.Overlay != nil:
		return v.win.Overlay.Lines()
	case v.win.Chord.listed(v.win.Now):
		return len(v.win.chordLines(v.win.Height))
	case v.win.Front.Composer.Completions() != nil:
		return 1 + min(len(v.win.Front.Composer.Completions().Rows), widget.MostRows(v.win.Height)) // a line of air above
	}
	return 0
}

// listView draws the list above the composer, with the cursor of a picker.
func (v *view) listView(height int) ([]string, *tea.Cursor) {
	switch {
	case height == 0:
	case v.win.Overlay != nil && v.win.Overlay.Cover() == overlay.AboveDraft:
		return v.win.Overlay.View(v.win.Width, height)
	case v.win.Chord.listed(v.win.Now):
		return v.win.chordLines(height), nil
	case v.win.Front.Composer.Completions() != nil:
		list, shown := v.win.Front.Composer.Completions(), max(1, height-1)
		rows := list.View(v.win.Width, shown, v.win.Theme)
		if height > len(rows) { // the line of air
			where := widget.Spread(v.win.Theme, "", list.Position(shown), max(0, v.win.Width-widget.Margin-1))
			rows = append([]string{strings.TrimRight(widget.Indent+where, " ")}, rows...)
		}
		return rows, nil
	}
	return nil, nil
}
