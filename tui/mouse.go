package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/settings"
	"parley/tui/overlay"
	"parley/tui/transcript"
	"parley/tui/widget"
)

// mouse does what the mouse is for: it scrolls, clicks, drags and selects.
type mouse struct {
	win     *windowState
	tabs    *tabs
	layout  *layout // of the screen that the user sees
	pointer pointer
}

// forget drops a press that has not ended, and what it began.
func (m *mouse) forget() {
	m.pointer = pointer{given: m.pointer.given, rolling: m.pointer.rolling}
}

// pointer is what the mouse does over the conversation: it clicks and drags.
type pointer struct {
	given   bool            // the terminal has the mouse, whatever the settings say
	held    bool            // the left button was pressed over the conversation
	dragged bool            // and the mouse moved since
	cleared bool            // pressing it took a selection away
	x, y    int             // where it is
	from    transcript.Mark // where it was pressed
	clicks  int             // presses in the same place, one soon after the other
	at      time.Time
	folded  transcript.Place // what the click before folded or unfolded
	did     bool             // it did
	rolling bool             // a timer scrolls
}

// textArea is where on the screen a pane shows a conversation.
type textArea struct {
	pane    *transcript.Pane
	rows    band
	covered bool // something lies over it, or there is no conversation yet
}

// textArea is that of the conversation on the screen.
func (m *mouse) area() textArea {
	return textArea{&m.tabs.front.pane, m.layout.timeline, m.win.covered() || !m.tabs.front.conversing()}
}

// holds reports whether row y of the screen is in the area.
func (a textArea) holds(y int) bool { return !a.covered && y >= a.rows.y && y < a.rows.y+a.rows.height }

// row is a row of the screen as one of the pane's.
func (a textArea) row(y int) int { return y - a.rows.y - (a.rows.height - a.pane.Height) }

const (
	// wheelLines is how far one notch of the wheel scrolls.
	wheelLines = 3
	// clickTime is how soon after another a press belongs to it.
	clickTime = 400 * time.Millisecond
	// rollTime is how long a line stays while a drag beyond the edge scrolls.
	rollTime = 40 * time.Millisecond
)

// mouseMode is how much of the mouse the window wants. Moves are reported only while
// a button is down.
func (m *mouse) mode() tea.MouseMode {
	if m.pointer.given || m.win.config.Settings.Mouse == (settings.Mouse{}) {
		return tea.MouseModeNone
	}
	return tea.MouseModeCellMotion
}

// toggleMouse gives the mouse to the terminal, to select with, or takes it back.
func (m *mouse) toggle(string) tea.Cmd {
	wants := m.win.config.Settings.Mouse
	if wants == (settings.Mouse{}) {
		m.tabs.front.showHint("The settings leave the mouse to the terminal: mouse.wheel, mouse.click, mouse.select.")
		return nil
	}
	m.pointer = pointer{given: !m.pointer.given}
	if m.pointer.given {
		m.tabs.front.showHint("The terminal has the mouse now: select as you like; {mouse} takes it back.")
		return nil
	}
	var does []string
	for _, can := range []struct {
		on   bool
		what string
	}{{wants.Wheel, "the wheel scrolls"}, {wants.Click, "a click folds, or goes to the question"}, {wants.Select, "dragging selects"}} {
		if can.on {
			does = append(does, can.what)
		}
	}
	text := strings.Join(does, ", ")
	m.tabs.front.showHint("%s; shift and drag is the terminal's.", widget.Capitalised(text))
	return nil
}

// mouse routes what the mouse does. None of it answers a question.
func (m *mouse) take(msg tea.MouseMsg, at time.Time) tea.Cmd {
	wants := m.win.config.Settings.Mouse
	if m.mode() == tea.MouseModeNone {
		return nil // sent before the terminal had it
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		if wants.Wheel {
			return m.wheel(msg)
		}
	case tea.MouseClickMsg:
		switch {
		case wants.Select && msg.Button == tea.MouseLeft && m.area().holds(msg.Y):
			m.pointer.press(m.area(), msg, at)
		case wants.Click:
			return m.click(msg, at)
		}
	case tea.MouseMotionMsg:
		if m.pointer.held && msg.Button == tea.MouseLeft {
			m.pointer.drag(m.area(), msg.X, msg.Y)
			return m.roll()
		}
	case tea.MouseReleaseMsg:
		return m.release(at)
	}
	return nil
}

func (m *mouse) wheel(w tea.MouseWheelMsg) tea.Cmd {
	n := wheelLines
	if w.Button == tea.MouseWheelUp {
		n = -n
	} else if w.Button != tea.MouseWheelDown {
		return nil
	}
	if m.win.overlay != nil {
		return m.tabs.overlaid(func(o overlay.Overlay) tea.Cmd { return o.Wheel(w.X, n) })
	}
	m.tabs.front.pane.Scroll(n)
	return nil
}

// click gives the focus to what was clicked on. On the timeline it folds and
// unfolds.
func (m *mouse) click(c tea.MouseClickMsg, at time.Time) tea.Cmd {
	if m.win.overlay != nil && m.win.overlay.Cover() == overlay.OverAll {
		return m.tabs.overlaid(func(o overlay.Overlay) tea.Cmd { return o.Click(c) })
	}
	if c.Button != tea.MouseLeft {
		return nil
	}
	if card := m.layout.card; m.tabs.front.questions.Len() > 0 && c.Y >= card.y && c.Y < card.y+card.height {
		m.tabs.front.closeOverlays()
		m.tabs.front.blocks.do(m.tabs.front.nav.TurnAway())
		m.tabs.front.questions.Focus(at)
		return nil
	}
	if m.tabs.front.questions.Len() > 0 {
		m.tabs.front.questions.Blur(at)
	}
	switch {
	case m.win.overlay == nil:
		m.pointer.click(m.area(), c.Y)
	case m.win.overlay.Cover() == overlay.OverTimeline && c.Y < m.layout.timeline.y+m.layout.timeline.height:
		c.Y -= m.layout.timeline.y
		return m.tabs.overlaid(func(o overlay.Overlay) tea.Cmd { return o.Click(c) })
	}
	return nil
}

// click folds the block on a row of the screen, or unfolds it.
func (p *pointer) click(a textArea, y int) {
	p.did = false
	if !a.holds(y) {
		return
	}
	at, ok := a.pane.At(a.row(y))
	if ok && at.Unit >= 0 && render.Foldable(a.pane.Timeline.At(at.Entry)) {
		a.pane.Toggle(at.Entry)
		p.folded, p.did = at, true
	}
}

// press begins a click or a drag. Again in the same place it selects the word
// there, then the line.
func (p *pointer) press(a textArea, c tea.MouseClickMsg, at time.Time) {
	before := *p
	from, ok := a.pane.Mark(c.X, a.row(c.Y))
	if !ok {
		return
	}
	*p = pointer{held: true, x: c.X, y: c.Y, from: from, clicks: 1, at: at, cleared: a.pane.Selection.On, rolling: before.rolling}
	if c.X == before.x && c.Y == before.y && at.Sub(before.at) < clickTime && !before.dragged {
		p.clicks = before.clicks%3 + 1
	}
	a.pane.Deselect()
	if p.clicks == 2 && before.did {
		a.pane.Toggle(before.folded.Entry) // it was the first half of two
		if from, ok = a.pane.Mark(c.X, a.row(c.Y)); ok {
			p.from = from
		}
	}
	switch p.clicks {
	case 2:
		a.pane.ChooseWord(p.from)
	case 3:
		a.pane.ChooseLine(p.from)
	}
}

// drag selects from where the button was pressed to where the mouse is.
func (p *pointer) drag(a textArea, x, y int) {
	if a.covered || x == p.x && y == p.y && !p.dragged {
		return
	}
	p.dragged, p.x, p.y = true, x, y
	p.choose(a)
}

// choose selects as far as the mouse is.
func (p *pointer) choose(a textArea) {
	if to, ok := a.pane.Mark(p.x, min(a.row(p.y), a.pane.Height)); ok {
		a.pane.Choose(p.from, to)
	}
}

// edge is where a drag beyond the area scrolls to: up, down, or nowhere.
func (p *pointer) edge(a textArea) int {
	switch row := a.row(p.y); {
	case !p.held || !p.dragged || a.covered:
		return 0
	case row <= 0:
		return -1
	case row >= a.pane.Height:
		return 1
	}
	return 0
}

// scroll scrolls a line where a drag is beyond the edge, and reports whether there
// was one.
func (p *pointer) scroll(a textArea) bool {
	edge, before := p.edge(a), a.pane.Top
	if edge == 0 {
		return false
	}
	a.pane.Scroll(edge)
	p.choose(a)
	return a.pane.Top != before
}

// rollMsg is the time at which a drag at the edge scrolls.
type rollMsg time.Time

// roll keeps the timer going while a drag scrolls.
func (m *mouse) roll() tea.Cmd {
	if m.pointer.rolling || m.pointer.edge(m.area()) == 0 {
		return nil
	}
	m.pointer.rolling = true
	return m.win.after(rollTime, func(t time.Time) tea.Msg { return rollMsg(t) })
}

// rolled scrolls by a line. If nothing is beyond, the next move asks again.
func (m *mouse) rolled(at time.Time) tea.Cmd {
	m.win.pass(at)
	m.pointer.rolling = false
	if !m.pointer.scroll(m.area()) {
		return nil
	}
	return m.roll()
}

// released ends a drag. What did not become one is a click.
func (m *mouse) release(at time.Time) tea.Cmd {
	p := m.pointer
	m.pointer.held = false
	switch {
	case !p.held:
	case m.tabs.front.pane.Selection.On:
		m.tabs.front.showHint("{cancel} copies what is selected; esc clears the selection.")
	case p.clicks == 1 && !p.cleared && !p.dragged && m.win.config.Settings.Mouse.Click:
		return m.click(tea.MouseClickMsg{X: p.x, Y: p.y, Button: tea.MouseLeft}, at)
	}
	return nil
}

// selecting takes a press while something is selected: esc selects nothing, and
// so does a key that types, which then does what it is for.
func (m *mouse) deselect(name string, press tea.KeyPressMsg) (taken bool) {
	if !m.hasSelection() || name != "esc" && press.Text == "" {
		return false
	}
	m.tabs.front.pane.Deselect()
	return name == "esc"
}

// hasSelection reports whether text is selected that is on the screen.
func (m *mouse) hasSelection() bool { return m.tabs.front.pane.Selecting() && !m.win.covered() }
