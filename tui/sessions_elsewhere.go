package tui

import (
	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/session"
)

// readSession opens a past session to read.
func (m *Model) readSession(id session.ID) tea.Cmd {
	m.tell("Reading %s", m.cut(string(id), m.width/2))
	return nil
}

// exportStored writes a past session to a file.
func (m *Model) exportStored(s sessions.Session) tea.Cmd {
	m.tell("Exporting %s", m.cut(string(s.ID), m.width/2))
	return nil
}
