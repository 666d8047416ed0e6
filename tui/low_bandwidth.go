package tui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// measured takes how long the terminal takes to answer.
func (m *Model) measured(roundTrip time.Duration) tea.Cmd {
	if m.win.LowBandwidth() && !m.frame.low {
		off := "/settings terminal.low_bandwidth off turns it off."
		if m.win.Config.Prefer == nil {
			off = "parley --low-bandwidth=off starts without it."
		}
		m.win.Front.AddNotice(session.SessionInfo{Message: fmt.Sprintf("The terminal takes %d ms to answer, so low-bandwidth mode is on: "+
			"fewer frames, no animation, no images. %s", roundTrip.Milliseconds(), off)})
	}
	return m.spare()
}

// spare has the terminal spared from now on, or not any more, if that has changed. What the
// window does by itself asks Window.LowBandwidth each time.
func (m *Model) spare() tea.Cmd {
	if m.frame.low == m.win.LowBandwidth() {
		return nil
	}
	m.frame.low = !m.frame.low
	e := m.win.Environment()
	return tea.Batch(m.appearance.SetPreferences(looks(m.win)), m.win.Images.Switch(e.MayShowImages()),
		func() tea.Msg { return tea.ColorProfileMsg{Profile: e.Colours()} })
}
