package conversation

import (
	tea "charm.land/bubbletea/v2"

	"parley/tui/widget"
)

// progressTime is how many seconds the same progress stands before it is written
// again: a terminal may hide it after 15 (ghostty.org/docs/vt/osc/conemu).
const progressTime = 10

// Progress is what the terminal shows in its tab or task bar: that a turn runs,
// or that it waits for the user. Bubble Tea takes it away when the window ends
// or is suspended.
func (c *sessionSummary) Progress() *tea.ProgressBar {
	if !c.win.Config.Environment().ShowsProgress() {
		return nil
	}
	// A value that is another one is written again; where it runs it is not shown.
	again := int(c.win.Now.Unix() / progressTime % 2)
	switch {
	case c.Questions.Len() > 0:
		return tea.NewProgressBar(tea.ProgressBarWarning, 100-again)
	case c.Opening || c.Busy():
		return tea.NewProgressBar(tea.ProgressBarIndeterminate, again)
	}
	return nil
}

// Title is the terminal window's.
func (c *sessionSummary) Title() string {
	if !c.win.Config.Settings.Terminal.Title {
		return ""
	}
	name := c.shownTitle()
	if name == "" {
		name = widget.Base(c.Info.Dir)
	}
	title := "parley"
	if name != "" {
		title = c.win.Cut(name, 60) + c.win.Dot() + title
	}
	if c.Questions.Len() > 0 {
		title = "? " + title
	}
	return title
}
