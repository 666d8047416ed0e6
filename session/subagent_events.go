package session

import "github.com/go-json-experiment/json/jsontext"

// SubagentStarted says that a tool call runs an agent of its own. Events of
// that agent carry its id in Event.Agent.
type SubagentStarted struct {
	body
	ToolCallID       CallID  `json:"toolCallId"`
	AgentName        string  `json:"agentName"`
	AgentDisplayName string  `json:"agentDisplayName"`
	AgentDescription string  `json:"agentDescription"`
	Model            string  `json:"model,omitzero"`
	AgentType        string  `json:"agentType,omitzero"`
	ExecutionMode    string  `json:"executionMode,omitzero"` // sync or background
	ParentID         AgentID `json:"parentId,omitzero"`
}

// SubagentConfigured says with which model a sub-agent works.
type SubagentConfigured struct {
	body
	Model string `json:"model"`
}

// SubagentCompleted says that a sub-agent has finished, or was cancelled.
type SubagentCompleted struct {
	body
	ToolCallID       CallID  `json:"toolCallId"`
	AgentName        string  `json:"agentName"`
	AgentDisplayName string  `json:"agentDisplayName"`
	Model            string  `json:"model,omitzero"`
	TotalToolCalls   int     `json:"totalToolCalls,omitzero"`
	TotalTokens      int     `json:"totalTokens,omitzero"`
	DurationMs       float64 `json:"durationMs,omitzero"`
	Cancelled        bool    `json:"cancelled,omitzero"`
}

// SubagentFailed says that a sub-agent could not finish.
type SubagentFailed struct {
	body
	ToolCallID       CallID  `json:"toolCallId"`
	AgentName        string  `json:"agentName"`
	AgentDisplayName string  `json:"agentDisplayName"`
	Error            string  `json:"error"`
	Model            string  `json:"model,omitzero"`
	TotalToolCalls   int     `json:"totalToolCalls,omitzero"`
	TotalTokens      int     `json:"totalTokens,omitzero"`
	DurationMs       float64 `json:"durationMs,omitzero"`
}

// SubagentSelected says which custom agent handles the conversation.
type SubagentSelected struct {
	body
	AgentName        string   `json:"agentName"`
	AgentDisplayName string   `json:"agentDisplayName"`
	Tools            []string `json:"tools"` // nil is all
}

// SubagentDeselected says that the default agent handles the conversation
// again.
type SubagentDeselected struct{ body }

// SkillInvoked says that a skill's text was put into the conversation.
type SkillInvoked struct {
	body
	Name          string   `json:"name"`
	Model         string   `json:"model,omitzero"`
	Path          string   `json:"path"`
	Content       string   `json:"content"`
	AllowedTools  []string `json:"allowedTools,omitzero"` // approved by themselves while it is active
	Source        string   `json:"source,omitzero"`
	PluginName    string   `json:"pluginName,omitzero"`
	PluginVersion string   `json:"pluginVersion,omitzero"`
	Description   string   `json:"description,omitzero"`
	Trigger       string   `json:"trigger,omitzero"` // user-invoked, agent-invoked or context-load
}

// SkillInvokedRef is a SkillInvoked whose text is stored elsewhere in the log.
type SkillInvokedRef struct {
	body
	Name          string   `json:"name"`
	Path          string   `json:"path"`
	ContentID     string   `json:"contentId"`
	AllowedTools  []string `json:"allowedTools,omitzero"`
	Source        string   `json:"source,omitzero"`
	PluginName    string   `json:"pluginName,omitzero"`
	PluginVersion string   `json:"pluginVersion,omitzero"`
	Description   string   `json:"description,omitzero"`
	Trigger       string   `json:"trigger,omitzero"`
}

// SkillContextDelivered is the text by which the model learns of its skills.
type SkillContextDelivered struct {
	body
	Content string `json:"content"`
	Source  string `json:"source"`
}

// SkillContextDeliveredRef is a SkillContextDelivered whose text is stored
// elsewhere in the log. It is in stored logs only.
type SkillContextDeliveredRef struct {
	body
	ContentID string `json:"contentId"`
	Prefix    string `json:"prefix,omitzero"`
	Suffix    string `json:"suffix,omitzero"`
	Source    string `json:"source"`
}

// HookStart says that a hook of the user or a client begins.
type HookStart struct {
	body
	HookInvocationID string         `json:"hookInvocationId"`
	HookType         string         `json:"hookType"` // such as preToolUse, userPromptSubmitted
	Input            jsontext.Value `json:"input,omitzero"`
	ParentToolCallID CallID         `json:"parentToolCallId,omitzero"`
}

// HookProgress is a line of status from a running hook. Ephemeral.
type HookProgress struct {
	body
	Message string `json:"message"`
}

// HookEnd says what came of a hook.
type HookEnd struct {
	body
	HookInvocationID string         `json:"hookInvocationId"`
	HookType         string         `json:"hookType"`
	Output           jsontext.Value `json:"output,omitzero"`
	Success          bool           `json:"success"`
	Error            *HookError     `json:"error,omitzero"`
	ParentToolCallID CallID         `json:"parentToolCallId,omitzero"`
}

// HookError says why a hook failed.
type HookError struct {
	Message string         `json:"message"`
	Source  string         `json:"source,omitzero"` // such as the plugin it came from
	Stack   string         `json:"stack,omitzero"`
	Extra   jsontext.Value `json:",embed"`
}

// WorkflowRunStarted says that a workflow begins. Ephemeral.
type WorkflowRunStarted struct {
	body
	RunID        string `json:"runId"`
	WorkflowName string `json:"workflowName"`
	Attempt      int    `json:"attempt"`
}

// WorkflowRunUpdated says that a workflow has moved on. Ephemeral.
type WorkflowRunUpdated struct{ body }

// WorkflowRunSettled says that a workflow has ended. Ephemeral.
type WorkflowRunSettled struct {
	body
	RunID             string  `json:"runId"`
	Status            string  `json:"status"` // completed, halted, paused, cancelled or error
	ConsumedSubagents int     `json:"consumedSubagents"`
	ElapsedMs         float64 `json:"elapsedMs"`
	FailureType       string  `json:"failureType,omitzero"`
}

// The kinds of agents, skills, hooks and workflows.
const (
	KindHookProgress Kind = "hook.progress"
)

var agentCodecs = []codec{
	of[SubagentStarted]("subagent.started"),
	of[SubagentConfigured]("subagent.configured"),
	of[SubagentCompleted]("subagent.completed"),
	of[SubagentFailed]("subagent.failed"),
	of[SubagentSelected]("subagent.selected"),
	of[SubagentDeselected]("subagent.deselected"),
	of[SkillInvoked]("skill.invoked"),
	of[SkillInvokedRef]("skill.invoked_ref"),
	of[SkillContextDelivered]("skill.context_delivered"),
	of[SkillContextDeliveredRef]("skill.context_delivered_ref"),
	of[HookStart]("hook.start"),
	of[HookProgress](KindHookProgress),
	of[HookEnd]("hook.end"),
	of[WorkflowRunStarted]("workflow.run_started"),
	of[WorkflowRunUpdated]("workflow.run_updated"),
	of[WorkflowRunSettled]("workflow.run_settled"),
}
