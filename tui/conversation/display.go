package conversation

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/tui/overlay"
	"parley/tui/transcript"
)

// Display is the conversation on the screen with what lies over it: how they are drawn,
// and what keys, the mouse and time do to them.
type Display struct {
	win      *Window
	keyboard keyboard
	Mouse    mouse
	Timers   timers
	View     view
	height   int // of the terminal
}

// NewDisplay returns the display of a window.
func NewDisplay(w *Window) *Display {
	d := &Display{win: w, Timers: timers{win: w}, View: view{win: w}}
	d.Mouse = mouse{win: w, layout: &d.View.Layout}
	d.keyboard = keyboard{win: w, mouse: &d.Mouse}
	return d
}

// Input takes what the user did.
func (d *Display) Input(msg InputMsg) tea.Cmd {
	c := d.win.Front
	if msg.Late {
		c.Questions.Elsewhere(d.win.Now)
	}
	switch in := msg.Msg.(type) {
	case tea.KeyPressMsg:
		return d.keyboard.press(in, msg.At)
	case tea.KeyReleaseMsg:
		return c.Outcome(c.Questions.Key(in, msg.At))
	case tea.PasteMsg:
		return d.keyboard.paste(in, msg.At)
	case tea.MouseMsg:
		return d.Mouse.take(in, msg.At)
	case tea.BlurMsg:
		c.LookAway(msg.At)
	case tea.CursorPositionMsg:
		c.Painting.answered(c.Questions, msg.At)
	}
	return nil
}

// Receive takes the message of a timer.
func (d *Display) Receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case TickMsg:
		d.Timers.animating = false
		d.win.Pass(time.Time(msg))
		d.win.Spin.turn()
		if d.win.Front.Tasks.watching() {
			d.win.Front.RefreshList()
			return d.win.Front.Tasks.readTasks()
		}
	case whichMsg:
		d.win.Pass(time.Time(msg))
	case AgeMsg:
		d.Timers.ageing = false
		d.win.Pass(time.Time(msg))
	case rollMsg:
		return d.Mouse.rolled(time.Time(msg))
	case PaintMsg:
		return d.win.Front.Painting.painted(msg, d.win, d.win.Front.Questions)
	case WakeMsg:
		d.win.Pass(time.Time(msg))
		d.Timers.Waking = time.Time{}
		return d.win.Front.Outcome(d.win.Front.Questions.Tick(d.win.Now))
	}
	return nil
}

// FollowCard starts to follow the card of a question to the terminal, where another is open.
func (d *Display) FollowCard() tea.Cmd {
	return d.win.Front.Painting.follow(d.win, d.win.Front.Questions)
}

// Switched follows that another conversation is on the screen: what was begun with the one
// before ends.
func (d *Display) Switched() {
	d.Mouse.forget()
	d.Timers.Waking = time.Time{}
}

// Cancel undoes the nearest thing that can be undone, and reports whether there was one.
func (d *Display) Cancel() (cmd tea.Cmd, done bool) {
	c := d.win.Front
	switch f := c.focus(); {
	case d.Mouse.hasSelection():
		return c.Blocks.Do(c.Nav.CopySelection()), true
	case f == overlaid:
		return closeOverlay(c.core), true
	case f == answering:
		c.Questions.Blur(d.win.Now)
		switch {
		case !c.Composer.Empty():
			c.ShowHint("The question waits. {cancel} again clears the draft.")
		case c.Busy():
			c.ShowHint("The question waits. {cancel} again interrupts the agent.")
		default:
			c.ShowHint("The question waits. {cancel} twice quits.")
		}
	case f == searching || f == browsing || c.Nav.Beneath():
		return c.Blocks.Do(c.Nav.Leave()), true
	case !c.Composer.Empty():
		c.Draft.putAway("cleared")
		c.ShowHint("Draft cleared; {undo.undo} or {stash} restores it.")
	case c.shell.stopShells():
	case c.Busy():
		return c.Input.Interrupt(), true
	default:
		return nil, false
	}
	return nil, true
}

// Resize takes the size of the terminal.
func (d *Display) Resize(width, height int) {
	if d.win.Width != width {
		d.win.Front.Pane.Deselect() // lines are others now
	}
	d.win.Width, d.height = width, height
	d.Fit()
	d.win.Front.Pane.Opts.Width = max(1, width-1) // a column of air at the right edge
	d.win.Front.Questions.Sized(width, height, d.win.Now)
}

// Fit gives the window its height: the terminal's, or, while it is below what the terminal has, half of that.
func (d *Display) Fit() {
	d.win.Height = d.height
	if d.View.Inline {
		d.win.Height = min(d.height, max(tooSmallHeight, d.height/2))
	}
}

// Height is that of the terminal.
func (d *Display) Height() int { return d.height }

// Inline reports whether the window is below what the terminal has: what is not the end of the conversation
// takes the whole screen.
func (d *Display) Inline() bool {
	if !d.win.Config.Inline {
		return false
	}
	c, o := d.win.Front, d.win.Overlay
	switch f := c.focus(); {
	case o != nil && o.Cover() != overlay.AboveDraft, f == browsing, f == searching, c.Questions.Full():
		return false
	case c.ReadOnly != nil, c.Pane.Agent != nil, c.Pane.Expanded, !c.Pane.Follow:
		return false
	}
	return true
}

// Whole has the keys find the conversation as the whole screen would show it, for what takes that.
func (d *Display) Whole() {
	p := &d.win.Front.Pane
	p.Floor, p.Height = transcript.Spot{}, max(1, d.height-aroundTimeline)
}

// aroundTimeline is how many lines the least of what is around the timeline takes: the rule, the composer and the
// status line.
const aroundTimeline = 3

// Full draws what takes the whole screen, where something does: no question is on it then.
func (d *Display) Full() (lines []string, cursor *tea.Cursor, ok bool) {
	w := d.win
	switch {
	case w.Width < tooSmallWidth || w.Height < tooSmallHeight:
		return tooSmall(w.Width, w.Height), nil, true
	case w.Overlay != nil && w.Overlay.Cover() == overlay.OverAll:
		lines, cursor = w.Overlay.View(w.Width, w.Height)
		return lines, cursor, true
	}
	return nil, nil, false
}

// Hints are what the keys do while the timeline has them; "" if it has not, or if a hint is
// shown in their place.
func (d *Display) Hints() string {
	switch f := d.win.Front.focus(); {
	case d.win.Front.Hinted() != "":
	case f == browsing:
		return d.win.timelineHints(d.win.Front.Nav.BlockHints())
	case f == searching:
		return d.win.timelineHints("", d.win.Front.Nav.SearchHints())
	}
	return ""
}
