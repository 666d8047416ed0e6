package timeline

import "parley/session"

// isIgnored reports whether a kind changes nothing in the timeline and its status,
// by decision: what it reports is shown elsewhere, or nowhere, or is only a hint
// to read something again. Each group says where a user finds it.
func isIgnored(b session.Body) bool {
	switch b.(type) {
	// Signs of life: the text that streams and the abort that ends it show it.
	case session.AssistantStreamingDelta, session.AgentInterrupted:
		return true

	// The runtime's own books: what clients can show is no matter of the
	// conversation, and a skill's own line has its text, so that a reference to
	// it says no more.
	case session.CapabilitiesChanged, session.SkillContextDeliveredRef:
		return true

	// Hints to read a list again, which its panel does: the queue, the tasks,
	// the todos, the tools and prompts of servers, the commands.
	case session.PendingMessagesModified, session.SessionBackgroundTasksChanged, session.SessionTodosChanged,
		session.McpToolsListChanged, session.McpResourcesListChanged,
		session.McpPromptsListChanged, session.CommandsChanged:
		return true

	// Questions that have no dialog: whoever refuses them says so.
	case session.SamplingRequested, session.SamplingCompleted, session.McpHeadersRefreshRequired,
		session.McpHeadersRefreshCompleted, session.CommandExecute, session.CommandCompleted:
		return true

	// The answer to a side question: the panel that asked
	// shows it, and it leaves no trace.
	case session.UiEphemeralQuery:
		return true
	}
	return false
}
