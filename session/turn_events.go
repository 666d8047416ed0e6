package session

import "github.com/go-json-experiment/json/jsontext"

// AssistantTurnStart begins one model call and what follows from it.
type AssistantTurnStart struct {
	body
	TurnID           string `json:"turnId"` // counts from "0" for each user message, so it is not unique
	Model            string `json:"model,omitzero"`
	InteractionID    string `json:"interactionId,omitzero"`
	ParentToolCallID CallID `json:"parentToolCallId,omitzero"`
}

// AssistantTurnEnd ends the turn of the same TurnID; another may follow.
type AssistantTurnEnd struct {
	body
	TurnID           string `json:"turnId"`
	Model            string `json:"model,omitzero"`
	ParentToolCallID CallID `json:"parentToolCallId,omitzero"`
}

// AssistantTurnRetry says that the model is called again. What streamed since
// the start of the turn is void. Ephemeral.
type AssistantTurnRetry struct {
	body
	TurnID string `json:"turnId"`
	Model  string `json:"model,omitzero"`
	Reason string `json:"reason,omitzero"` // rate_limit, api_error, streaming_error, transient_auth_error
}

// AssistantIntent is what the agent is doing now, in a few words. Ephemeral.
type AssistantIntent struct {
	body
	Intent string `json:"intent"`
}

// AssistantIdle says that the agent loop has stopped and takes input, while
// background work may still run. Ephemeral.
type AssistantIdle struct {
	body
	Aborted bool `json:"aborted,omitzero"`
}

// SessionIdle says that nothing runs any more, in the background either.
// Ephemeral.
type SessionIdle struct {
	body
	Aborted         bool             `json:"aborted,omitzero"`
	Mode            Mode             `json:"mode,omitzero"`
	BackgroundTasks *BackgroundTasks `json:"backgroundTasks,omitzero"`
}

// BackgroundTasks is what still runs beside an idle agent.
type BackgroundTasks struct {
	Agents []BackgroundAgent `json:"agents,omitzero"`
	Shells []BackgroundShell `json:"shells,omitzero"`
	Extra  jsontext.Value    `json:",embed"`
}

// BackgroundAgent is a sub-agent that runs in the background.
type BackgroundAgent struct {
	AgentID     AgentID        `json:"agentId"`
	AgentType   string         `json:"agentType,omitzero"`
	Description string         `json:"description,omitzero"`
	Extra       jsontext.Value `json:",embed"`
}

// BackgroundShell is a shell command that runs in the background.
type BackgroundShell struct {
	ShellID     string         `json:"shellId"`
	Description string         `json:"description,omitzero"`
	Extra       jsontext.Value `json:",embed"`
}

// Abort says that the running turn was stopped. Questions that are still open
// are void, even those that get no event of their own.
type Abort struct {
	body
	Reason string `json:"reason"` // such as user_initiated, user_abort, remote_command
}

// AgentInterrupted reports what an Abort interrupted. Ephemeral.
type AgentInterrupted struct {
	body
	Activity              string   `json:"activity"` // model_call, retry_backoff, tool_call or background_agent
	ElapsedMs             float64  `json:"elapsedMs"`
	Turn                  int      `json:"turn"`
	Model                 string   `json:"model,omitzero"`
	CancelPhase           string   `json:"cancelPhase,omitzero"` // pre_first_token or mid_stream
	ToolNames             []string `json:"toolNames,omitzero"`
	ToolCallIDs           []CallID `json:"toolCallIds,omitzero"`
	InterruptedAgentCount int      `json:"interruptedAgentCount,omitzero"`
}

// SessionTaskComplete says that the agent holds its task for done, or for
// blocked. An agent may never say so.
type SessionTaskComplete struct {
	body
	Summary string `json:"summary,omitzero"`
	Success *bool  `json:"success,omitzero"` // nil is success
	Outcome string `json:"outcome,omitzero"` // completed, continue or blocked
	Reason  string `json:"reason,omitzero"`
}

// SessionAutopilotStopped says that the agent no longer continues by itself.
// Ephemeral.
type SessionAutopilotStopped struct {
	body
	Reason string `json:"reason"` // such as task_complete, cap_reached
}

// SessionAutopilotObjectiveChanged says that the goal of autopilot was set,
// changed or removed.
type SessionAutopilotObjectiveChanged struct {
	body
	Operation string `json:"operation"`       // create, update or delete
	Status    string `json:"status,omitzero"` // active, paused, cap_reached or completed
}

// PendingMessagesModified says that the queue of prompts changed: ask a Queuer.
// Ephemeral.
type PendingMessagesModified struct{ body }

// SessionBackgroundTasksChanged says that background work began, ended or
// moved on. It comes often. Ephemeral.
type SessionBackgroundTasksChanged struct{ body }

// SessionTodosChanged says that the agent's list of todos changed. Ephemeral.
type SessionTodosChanged struct{ body }

// SessionPermissionRecovery follows an attempt to continue after a refusal.
type SessionPermissionRecovery struct {
	body
	EpisodeID    string  `json:"episodeId"`
	OwnerAgentID AgentID `json:"ownerAgentId,omitzero"`
	Status       string  `json:"status"` // recovering, awaiting_approval, resolved or blocked
	Reason       string  `json:"reason"`
}

// The kinds of turns.
const (
	KindAssistantTurnStart Kind = "assistant.turn_start"
	KindAssistantTurnEnd   Kind = "assistant.turn_end"
	KindSessionIdle        Kind = "session.idle"
	KindAbort              Kind = "abort"
)

var turnCodecs = []codec{
	of[AssistantTurnStart](KindAssistantTurnStart),
	of[AssistantTurnEnd](KindAssistantTurnEnd),
	of[AssistantTurnRetry]("assistant.turn_retry"),
	of[AssistantIntent]("assistant.intent"),
	of[AssistantIdle]("assistant.idle"),
	of[SessionIdle](KindSessionIdle),
	of[Abort](KindAbort),
	of[AgentInterrupted]("agent.interrupted"),
	of[SessionTaskComplete]("session.task_complete"),
	of[SessionAutopilotStopped]("session.autopilot_stopped"),
	of[SessionAutopilotObjectiveChanged]("session.autopilot_objective_changed"),
	of[PendingMessagesModified]("pending_messages.modified"),
	of[SessionBackgroundTasksChanged]("session.background_tasks_changed"),
	of[SessionTodosChanged]("session.todos_changed"),
	of[SessionPermissionRecovery]("session.permission_recovery"),
}
