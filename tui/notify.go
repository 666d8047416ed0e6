package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/terminal"
	"parley/tui/conversation"
)

// notify shows a notification, if the user looks elsewhere as far as the terminal
// reports, or another program has the terminal. There the bell rings too: a
// terminal whose window has the focus may show no notification. It never answers
// anything.
func (m *Model) notify(c *conversation.Conversation, n conversation.Notification) tea.Cmd {
	if m.win.Focused {
		return nil
	}
	title := "parley: " + c.Summary.Name()
	env := m.win.Config.Environment()
	sequence := terminal.Notification(env.Channel(terminal.Channel(n.Channel)), env.Multiplexer(), string(c.Info.ID), title, n.Text)
	if sequence == "" {
		return nil
	}
	if m.away {
		ring := m.win.Ring
		return func() tea.Msg {
			ring(strings.TrimPrefix(sequence, terminal.BellCharacter) + terminal.BellCharacter)
			return nil
		}
	}
	return tea.Raw(sequence)
}
