package tui

import (
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/render"
)

// showsProgress reports whether the terminal is known to show progress in its
// tab or task bar (OSC 9;4; conemu.github.io/en/AnsiEscapeCodes.html). Others
// take it for a notification, and a multiplexer does not pass it on.
func (c Config) showsProgress() bool {
	program, version := c.env("TERM_PROGRAM"), c.env("TERM_PROGRAM_VERSION")
	vte, _ := strconv.Atoi(c.env("VTE_VERSION"))
	switch {
	case !c.Settings.Terminal.Progress || c.multiplexer() != "":
		return false
	case c.env("WT_SESSION") != "" || c.env("ConEmuANSI") == "ON":
		return true
	case program == "ghostty" || c.env("TERM") == "xterm-ghostty":
		return true
	case program == "WezTerm":
		return version >= "20250101" // dates; the release of 2024 shows a notification
	case program == "iTerm.app":
		return since(version, 3, 6, 6)
	case c.env("LC_TERMINAL") == "iTerm2":
		return since(c.env("LC_TERMINAL_VERSION"), 3, 6, 6)
	}
	return vte >= 7900
}

// since reports whether a version such as "3.6.6" is at least another one.
func since(version string, least ...int) bool {
	parts := strings.Split(version, ".")
	for i, n := range least {
		have := 0
		if i < len(parts) {
			digits, _, _ := strings.Cut(parts[i], "-")
			var err error
			if have, err = strconv.Atoi(digits); err != nil {
				return false
			}
		}
		if have != n {
			return have > n
		}
	}
	return true
}

// progressTime is how many seconds the same progress stands before it is told
// again: a terminal may hide it after 15 (ghostty.org/docs/vt/osc/conemu).
const progressTime = 10

// progress is what the terminal shows in its tab or task bar: that a turn runs,
// or that it waits for the user. Bubble Tea takes it away when the window ends
// or is suspended.
func (m *Model) progress() *tea.ProgressBar {
	if !m.config.showsProgress() {
		return nil
	}
	// A value that is another one is told anew; where it runs it is not shown.
	again := int(m.now.Unix() / progressTime % 2)
	switch {
	case m.questions.Len() > 0:
		return tea.NewProgressBar(tea.ProgressBarWarning, 100-again)
	case m.opening || m.busy():
		return tea.NewProgressBar(tea.ProgressBarIndeterminate, again)
	}
	return nil
}

// still reports whether nothing on the screen may change by itself, as time
// passes.
func (m *Model) still() bool { return m.config.Settings.Motion == "none" }

// times is how an entry tells when it came.
func (c Config) times() render.Times {
	switch c.Settings.Times {
	case "off":
		return render.TimesOff
	case "ago":
		return render.TimesAgo
	case "full":
		return render.TimesFull
	}
	return render.TimesClock
}

// ageMsg comes once a minute where times tell how long ago something was.
type ageMsg time.Time

// age keeps the timer for these going.
func (m *Model) age() tea.Cmd {
	clock := m.status.shows("clock")
	if m.aging || m.still() || m.pane.opts.Times != render.TimesAgo && !clock {
		return nil
	}
	m.aging = true
	wait := time.Minute
	if clock { // at the minute
		wait = m.now.Truncate(wait).Add(wait).Sub(m.now)
	}
	return m.after(wait, func(t time.Time) tea.Msg { return ageMsg(t) })
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
