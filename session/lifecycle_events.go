package session

import "github.com/go-json-experiment/json/jsontext"

// SessionStart is the first event of a log.
type SessionStart struct {
	body
	SessionID       ID              `json:"sessionId"`
	Version         int             `json:"version"` // of the log's format
	Producer        string          `json:"producer"`
	CopilotVersion  string          `json:"copilotVersion"`
	StartTime       string          `json:"startTime"` // RFC 3339
	SelectedModel   string          `json:"selectedModel,omitzero"`
	ProviderID      string          `json:"providerId,omitzero"`
	ReasoningEffort string          `json:"reasoningEffort,omitzero"`
	Context         *WorkingContext `json:"context,omitzero"`
	// AgentSessionID is the agent's own id of the session, where it has one. It is
	// Parley's own, as that of SessionResume is.
	AgentSessionID string `json:"agentSessionId,omitzero"`
	// AgentForkOf is, in a copy that the agent does not have yet, its own id of the session that
	// was copied. It is Parley's own too.
	AgentForkOf string `json:"agentForkOf,omitzero"`
}

// WorkingContext is the folder and repository a session works in.
type WorkingContext struct {
	Cwd               string         `json:"cwd"`
	GitRoot           string         `json:"gitRoot,omitzero"`
	Repository        string         `json:"repository,omitzero"` // "owner/name"
	Branch            string         `json:"branch,omitzero"`
	HeadCommit        string         `json:"headCommit,omitzero"`
	PendingGitContext bool           `json:"pendingGitContext,omitzero"` // the Git fields are still to come
	Extra             jsontext.Value `json:",embed"`
}

// SessionResume says that a stored session was opened again.
type SessionResume struct {
	body
	ResumeTime       string          `json:"resumeTime"` // RFC 3339
	EventCount       int             `json:"eventCount"`
	SelectedModel    string          `json:"selectedModel,omitzero"`
	ReasoningEffort  string          `json:"reasoningEffort,omitzero"`
	Context          *WorkingContext `json:"context,omitzero"`
	AlreadyInUse     bool            `json:"alreadyInUse,omitzero"`     // another process had it open
	SessionWasActive bool            `json:"sessionWasActive,omitzero"` // it lived in this process already
	AgentSessionID   string          `json:"agentSessionId,omitzero"`
}

// AgentSessionIDOf is the agent's own id of the session in an event that has one; "" for others.
func AgentSessionIDOf(b Body) string {
	switch b := b.(type) {
	case SessionStart:
		return b.AgentSessionID
	case SessionResume:
		return b.AgentSessionID
	}
	return ""
}

// SessionShutdown is the last event of a log, until a SessionResume.
type SessionShutdown struct {
	body
	ShutdownType          string                 `json:"shutdownType"` // routine or error
	ErrorReason           string                 `json:"errorReason,omitzero"`
	TotalPremiumRequests  float64                `json:"totalPremiumRequests"`
	TotalNanoAIU          float64                `json:"totalNanoAiu,omitzero"`
	TotalAPIDurationMs    float64                `json:"totalApiDurationMs"`
	SessionStartTime      int64                  `json:"sessionStartTime"` // Unix milliseconds
	CodeChanges           CodeChanges            `json:"codeChanges"`
	ModelMetrics          map[string]ModelMetric `json:"modelMetrics"` // by model
	CurrentModel          string                 `json:"currentModel,omitzero"`
	CurrentTokens         int                    `json:"currentTokens,omitzero"`
	SystemTokens          int                    `json:"systemTokens,omitzero"`
	ConversationTokens    int                    `json:"conversationTokens,omitzero"`
	ToolDefinitionsTokens int                    `json:"toolDefinitionsTokens,omitzero"`
}

// CodeChanges sums up what a session did to files.
type CodeChanges struct {
	LinesAdded    int            `json:"linesAdded"`
	LinesRemoved  int            `json:"linesRemoved"`
	FilesModified []string       `json:"filesModified"`
	Extra         jsontext.Value `json:",embed"`
}

// ModelMetric sums up what a session used of one model.
type ModelMetric struct {
	Requests     ModelRequests  `json:"requests"`
	Usage        ModelUsage     `json:"usage"`
	TotalNanoAIU float64        `json:"totalNanoAiu,omitzero"`
	Extra        jsontext.Value `json:",embed"`
}

// ModelRequests counts the calls of a model and what they cost.
type ModelRequests struct {
	Count int            `json:"count"`
	Cost  float64        `json:"cost"` // in premium requests
	Extra jsontext.Value `json:",embed"`
}

// ModelUsage counts the tokens of a model.
type ModelUsage struct {
	InputTokens      int            `json:"inputTokens"`
	OutputTokens     int            `json:"outputTokens"`
	CacheReadTokens  int            `json:"cacheReadTokens"`
	CacheWriteTokens int            `json:"cacheWriteTokens"`
	ReasoningTokens  int            `json:"reasoningTokens,omitzero"`
	Extra            jsontext.Value `json:",embed"`
}

// SessionTitleChanged names the session. Ephemeral.
type SessionTitleChanged struct {
	body
	Title string `json:"title"`
}

// SessionContextChanged says where the session works now.
type SessionContextChanged struct {
	body
	Cwd               string `json:"cwd"`
	GitRoot           string `json:"gitRoot,omitzero"`
	Repository        string `json:"repository,omitzero"` // "owner/name"
	Branch            string `json:"branch,omitzero"`
	PendingGitContext bool   `json:"pendingGitContext,omitzero"` // the Git fields are still to come
}

// SessionHandoff says that the session came from another place.
type SessionHandoff struct {
	body
	SourceType string         `json:"sourceType"` // remote or local
	Repository jsontext.Value `json:"repository,omitzero"`
	Context    string         `json:"context,omitzero"`
	Summary    string         `json:"summary,omitzero"`
	Host       string         `json:"host,omitzero"`
}

// SessionRemoteSteerableChanged says whether the session can be steered from
// elsewhere.
type SessionRemoteSteerableChanged struct {
	body
	RemoteSteerable bool `json:"remoteSteerable"`
}

var lifecycleCodecs = []codec{
	of[SessionStart]("session.start"),
	of[SessionResume]("session.resume"),
	of[SessionShutdown]("session.shutdown"),
	of[SessionTitleChanged]("session.title_changed"),
	of[SessionContextChanged]("session.context_changed"),
	of[SessionHandoff]("session.handoff"),
	of[SessionRemoteSteerableChanged]("session.remote_steerable_changed"),
}
