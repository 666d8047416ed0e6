package tui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"parley/history/sessions"
	"parley/session"
	"parley/tui/widget"
)

// foreign reports whether the agent of this window cannot go on with a session,
// because another keeps it.
func (m *Model) foreign(s sessions.Session) bool { return foreign(s, m.config.Keeper) }

// foreign reports whether another than a keeper keeps a session; "" keeps any.
func foreign(s sessions.Session, keeper string) bool {
	return s.Keeper != "" && keeper != "" && s.Keeper != keeper
}

// goOnWith is the command that goes on with a session of this window's agent.
func (m *Model) goOnWith(id session.ID) string { return sessions.GoOn(id, m.config.AgentFlags...) }

// tellForeign says how to go on with the session that is read, which another agent
// keeps.
func (m *Model) tellForeign() tea.Cmd {
	who := cmp.Or(widget.FirstLine(m.readOnly.Agent), "a chat agent")
	if m.readOnly.Keeper == sessions.KeptByCopilot {
		who = "the Copilot CLI"
	}
	m.toEnd()
	m.say(session.SessionInfo{
		Message: "In this session " + who + " answers, not " + m.config.AgentName + ". To go on with it: " +
			widget.FirstLine(m.readOnly.GoOn()),
	})
	return nil
}
