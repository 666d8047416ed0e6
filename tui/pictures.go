package tui

import (
	tea "charm.land/bubbletea/v2"

	"parley/terminal"
)

// askPictures asks a terminal that may show pictures which one it is.
func (m *Model) askPictures() tea.Cmd {
	if !m.config.Environment().MayShowPictures() {
		return nil
	}
	return tea.RequestTerminalVersion
}

// switchPictures follows the setting: the terminal is asked which one it is, or
// forgets the pictures that it has.
func (m *Model) switchPictures() tea.Cmd {
	if m.config.Environment().MayShowPictures() {
		return m.askPictures()
	}
	m.pictures.on = false
	if sequence := m.pictures.turn(nil); sequence != "" {
		return tea.Raw(sequence)
	}
	return nil
}

// pictured takes what was found out and made for pictures.
func (m *Model) pictured(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.TerminalVersionMsg:
		m.pictures.on = m.config.Environment().MayShowPictures() && terminal.ShowsPictures(msg.Name)
	case pictureMsg:
		return m.pictures.made(msg)
	case pictureSentMsg:
		m.pictures.sent(msg)
	}
	return nil
}

// showPictures sees to it that the terminal has what is in view.
func (m *Model) showPictures() tea.Cmd {
	if m.away {
		return nil
	}
	return m.pictures.show(&m.pane)
}
