package tui

import (
	tea "charm.land/bubbletea/v2"

	"parley/terminal"
	"parley/tui/transcript"
)

// askPictures asks a terminal that may show pictures which one it is.
func (w *windowState) askPictures() tea.Cmd {
	if !w.config.Environment().MayShowPictures() {
		return nil
	}
	return tea.RequestTerminalVersion
}

// switchPictures follows the setting: the terminal is asked which one it is, or
// forgets the pictures that it has.
func (w *windowState) switchPictures() tea.Cmd {
	if w.config.Environment().MayShowPictures() {
		return w.askPictures()
	}
	w.pictures.On = false
	if sequence := w.pictures.Turn(nil); sequence != "" {
		return tea.Raw(sequence)
	}
	return nil
}

// pictured takes what was found out and made for pictures.
func (w *windowState) pictured(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.TerminalVersionMsg:
		w.pictures.On = w.config.Environment().MayShowPictures() && terminal.ShowsPictures(msg.Name)
	case transcript.PictureMsg:
		return w.pictures.Made(msg)
	case transcript.PictureSentMsg:
		w.pictures.Sent(msg)
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
