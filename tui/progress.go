package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/render"
)

// progressTime is how many seconds the same progress stands before it is told
// again: a terminal may hide it after 15 (ghostty.org/docs/vt/osc/conemu).
const progressTime = 10

// progress is what the terminal shows in its tab or task bar: that a turn runs,
// or that it waits for the user. Bubble Tea takes it away when the window ends
// or is suspended.
func (c *conversation) progress() *tea.ProgressBar {
	if !c.win.config.Environment().ShowsProgress() {
		return nil
	}
	// A value that is another one is told anew; where it runs it is not shown.
	again := int(c.win.now.Unix() / progressTime % 2)
	switch {
	case c.questions.Len() > 0:
		return tea.NewProgressBar(tea.ProgressBarWarning, 100-again)
	case c.opening || c.busy():
		return tea.NewProgressBar(tea.ProgressBarIndeterminate, again)
	}
	return nil
}

// still reports whether nothing on the screen may change by itself, as time
// passes.
func (w *windowState) still() bool { return w.config.Settings.Motion == "none" }

// times is how an entry tells when it came.
func (c Config) times() render.Times {
	if times, ok := render.TimesNamed(c.Settings.Times); ok {
		return times
	}
	return render.TimesClock
}

// ageMsg comes once a minute where times tell how long ago something was.
type ageMsg time.Time

// age keeps the timer for these going.
func (m *Model) age() tea.Cmd {
	clock := m.status.Shows("clock")
	if m.timers.age || m.win.still() || m.front.pane.Opts.Times != render.TimesAgo && !clock {
		return nil
	}
	m.timers.age = true
	wait := time.Minute
	if clock { // at the minute
		wait = m.win.now.Truncate(wait).Add(wait).Sub(m.win.now)
	}
	return m.win.after(wait, func(t time.Time) tea.Msg { return ageMsg(t) })
}

// density is how much of the conversation is shown at first.
func (c Config) density() render.Density {
	for _, d := range []render.Density{render.Compact, render.Verbose} {
		if c.Settings.Density == d.String() {
			return d
		}
	}
	return render.Normal
}
