package session

import "github.com/go-json-experiment/json/jsontext"

// SessionInfo is a remark for the timeline that the model does not see.
type SessionInfo struct {
	body
	InfoType string `json:"infoType"` // such as notification, model_retry, cancellation, file_created
	Message  string `json:"message"`
	URL      string `json:"url,omitzero"`
	Tip      string `json:"tip,omitzero"`
}

// SessionWarning is a warning for the timeline that the model does not see.
type SessionWarning struct {
	body
	WarningType          string         `json:"warningType"` // such as subscription, policy, mcp, notification
	Message              string         `json:"message"`
	URL                  string         `json:"url,omitzero"`
	Remediation          jsontext.Value `json:"remediation,omitzero"`
	OriginatingMessageID MessageID      `json:"originatingMessageId,omitzero"`
}

// SessionError says that a request could not be processed. It does not end the
// session; with an Event.Agent it does not even end the turn.
type SessionError struct {
	body
	// ErrorType is such as authentication, authorization, quota, rate_limit,
	// context_limit, query or notification.
	ErrorType             string         `json:"errorType"`
	Message               string         `json:"message"`
	Stack                 string         `json:"stack,omitzero"`
	StatusCode            int            `json:"statusCode,omitzero"` // HTTP, of the model's provider
	ErrorCode             string         `json:"errorCode,omitzero"`
	ProviderErrorType     string         `json:"providerErrorType,omitzero"`
	ProviderErrorParam    string         `json:"providerErrorParam,omitzero"`
	EligibleForAutoSwitch bool           `json:"eligibleForAutoSwitch,omitzero"`
	URL                   string         `json:"url,omitzero"`
	Remediation           jsontext.Value `json:"remediation,omitzero"`
	OriginatingMessageID  MessageID      `json:"originatingMessageId,omitzero"`
	ProviderCallID        string         `json:"providerCallId,omitzero"`
	ServiceRequestID      string         `json:"serviceRequestId,omitzero"`
}

// SystemNotification is a message from the runtime that the model mostly sees
// as if a user had sent it; it starts or continues a turn by itself.
type SystemNotification struct {
	body
	Content      string       `json:"content"` // usually in <system_notification> tags
	Notification Notification `json:"kind"`
}

// Notification says what caused a SystemNotification. Type is one of
// agent_completed, agent_idle, shell_completed, shell_detached_completed,
// new_inbox_message, instruction_discovered, workflow_completed, unclassified;
// it says which of the other fields count.
type Notification struct {
	Type        string         `json:"type"`
	AgentID     AgentID        `json:"agentId,omitzero"`
	AgentType   string         `json:"agentType,omitzero"`
	DisplayName string         `json:"displayName,omitzero"`
	Status      string         `json:"status,omitzero"` // completed or failed
	Prompt      string         `json:"prompt,omitzero"`
	ShellID     string         `json:"shellId,omitzero"`
	ExitCode    *int           `json:"exitCode,omitzero"`
	Description string         `json:"description,omitzero"`
	SenderName  string         `json:"senderName,omitzero"`
	SenderType  string         `json:"senderType,omitzero"`
	Summary     string         `json:"summary,omitzero"`
	SourcePath  string         `json:"sourcePath,omitzero"` // of instruction_discovered
	TriggerFile string         `json:"triggerFile,omitzero"`
	TriggerTool string         `json:"triggerTool,omitzero"`
	Extra       jsontext.Value `json:",embed"`
}

// SessionCustomNotification carries what a named source, such as an MCP task,
// defines by itself. Ephemeral.
type SessionCustomNotification struct {
	body
	Source  string         `json:"source"`
	Name    string         `json:"name"`
	Version int            `json:"version,omitzero"`
	Subject jsontext.Value `json:"subject,omitzero"`
	Payload jsontext.Value `json:"payload,omitzero"`
}

// ModelCallFailure says that one attempt to call the model failed. A retry or
// a SessionError follows. Ephemeral.
type ModelCallFailure struct {
	body
	Model            string  `json:"model,omitzero"`
	StatusCode       int     `json:"statusCode,omitzero"`
	DurationMs       float64 `json:"durationMs,omitzero"`
	RetryAttempt     int     `json:"retryAttempt,omitzero"`
	FailureKind      string  `json:"failureKind,omitzero"` // api or transport
	Initiator        string  `json:"initiator,omitzero"`
	APIEndpoint      string  `json:"apiEndpoint,omitzero"`
	IsBYOK           bool    `json:"isByok,omitzero"`
	ErrorCode        string  `json:"errorCode,omitzero"`
	ErrorMessage     string  `json:"errorMessage,omitzero"`
	ParentToolCallID CallID  `json:"parentToolCallId,omitzero"`
}

// UiEphemeralQuery is the answer to a question that was put beside the
// conversation and leaves no trace in it. Ephemeral.
type UiEphemeralQuery struct {
	body
	Phase string `json:"phase"` // started, chunk, completed, failed or aborted
}

// SessionManagedSettingsEnforced says that an organisation's settings kept
// something from happening. Ephemeral.
type SessionManagedSettingsEnforced struct {
	body
	Setting string `json:"setting"`
	Message string `json:"message"`
}

// SessionManagedPluginProgress reports how far the plugins an organisation
// requires are installed. Ephemeral.
type SessionManagedPluginProgress struct {
	body
	Phase       string   `json:"phase"` // such as installing, updating, complete
	PluginSpecs []string `json:"pluginSpecs"`
}

// The kinds of notices.
const (
	KindModelCallFailure Kind = "model.call_failure"
)

var noticeCodecs = []codec{
	of[SessionInfo]("session.info"),
	of[SessionWarning]("session.warning"),
	of[SessionError]("session.error"),
	of[SystemNotification]("system.notification"),
	of[SessionCustomNotification]("session.custom_notification"),
	of[ModelCallFailure](KindModelCallFailure),
	of[UiEphemeralQuery]("ui.ephemeral_query"),
	of[SessionManagedSettingsEnforced]("session.managed_settings_enforced"),
	of[SessionManagedPluginProgress]("session.managed_plugin_progress"),
}
