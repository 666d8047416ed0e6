package session

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// ExternalToolRequested asks a client to run a tool it has brought along.
type ExternalToolRequested struct {
	body
	RequestID  RequestID      `json:"requestId"`
	ToolCallID CallID         `json:"toolCallId"`
	ToolName   string         `json:"toolName"`
	Arguments  jsontext.Value `json:"arguments,omitzero"`
	SessionID  ID             `json:"sessionId"`
}

// Request implements Ask.
func (r ExternalToolRequested) Request() RequestID { return r.RequestID }

// Withdrawn implements Ask.
func (ExternalToolRequested) Withdrawn(string) Body { return nil }

// ExternalToolCompleted resolves ExternalToolRequested.
type ExternalToolCompleted struct {
	body
	RequestID RequestID `json:"requestId"`
}

// Resolves implements Resolved.
func (c ExternalToolCompleted) Resolves() RequestID { return c.RequestID }

// CommandQueued says that it is the turn of a slash command in the queue, and
// asks the client to do it. Ephemeral.
type CommandQueued struct {
	body
	RequestID RequestID `json:"requestId"`
	Command   string    `json:"command"` // with the slash
}

// Request implements Ask.
func (r CommandQueued) Request() RequestID { return r.RequestID }

// Withdrawn implements Ask.
func (CommandQueued) Withdrawn(string) Body { return nil }

// CommandExecute asks a client to do a slash command it has brought along.
// Ephemeral.
type CommandExecute struct {
	body
	RequestID   RequestID `json:"requestId"`
	Command     string    `json:"command"` // the whole line, with the slash
	CommandName string    `json:"commandName"`
	Args        string    `json:"args"`
}

// Request implements Ask.
func (r CommandExecute) Request() RequestID { return r.RequestID }

// Withdrawn implements Ask.
func (CommandExecute) Withdrawn(string) Body { return nil }

// CommandCompleted resolves CommandQueued and CommandExecute. Ephemeral.
type CommandCompleted struct {
	body
	RequestID RequestID `json:"requestId"`
}

// Resolves implements Resolved.
func (c CommandCompleted) Resolves() RequestID { return c.RequestID }

// McpOAuthRequired says that an MCP server wants the user to sign in.
// Ephemeral.
type McpOAuthRequired struct {
	body
	RequestID               RequestID      `json:"requestId"`
	ServerName              string         `json:"serverName"`
	ServerURL               string         `json:"serverUrl"`
	Reason                  string         `json:"reason"` // initial, refresh, reauth or upscope
	WWWAuthenticateParams   jsontext.Value `json:"wwwAuthenticateParams,omitzero"`
	ResourceMetadata        string         `json:"resourceMetadata,omitzero"` // JSON text
	RuntimeRefreshSupported bool           `json:"runtimeRefreshSupported,omitzero"`
}

// Request implements Ask.
func (r McpOAuthRequired) Request() RequestID { return r.RequestID }

// Withdrawn implements Ask.
func (r McpOAuthRequired) Withdrawn(string) Body {
	return McpOAuthCompleted{RequestID: r.RequestID, Outcome: "cancelled"}
}

// McpOAuthAnswer answers McpOAuthRequired. With SignIn the agent begins its own
// way of signing in; where that needs a browser, the address is asked about
// next, as an ElicitationRequested of URLMode. Without, the server is used as it
// is, or not at all.
type McpOAuthAnswer struct {
	RequestID RequestID
	SignIn    bool
}

// McpOAuthCompleted resolves McpOAuthRequired. Ephemeral.
type McpOAuthCompleted struct {
	body
	RequestID RequestID `json:"requestId"`
	Outcome   string    `json:"outcome"` // token or cancelled
}

// Resolves implements Resolved.
func (c McpOAuthCompleted) Resolves() RequestID { return c.RequestID }

// McpOAuthRecoveryCompleted says whether signing in again helped. It resolves no
// question.
type McpOAuthRecoveryCompleted struct {
	body
	ServerName string `json:"serverName"`
	Outcome    string `json:"outcome"` // succeeded, cancelled or failed
}

// McpHeadersRefreshRequired asks a client for fresh headers for an MCP server.
// Ephemeral.
type McpHeadersRefreshRequired struct {
	body
	RequestID  RequestID `json:"requestId"`
	ServerName string    `json:"serverName"`
	Reason     string    `json:"reason"` // startup, ttl-expired or auth-failed
}

// Request implements Ask.
func (r McpHeadersRefreshRequired) Request() RequestID { return r.RequestID }

// Withdrawn implements Ask.
func (McpHeadersRefreshRequired) Withdrawn(string) Body { return nil }

// McpHeadersRefreshCompleted resolves McpHeadersRefreshRequired. Ephemeral.
type McpHeadersRefreshCompleted struct {
	body
	RequestID RequestID `json:"requestId"`
}

// Resolves implements Resolved.
func (c McpHeadersRefreshCompleted) Resolves() RequestID { return c.RequestID }

// AutoModeSwitchRequested asks whether to continue a model of the agent's
// choice because the chosen one is at its limit. Ephemeral.
type AutoModeSwitchRequested struct {
	body
	RequestID         RequestID `json:"requestId"`
	ErrorCode         string    `json:"errorCode,omitzero"`
	RetryAfterSeconds float64   `json:"retryAfterSeconds,omitzero"`
}

// Request implements Ask.
func (r AutoModeSwitchRequested) Request() RequestID { return r.RequestID }

// Withdrawn implements Ask.
func (r AutoModeSwitchRequested) Withdrawn(string) Body {
	return AutoModeSwitchCompleted{RequestID: r.RequestID, Response: SwitchNo}
}

// AutoModeSwitchAnswer answers AutoModeSwitchRequested.
type AutoModeSwitchAnswer struct {
	RequestID RequestID
	Response  string // one of SwitchYes, SwitchAlways, SwitchNo
}

// The responses to AutoModeSwitchRequested.
const (
	SwitchYes    = "yes"
	SwitchAlways = "yes_always" // and do not ask again
	SwitchNo     = "no"
)

// AutoModeSwitchCompleted resolves AutoModeSwitchRequested. Ephemeral.
type AutoModeSwitchCompleted struct {
	body
	RequestID RequestID `json:"requestId"`
	Response  string    `json:"response"` // yes, yes_always or no
}

// Resolves implements Resolved.
func (c AutoModeSwitchCompleted) Resolves() RequestID { return c.RequestID }

// SessionLimitsExhaustedRequested asks whether the session may spend more.
// Ephemeral.
type SessionLimitsExhaustedRequested struct {
	body
	RequestID     RequestID `json:"requestId"`
	UsedAICredits float64   `json:"usedAiCredits"`
	MaxAICredits  float64   `json:"maxAiCredits"`
}

// Request implements Ask.
func (r SessionLimitsExhaustedRequested) Request() RequestID { return r.RequestID }

// Withdrawn implements Ask.
func (r SessionLimitsExhaustedRequested) Withdrawn(string) Body {
	return SessionLimitsExhaustedCompleted{RequestID: r.RequestID}
}

// SessionLimitsExhaustedAnswer answers SessionLimitsExhaustedRequested.
type SessionLimitsExhaustedAnswer struct {
	RequestID RequestID
	Action    string // one of LimitAdd, LimitSet, LimitUnset, LimitCancel
	// Credits are what LimitAdd adds to the limit, or what LimitSet sets it
	// to; positive. The others ignore it.
	Credits float64
}

// The actions of SessionLimitsExhaustedAnswer.
const (
	LimitAdd    = "add"
	LimitSet    = "set"
	LimitUnset  = "unset" // no limit any more
	LimitCancel = "cancel"
)

// SessionLimitsExhaustedCompleted resolves SessionLimitsExhaustedRequested.
// Ephemeral.
type SessionLimitsExhaustedCompleted struct {
	body
	RequestID RequestID      `json:"requestId"`
	Response  jsontext.Value `json:"response,omitzero"`
}

// Resolves implements Resolved.
func (c SessionLimitsExhaustedCompleted) Resolves() RequestID { return c.RequestID }

// Request implements Answer.
func (a McpOAuthAnswer) Request() RequestID { return a.RequestID }

// Summary implements Answer.
func (a McpOAuthAnswer) Summary() string { return fmt.Sprintf("sign in %t", a.SignIn) }

// Request implements Answer.
func (a AutoModeSwitchAnswer) Request() RequestID { return a.RequestID }

// Summary implements Answer.
func (a AutoModeSwitchAnswer) Summary() string {
	switch a.Response {
	case SwitchYes, SwitchAlways, SwitchNo:
		return "switch " + a.Response
	}
	return "switch"
}

// Request implements Answer.
func (a SessionLimitsExhaustedAnswer) Request() RequestID { return a.RequestID }

// Summary implements Answer.
func (a SessionLimitsExhaustedAnswer) Summary() string {
	switch a.Action {
	case LimitAdd, LimitSet, LimitUnset, LimitCancel:
		return "limit " + a.Action
	}
	return "limit"
}

func (McpOAuthAnswer) answer()               {}
func (AutoModeSwitchAnswer) answer()         {}
func (SessionLimitsExhaustedAnswer) answer() {}

// The kinds of other requests.
const (
	KindExternalToolRequested           Kind = "external_tool.requested"
	KindCommandQueued                   Kind = "command.queued"
	KindCommandExecute                  Kind = "command.execute"
	KindMcpOAuthRequired                Kind = "mcp.oauth_required"
	KindMcpHeadersRefreshRequired       Kind = "mcp.headers_refresh_required"
	KindAutoModeSwitchRequested         Kind = "auto_mode_switch.requested"
	KindSessionLimitsExhaustedRequested Kind = "session_limits_exhausted.requested"
)

var requestCodecs = []codec{
	of[ExternalToolRequested](KindExternalToolRequested),
	of[ExternalToolCompleted]("external_tool.completed"),
	of[CommandQueued](KindCommandQueued),
	of[CommandExecute](KindCommandExecute),
	of[CommandCompleted]("command.completed"),
	of[McpOAuthRequired](KindMcpOAuthRequired),
	of[McpOAuthCompleted]("mcp.oauth_completed"),
	of[McpOAuthRecoveryCompleted]("mcp.oauth_recovery_completed"),
	of[McpHeadersRefreshRequired](KindMcpHeadersRefreshRequired),
	of[McpHeadersRefreshCompleted]("mcp.headers_refresh_completed"),
	of[AutoModeSwitchRequested](KindAutoModeSwitchRequested),
	of[AutoModeSwitchCompleted]("auto_mode_switch.completed"),
	of[SessionLimitsExhaustedRequested](KindSessionLimitsExhaustedRequested),
	of[SessionLimitsExhaustedCompleted]("session_limits_exhausted.completed"),
}
