package tui

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/render/text"
)

// View implements tea.Model. It returns what Update has drawn, and changes nothing: a card
// counts as drawn, and lists have their places, from the message on that the view follows.
func (m *Model) View() tea.View { return m.frame.built }

// draw draws the window if that is due.
func (m *Model) draw() { m.frame.draw(m.build, m.written()) }

// build draws the window. It does not ask for key releases: terminals in use
// (kitty 0.26) then send Enter, Tab and Backspace again on release. A held key
// is known by coming again within 400 ms (docs/decisions.md 2).
func (m *Model) build() tea.View {
	if m.win.Config.Lines {
		m.display.View.DrawCard()
		return tea.View{}
	}
	m.frame.width, m.frame.height = m.win.Width, m.display.Height()
	inline := m.display.View.Inline
	v := tea.View{
		AltScreen:   !inline,
		ReportFocus: true,
		WindowTitle: m.win.Front.Summary.Title(),
		ProgressBar: m.win.Front.Summary.Progress(),
	}
	switch {
	case !inline: // the terminal's own screen is scrolled and selected by the terminal
		v.MouseMode = m.display.Mouse.Mode()
	case m.inline.hidden:
		return v
	default:
		m.inline.write()
	}
	if m.win.Overlay != nil {
		m.win.Overlay.SetFacts(m.tabs.overlayFacts())
	}
	lines, cursor, full := m.display.Full()
	if !full {
		lines, cursor = m.display.View.Draw(m.tabs.view(m.win.Theme, m.win.Width, m.win.Height), m.recents.view)
		lines = append(lines, cmp.Or(m.display.Hints(), m.statusLine(m.display.View.Facts)))
	}
	v.Content, v.Cursor = strings.Join(lines, "\n"), cursor
	if m.win.Theme.Apart {
		v.Content = text.FirstOfEmoji(v.Content)
	}
	return v
}
