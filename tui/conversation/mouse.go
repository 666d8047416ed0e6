package conversation

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
	win     *Window
	layout  *layout // of the screen that the user sees
	Pointer Pointer
}

// forget drops a press that has not ended, and what it began.
func (m *mouse) forget() {
	m.Pointer = Pointer{given: m.Pointer.given, rolling: m.Pointer.rolling}
}

// Pointer is what the mouse does over the conversation: it clicks and drags.
type Pointer struct {
	given   bool            // the terminal has the mouse, whatever the settings say
	Held    bool            // the left button was pressed over the conversation
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
	return textArea{&m.win.Front.Pane, m.layout.Timeline, m.win.covered() || !m.win.Front.conversing()}
}

// holds reports whether row y of the screen is in the area.
func (a textArea) holds(y int) bool { return !a.covered && y >= a.rows.Y && y < a.rows.Y+a.rows.Height }

// row is a row of the screen as one of the pane's.
func (a textArea) row(y int) int { return y - a.rows.Y - (a.rows.Height - a.pane.Height) }

const (
	// wheelLines is how far one notch of the wheel scrolls.
	wheelLines = 3
	// clickTime is how soon after another a press belongs to it.
	clickTime = 400 * time.Millisecond
	// rollTime is how long a line stays while a drag beyond the edge scrolls.
	rollTime = 40 * time.Millisecond
)

// Mode is how much of the mouse the window wants. Moves are reported only while
// a button is down.
func (m *mouse) Mode() tea.MouseMode {
	if m.Pointer.given || m.win.Config.Settings.Mouse == (settings.Mouse{}) || m.win.mouseHoldsEscape() {
		return tea.MouseModeNone
	}
	return tea.MouseModeCellMotion
}

// Toggle gives the mouse to the terminal, to select with, or takes it back.
func (m *mouse) Toggle(string) tea.Cmd {
	wants := m.win.Config.Settings.Mouse
	if wants == (settings.Mouse{}) {
		return m.win.Front.ShowHint("The settings leave the mouse to the terminal: mouse.wheel, mouse.click, mouse.select.")
	}
	if m.win.mouseHoldsEscape() {
		return m.win.Front.ShowHint("GNU screen keeps Escape back while a program has the mouse, so the terminal has it.")
	}
	m.Pointer = Pointer{given: !m.Pointer.given}
	if m.Pointer.given {
		return m.win.Front.ShowHint("The terminal has the mouse now: select as you like; {mouse} takes it back.")
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
	return m.win.Front.ShowHint("%s; shift and drag is the terminal's.", widget.Capitalised(text))
}

// mouse routes what the mouse does. None of it answers a question.
func (m *mouse) take(msg tea.MouseMsg, at time.Time) tea.Cmd {
	wants := m.win.Config.Settings.Mouse
	if m.Mode() == tea.MouseModeNone {
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
			m.Pointer.press(m.area(), msg, at)
		case wants.Click:
			return m.click(msg, at)
		}
	case tea.MouseMotionMsg:
		if m.Pointer.Held && msg.Button == tea.MouseLeft {
			m.Pointer.drag(m.area(), msg.X, msg.Y)
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
	if m.win.Overlay != nil {
		return m.win.Overlay.Wheel(w.X, n)
	}
	if card := m.layout.Card; w.Y >= card.Y && w.Y < card.Y+card.Height && m.win.Front.Questions.Scroll(n) {
		return nil
	}
	m.win.Front.Pane.Scroll(n)
	return nil
}

// click gives the focus to what was clicked on. On the timeline it folds and
// unfolds.
func (m *mouse) click(c tea.MouseClickMsg, at time.Time) tea.Cmd {
	if m.win.Overlay != nil && m.win.Overlay.Cover() == overlay.OverAll {
		return m.win.Overlay.Click(c)
	}
	if c.Button != tea.MouseLeft {
		return nil
	}
	if c.Y < m.layout.tabs.Height {
		return m.win.Front.request(ClickTab{c.X})
	}
	if card := m.layout.Card; m.win.Front.Questions.Len() > 0 && c.Y >= card.Y && c.Y < card.Y+card.Height {
		m.win.Front.CloseOverlays()
		m.win.Front.Blocks.Do(m.win.Front.Nav.TurnAway())
		m.win.Front.Questions.Focus(at)
		return nil
	}
	if m.win.Front.Questions.Len() > 0 {
		m.win.Front.Questions.Blur(at)
	}
	switch {
	case m.win.Overlay == nil:
		m.Pointer.click(m.area(), c.Y)
	case m.win.Overlay.Cover() == overlay.OverTimeline && c.Y < m.layout.Timeline.Y+m.layout.Timeline.Height:
		c.Y -= m.layout.Timeline.Y
		return m.win.Overlay.Click(c)
	}
	return nil
}

// click folds the block on a row of the screen, or unfolds it.
func (p *Pointer) click(a textArea, y int) {
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
func (p *Pointer) press(a textArea, c tea.MouseClickMsg, at time.Time) {
	before := *p
	from, ok := a.pane.Mark(c.X, a.row(c.Y))
	if !ok {
		return
	}
	*p = Pointer{Held: true, x: c.X, y: c.Y, from: from, clicks: 1, at: at, cleared: a.pane.Selection.On, rolling: before.rolling}
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
func (p *Pointer) drag(a textArea, x, y int) {
	if a.covered || x == p.x && y == p.y && !p.dragged {
		return
	}
	p.dragged, p.x, p.y = true, x, y
	p.choose(a)
}

// choose selects as far as the mouse is.
func (p *Pointer) choose(a textArea) {
	if to, ok := a.pane.Mark(p.x, min(a.row(p.y), a.pane.Height)); ok {
		a.pane.Choose(p.from, to)
	}
}

// edge is where a drag beyond the area scrolls to: up, down, or nowhere.
func (p *Pointer) edge(a textArea) int {
	switch row := a.row(p.y); {
	case !p.Held || !p.dragged || a.covered:
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
func (p *Pointer) scroll(a textArea) bool {
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
	if m.Pointer.rolling || m.Pointer.edge(m.area()) == 0 {
		return nil
	}
	m.Pointer.rolling = true
	return m.win.After(rollTime, func(t time.Time) tea.Msg { return rollMsg(t) })
}

// rolled scrolls by a line. If nothing is beyond, the next move asks again.
func (m *mouse) rolled(at time.Time) tea.Cmd {
	m.win.Pass(at)
	m.Pointer.rolling = false
	if !m.Pointer.scroll(m.area()) {
		return nil
	}
	return m.roll()
}

// released ends a drag. What did not become one is a click.
func (m *mouse) release(at time.Time) tea.Cmd {
	p := m.Pointer
	m.Pointer.Held = false
	switch {
	case !p.Held:
	case m.win.Front.Pane.Selection.On:
		m.win.Front.ShowHint("{cancel} copies what is selected; esc clears the selection.")
	case p.clicks == 1 && !p.cleared && !p.dragged && m.win.Config.Settings.Mouse.Click:
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
	m.win.Front.Pane.Deselect()
	return name == "esc"
}

// hasSelection reports whether text is selected that is on the screen.
func (m *mouse) hasSelection() bool { return m.win.Front.Pane.Selecting() && !m.win.covered() }
