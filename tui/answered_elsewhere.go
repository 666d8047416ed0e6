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
func (c *conversation) follow(ev session.Event, seen []session.RequestID) (cmd tea.Cmd, elsewhere string) {
	ended, ok := ev.Body.(session.Resolved)
	if !ok {
		return c.event(ev), ""
	}
	ask, _ := c.answers.asked[ended.Resolves()].Body.(session.Ask)
	open := c.questions.Len()
	cmd = c.event(ev)
	completed, permission := ended.(session.PermissionCompleted)
	if c.questions.Len() == open || !slices.Contains(seen, ended.Resolves()) ||
		permission && completed.Result.Kind == "cancelled" || !c.aborting.IsZero() {
		return cmd, ""
	}
	const width = 60
	return cmd, "Answered elsewhere: " + c.win.cut(prompts.Topic(ask), width)
}
