package modelview

import "parley/session"

// isUnseen reports whether the model never sees what a kind reports, by decision.
// Each group says why.
func isUnseen(b session.Body) bool {
	switch b.(type) {
	// Pieces of what comes whole later, and the counting of them.
	case session.AssistantMessageStart, session.AssistantMessageDelta, session.AssistantReasoning,
		session.AssistantReasoningDelta, session.AssistantStreamingDelta, session.AssistantToolCallDelta,
		session.AssistantServerToolProgress, session.ToolExecutionPartialResult, session.ToolShellOutput,
		session.ToolExecutionProgress:
		return true
	// Notices to the user.
	case session.SessionInfo, session.SessionWarning, session.SessionError, session.SessionCustomNotification,
		session.ModelCallFailure, session.SessionManagedSettingsEnforced, session.SessionManagedPluginProgress,
		session.McpAppToolCallComplete, session.UiEphemeralQuery, session.AgentError:
		return true
	// The steps of the loop.
	case session.AssistantTurnStart, session.AssistantTurnEnd, session.AssistantTurnRetry, session.AssistantIntent,
		session.AssistantIdle, session.SessionIdle, session.AgentInterrupted, session.SessionTaskComplete,
		session.SessionAutopilotStopped, session.PendingMessagesModified, session.SessionBackgroundTasksChanged,
		session.HookStart, session.HookProgress, session.HookEnd, session.SubagentStarted, session.SubagentConfigured,
		session.SubagentCompleted, session.SubagentFailed, session.SubagentSelected, session.SubagentDeselected,
		session.WorkflowRunStarted, session.WorkflowRunUpdated, session.WorkflowRunSettled:
		return true
	case session.ConfirmationCompleted: // the next prompt carries the answer
		return false
	// Questions: the model sees the result of the call that asked.
	case session.Ask, session.Resolved, session.McpOAuthRecoveryCompleted, session.PermissionCarriedForward,
		session.SessionPermissionRecovery:
		return true
	// The life and the settings of the session: the system message and the
	// prompts say what the model has to know of them.
	case session.SessionStart, session.SessionShutdown, session.SessionTitleChanged,
		session.SessionContextChanged, session.SessionHandoff, session.SessionRemoteSteerableChanged,
		session.SessionModeChanged, session.SessionModelChange, session.SessionModelDeselected,
		session.SessionAutoModeResolved, session.SessionAutoTierSwitchFailed, session.SessionPermissionsChanged,
		session.SessionSessionLimitsChanged, session.SessionPlanChanged, session.SessionWorkspaceFileChanged,
		session.SessionScheduleCreated, session.SessionScheduleCancelled, session.SessionScheduleRearmed,
		session.SessionAutopilotObjectiveChanged, session.SessionTodosChanged, session.CapabilitiesChanged:
		return true
	// What there is to work with: a request holds the tools next to its messages.
	case session.SessionToolsUpdated, session.SessionSkillsLoaded, session.SessionCustomAgentsUpdated,
		session.SessionExtensionsLoaded, session.SessionMcpServersLoaded, session.SessionMcpServerStatusChanged,
		session.SessionMcpServerToolsLoaded, session.SessionMcpServerRemoved, session.SessionMcpServerNeedsReconnect,
		session.McpToolsListChanged, session.McpResourcesListChanged, session.McpPromptsListChanged,
		session.CommandsChanged, session.ToolSearchActivated:
		return true
	// Books.
	case session.SessionUsageInfo, session.AssistantUsage, session.SessionUsageCheckpoint, session.SessionUsageRecord:
		return true
	// What this version does not know says nothing to any model that it knows of.
	case session.Unknown:
		return true
	}
	return false
}
