package conversation

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/tui/transcript"
)

// LookAway notes that the user looks at something else than the window.
func (c *Conversation) LookAway(at time.Time) {
	c.win.Focused = false
	c.Nav.LookAway()
	c.Questions.WindowFocus(false, at)
}

// ShowLike shows the conversation as another one is shown.
func (c *Conversation) ShowLike(other *Conversation) {
	c.Pane = transcript.Pane{Density: other.Pane.Density, Opts: other.Pane.Opts}
	c.Reset()
}

// LeaveScreen makes way for another conversation: what lies over this one closes, and its
// question waits without the focus. It does what keys that were held back ask for.
func (c *Conversation) LeaveScreen() tea.Cmd {
	c.Questions.Blur(c.win.Now)
	typed := c.Outcome(c.Questions.Tick(c.win.Now))
	c.CloseOverlays()
	c.Armed = Armed{}
	c.Nav.LookAway()
	return typed
}

// EnterScreen follows that the conversation is on the screen now. Its question must be
// painted, and listens no sooner.
func (c *Conversation) EnterScreen() {
	c.News = false
	if width := max(1, c.win.Width-1); width != c.Pane.Opts.Width {
		c.Pane.Deselect()
		c.Pane.Opts.Width = width
	}
	c.Pane.Opts.Theme = c.win.Theme
	c.Questions.Sized(c.win.Width, c.win.Height, c.win.Now)
	c.Questions.WindowFocus(c.win.Focused, c.win.Now)
	c.Blocks.Do(c.Nav.LookBack())
}
