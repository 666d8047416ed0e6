package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/settings"
	"parley/tui/overlay"
	"parley/tui/transcript"
)

// pointer is what the mouse does.
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

const (
	// wheelLines is how far one notch of the wheel scrolls.
	wheelLines = 3
	// clickTime is how soon after another a press belongs to it.
	clickTime = 400 * time.Millisecond
	// rollTime is how long a line stays while a drag beyond the edge scrolls.
	rollTime = 40 * time.Millisecond
)

// mouseMode is how much of the mouse the window wants. Moves are told only while
// a button is down.
func (m *Model) mouseMode() tea.MouseMode {
	if m.pointer.given || m.config.Settings.Mouse == (settings.Mouse{}) {
		return tea.MouseModeNone
	}
	return tea.MouseModeCellMotion
}

// toggleMouse gives the mouse to the terminal, to select with, or takes it back.
func (m *Model) toggleMouse(string) tea.Cmd {
	wants := m.config.Settings.Mouse
	if wants == (settings.Mouse{}) {
		m.front.tell("The settings leave the mouse to the terminal: mouse.wheel, mouse.click, mouse.select.")
		return nil
	}
	m.pointer = pointer{given: !m.pointer.given}
	if m.pointer.given {
		m.front.tell("The terminal has the mouse now: select as you like; {mouse} takes it back.")
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
	m.front.tell("%s; shift and drag is the terminal's.", capitalised(text))
	return nil
}

// mouse routes what the mouse does. None of it answers a question.
func (m *Model) mouse(msg tea.MouseMsg, at time.Time) tea.Cmd {
	wants := m.config.Settings.Mouse
	if m.mouseMode() == tea.MouseModeNone {
		return nil // sent before the terminal had it
	}
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		if wants.Wheel {
			return m.wheel(msg)
		}
	case tea.MouseClickMsg:
		switch {
		case wants.Select && msg.Button == tea.MouseLeft && m.overText(msg.Y):
			m.press(msg, at)
		case wants.Click:
			return m.click(msg, at)
		}
	case tea.MouseMotionMsg:
		if m.pointer.held && msg.Button == tea.MouseLeft {
			return m.drag(msg.X, msg.Y)
		}
	case tea.MouseReleaseMsg:
		return m.released(at)
	}
	return nil
}

func (m *Model) wheel(w tea.MouseWheelMsg) tea.Cmd {
	n := wheelLines
	if w.Button == tea.MouseWheelUp {
		n = -n
	} else if w.Button != tea.MouseWheelDown {
		return nil
	}
	if m.overlay != nil {
		return m.overlaid(func(o overlay.Overlay) tea.Cmd { return o.Wheel(w.X, n) })
	}
	return m.front.scroll(n)
}

// click gives the focus to what was clicked on. On the timeline it folds and
// unfolds.
func (m *Model) click(c tea.MouseClickMsg, at time.Time) tea.Cmd {
	if m.overlay != nil && m.overlay.Cover() == overlay.OverAll {
		return m.overlaid(func(o overlay.Overlay) tea.Cmd { return o.Click(c) })
	}
	if c.Button != tea.MouseLeft {
		return nil
	}
	if card := m.layout.card; m.front.questions.Len() > 0 && c.Y >= card.y && c.Y < card.y+card.height {
		m.front.closeOverlays()
		m.front.turnToCard()
		m.front.questions.Focus(at)
		return nil
	}
	if m.front.questions.Len() > 0 {
		m.front.questions.Blur(at)
	}
	switch {
	case m.overlay == nil:
		m.clickBlock(c.Y)
	case m.overlay.Cover() == overlay.OverTimeline && c.Y < m.layout.timeline.y+m.layout.timeline.height:
		c.Y -= m.layout.timeline.y
		return m.overlaid(func(o overlay.Overlay) tea.Cmd { return o.Click(c) })
	}
	return nil
}

// clickBlock folds the block on a row of the screen, or unfolds it.
func (m *Model) clickBlock(y int) {
	m.pointer.did = false
	if !m.overText(y) {
		return
	}
	at, ok := m.front.pane.At(m.paneRow(y))
	if ok && at.Unit >= 0 && render.Foldable(m.front.pane.Timeline.At(at.Entry)) {
		m.front.pane.Toggle(at.Entry)
		m.pointer.folded, m.pointer.did = at, true
	}
}

// overText reports whether row y of the screen is the conversation's.
func (m *Model) overText(y int) bool {
	area := m.layout.timeline
	return !m.covered() && m.front.conversing() && y >= area.y && y < area.y+area.height
}

// paneRow is a row of the screen as one of the pane's.
func (m *Model) paneRow(y int) int {
	area := m.layout.timeline
	return y - area.y - (area.height - m.front.pane.Height)
}

// press begins a click or a drag. Again in the same place it selects the word
// there, then the line.
func (m *Model) press(c tea.MouseClickMsg, at time.Time) {
	before := m.pointer
	from, ok := m.front.pane.Mark(c.X, m.paneRow(c.Y))
	if !ok {
		return
	}
	m.pointer = pointer{held: true, x: c.X, y: c.Y, from: from, clicks: 1, at: at, cleared: m.front.pane.Selection.On, rolling: before.rolling}
	if c.X == before.x && c.Y == before.y && at.Sub(before.at) < clickTime && !before.dragged {
		m.pointer.clicks = before.clicks%3 + 1
	}
	m.front.pane.Deselect()
	if m.pointer.clicks == 2 && before.did {
		m.front.pane.Toggle(before.folded.Entry) // it was the first half of two
		if from, ok = m.front.pane.Mark(c.X, m.paneRow(c.Y)); ok {
			m.pointer.from = from
		}
	}
	switch m.pointer.clicks {
	case 2:
		m.front.pane.ChooseWord(m.pointer.from)
	case 3:
		m.front.pane.ChooseLine(m.pointer.from)
	}
}

// drag selects from where the button was pressed to where the mouse is. At the
// edge of the conversation it scrolls.
func (m *Model) drag(x, y int) tea.Cmd {
	p := &m.pointer
	if m.covered() || x == p.x && y == p.y && !p.dragged {
		return nil
	}
	p.dragged, p.x, p.y = true, x, y
	m.dragTo()
	return m.roll()
}

// dragTo selects as far as the mouse is.
func (m *Model) dragTo() {
	if to, ok := m.front.pane.Mark(m.pointer.x, min(m.paneRow(m.pointer.y), m.front.pane.Height)); ok {
		m.front.pane.Choose(m.pointer.from, to)
	}
}

// rollMsg is the time at which a drag at the edge scrolls.
type rollMsg time.Time

// edge is where a drag scrolls to: up, down, or nowhere.
func (m *Model) edge() int {
	switch row := m.paneRow(m.pointer.y); {
	case !m.pointer.held || !m.pointer.dragged || m.covered():
		return 0
	case row <= 0:
		return -1
	case row >= m.front.pane.Height:
		return 1
	}
	return 0
}

// roll keeps the timer going while a drag scrolls.
func (m *Model) roll() tea.Cmd {
	if m.pointer.rolling || m.edge() == 0 {
		return nil
	}
	m.pointer.rolling = true
	return m.after(rollTime, func(t time.Time) tea.Msg { return rollMsg(t) })
}

// rolled scrolls by a line.
func (m *Model) rolled(at time.Time) tea.Cmd {
	m.pass(at)
	m.pointer.rolling = false
	before := m.front.pane.Top
	if m.edge() == 0 {
		return nil
	}
	m.front.pane.Scroll(m.edge())
	m.dragTo()
	if m.front.pane.Top == before {
		return nil // nothing is beyond; the next move asks again
	}
	return m.roll()
}

// released ends a drag. What did not become one is a click.
func (m *Model) released(at time.Time) tea.Cmd {
	p := m.pointer
	m.pointer.held = false
	switch {
	case !p.held:
	case m.front.pane.Selection.On:
		m.front.tell("{cancel} copies what is selected; esc clears the selection.")
	case p.clicks == 1 && !p.cleared && !p.dragged && m.config.Settings.Mouse.Click:
		return m.click(tea.MouseClickMsg{X: p.x, Y: p.y, Button: tea.MouseLeft}, at)
	}
	return nil
}

// selecting takes a press while something is selected: esc selects nothing, and
// so does a key that types, which then does what it is for.
func (m *Model) selecting(name string, press tea.KeyPressMsg) (taken bool) {
	if !m.hasSelection() || name != "esc" && press.Text == "" {
		return false
	}
	m.front.pane.Deselect()
	return name == "esc"
}

// hasSelection reports whether text is selected that is on the screen.
func (m *Model) hasSelection() bool { return m.front.pane.Selecting() && !m.covered() }

// copySelection copies what is selected.
func (c *conversation) copySelection() tea.Cmd {
	text := c.pane.SelectedText()
	c.pane.Deselect()
	return c.copyText(text)
}
