package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/prompts"
	"parley/session"
)

// follow folds one event, and says so when it ends an open question that
// another client answered: an answer of this window closes its card at once. A
// question that was withdrawn, or that an interrupt of this window ends, was
// answered by nobody, and one that is not among those that could be seen is no
// news.
func (m *conversation) follow(ev session.Event, seen []session.RequestID) (cmd tea.Cmd, elsewhere string) {
	ended, ok := ev.Body.(session.Resolved)
	if !ok {
		return m.event(ev), ""
	}
	ask, _ := m.asked[ended.Resolves()].Body.(session.Ask)
	open := m.questions.Len()
	cmd = m.event(ev)
	c, permission := ended.(session.PermissionCompleted)
	if m.questions.Len() == open || !slices.Contains(seen, ended.Resolves()) ||
		permission && c.Result.Kind == "cancelled" || !m.aborting.IsZero() {
		return cmd, ""
	}
	const width = 60
	return cmd, "Answered elsewhere: " + m.cut(prompts.Topic(ask), width)
}
