package tui

import (
	tea "charm.land/bubbletea/v2"

	"parley/terminal"
	"parley/tui/transcript"
)

// askPictures asks a terminal that may show pictures which one it is.
func (sh *shared) askPictures() tea.Cmd {
	if !sh.config.Environment().MayShowPictures() {
		return nil
	}
	return tea.RequestTerminalVersion
}

// switchPictures follows the setting: the terminal is asked which one it is, or
// forgets the pictures that it has.
func (sh *shared) switchPictures() tea.Cmd {
	if sh.config.Environment().MayShowPictures() {
		return sh.askPictures()
	}
	sh.pictures.On = false
	if sequence := sh.pictures.Turn(nil); sequence != "" {
		return tea.Raw(sequence)
	}
	return nil
}

// pictured takes what was found out and made for pictures.
func (sh *shared) pictured(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.TerminalVersionMsg:
		sh.pictures.On = sh.config.Environment().MayShowPictures() && terminal.ShowsPictures(msg.Name)
	case transcript.PictureMsg:
		return sh.pictures.Made(msg)
	case transcript.PictureSentMsg:
		sh.pictures.Sent(msg)
	}
	return nil
}

// showPictures sees to it that the terminal has what is in view.
func (m *Model) showPictures() tea.Cmd {
	if m.away {
		return nil
	}
	return m.win.pictures.Show(&m.front.pane)
}
