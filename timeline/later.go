package timeline

import "parley/session"

// later reports whether a kind has no place in the timeline by decision: it is
// an administrative detail, or what it tells is shown elsewhere, or its place
// is one that this timeline does not have yet.
func later(b session.Body) bool {
	switch b.(type) {
	// The prompt that the model gets is shown by the inspector of its context.
	case session.SystemMessage, session.SkillContextDelivered, session.SkillContextDeliveredRef,
		session.SessionModeNoticeDelivered, session.SessionBinaryAsset:
		return true

	// Signs of life and bookkeeping; the entries tell the same.
	case session.AssistantStreamingDelta, session.AssistantServerToolProgress, session.AssistantUsage,
		session.AgentInterrupted, session.SessionUsageCheckpoint, session.SessionUsageRecord,
		session.SessionSessionLimitsChanged, session.SessionRemoteSteerableChanged,
		session.SessionAutoTierSwitchFailed, session.CapabilitiesChanged, session.SessionPermissionRecovery,
		session.PermissionCarriedForward:
		return true

	// Hints to read something again: the queue, the tasks, the todos, a list.
	case session.PendingMessagesModified, session.SessionBackgroundTasksChanged, session.SessionTodosChanged,
		session.SessionToolsUpdated, session.SessionSkillsLoaded, session.SessionCustomAgentsUpdated,
		session.SessionExtensionsLoaded, session.SessionMcpServersLoaded, session.SessionMcpServerToolsLoaded,
		session.SessionMcpServerRemoved, session.McpToolsListChanged, session.McpResourcesListChanged,
		session.McpPromptsListChanged, session.CommandsChanged, session.SessionWorkspaceFileChanged,
		session.SessionScheduleRearmed, session.ToolSearchActivated:
		return true

	// Questions that have no dialog: whoever refuses them says so.
	case session.SamplingRequested, session.SamplingCompleted,
		session.McpOAuthRequired, session.McpOAuthCompleted, session.McpOAuthRecoveryCompleted,
		session.McpHeadersRefreshRequired, session.McpHeadersRefreshCompleted,
		session.AutoModeSwitchRequested, session.AutoModeSwitchCompleted,
		session.SessionLimitsExhaustedRequested, session.SessionLimitsExhaustedCompleted,
		session.CommandQueued, session.CommandExecute, session.CommandCompleted,
		session.ExternalToolCompleted:
		return true

	// Features with a place of their own: side questions, goals, workflows,
	// hooks at work, custom notifications, sub-agents in detail.
	case session.UiEphemeralQuery, session.SessionAutopilotObjectiveChanged,
		session.WorkflowRunStarted, session.WorkflowRunUpdated, session.WorkflowRunSettled,
		session.HookStart, session.HookProgress, session.SessionCustomNotification,
		session.SessionManagedPluginProgress, session.McpAppToolCallComplete,
		session.SubagentConfigured, session.SessionHandoff:
		return true
	}
	return false
}
