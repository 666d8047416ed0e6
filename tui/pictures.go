package tui

import (
	tea "charm.land/bubbletea/v2"

	"parley/terminal"
	"parley/tui/transcript"
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
	m.pictures.On = false
	if sequence := m.pictures.Turn(nil); sequence != "" {
		return tea.Raw(sequence)
	}
	return nil
}

// pictured takes what was found out and made for pictures.
func (m *Model) pictured(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.TerminalVersionMsg:
		m.pictures.On = m.config.Environment().MayShowPictures() && terminal.ShowsPictures(msg.Name)
	case transcript.PictureMsg:
		return m.pictures.Made(msg)
	case transcript.PictureSentMsg:
		m.pictures.Sent(msg)
	}
	return nil
}

// showPictures sees to it that the terminal has what is in view.
func (m *Model) showPictures() tea.Cmd {
	if m.away {
		return nil
	}
	return m.pictures.Show(&m.pane)
}
