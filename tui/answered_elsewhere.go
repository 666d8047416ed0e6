package tui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/tui/widget"
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
	ask, open := m.asked[ended.Resolves()].Body, m.questions.Len()
	cmd = m.event(ev)
	c, permission := ended.(session.PermissionCompleted)
	if m.questions.Len() == open || !slices.Contains(seen, ended.Resolves()) ||
		permission && c.Result.Kind == "cancelled" || !m.aborting.IsZero() {
		return cmd, ""
	}
	const width = 60
	return cmd, "Answered elsewhere: " + m.cut(topic(ask), width)
}

// topic is what a question is about, in one line.
func topic(ask session.Body) string {
	switch a := ask.(type) {
	case session.PermissionRequested:
		return permissionTopic(a)
	case session.UserInputRequested:
		return cmp.Or(widget.FirstLine(a.Question), "a question")
	case session.ElicitationRequested:
		return cmp.Or(widget.FirstLine(a.Message), "a form")
	case session.ExitPlanModeRequested:
		return "the plan"
	case session.FolderTrustRequested:
		return "trust in " + a.Folder
	case session.ConfirmationRequested:
		return cmp.Or(widget.FirstLine(a.Title), widget.FirstLine(a.Message), "a confirmation")
	case session.McpOAuthRequired:
		return "signing in to " + a.ServerName
	}
	return "a question"
}

// permissionTopic is what the agent wanted to do.
func permissionTopic(a session.PermissionRequested) string {
	r := a.PermissionRequest
	p := session.PromptRequest{}
	if a.PromptRequest != nil {
		p = *a.PromptRequest
	}
	return cmp.Or(
		widget.FirstLine(cmp.Or(r.FullCommandText, p.FullCommandText)),
		cmp.Or(r.FileName, p.FileName), cmp.Or(r.URL, p.URL), cmp.Or(r.Path, p.Path),
		cmp.Or(r.ToolTitle, p.ToolTitle), cmp.Or(r.ToolName, p.ToolName),
		widget.FirstLine(r.Intention), "a permission",
	)
}
