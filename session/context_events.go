package session

import (
	"cmp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// SessionCompactionStart says that a summary of the history is being made.
type SessionCompactionStart struct {
	body
	CompactionAttemptID string `json:"compactionAttemptId,omitzero"`
	Model               string `json:"model,omitzero"`
	Trigger             string `json:"trigger,omitzero"` // threshold, context_limit_retry, manual, memory_pressure or model_switch
	SystemTokens        int    `json:"systemTokens,omitzero"`
	ConversationTokens  int    `json:"conversationTokens,omitzero"`
	CurrentTokens       int    `json:"currentTokens,omitzero"`
	TokenLimit          int    `json:"tokenLimit,omitzero"`
}

// SessionCompactionComplete says whether the summary replaced the history. It
// may come after the session was idle.
type SessionCompactionComplete struct {
	body
	Success                     bool                  `json:"success"`
	CompactionAttemptID         string                `json:"compactionAttemptId,omitzero"` // of the start
	Outcome                     string                `json:"outcome,omitzero"`             // applied, cancelled, failed, not_applicable
	Error                       string                `json:"error,omitzero"`
	StatusCode                  int                   `json:"statusCode,omitzero"`
	Trigger                     string                `json:"trigger,omitzero"`
	CustomInstructions          string                `json:"customInstructions,omitzero"`
	PreCompactionTokens         int                   `json:"preCompactionTokens,omitzero"`
	PostCompactionTokens        int                   `json:"postCompactionTokens,omitzero"`
	PreCompactionMessagesLength int                   `json:"preCompactionMessagesLength,omitzero"`
	MessagesRemoved             int                   `json:"messagesRemoved,omitzero"`
	TokensRemoved               int                   `json:"tokensRemoved,omitzero"`
	SummaryContent              string                `json:"summaryContent,omitzero"`
	CheckpointNumber            int                   `json:"checkpointNumber,omitzero"`
	CheckpointPath              string                `json:"checkpointPath,omitzero"`
	CompactionTokensUsed        *CompactionTokensUsed `json:"compactionTokensUsed,omitzero"`
	Model                       string                `json:"model,omitzero"`
	RequestID                   string                `json:"requestId,omitzero"` // of the provider, for tracing
}

// CompactionTokensUsed is what making a summary took. The Copilot CLI does not
// send the first three members; it sends the others, which are named as in
// AssistantUsage.
type CompactionTokensUsed struct {
	Input            int            `json:"input,omitzero"`
	Output           int            `json:"output,omitzero"`
	CachedInput      int            `json:"cachedInput,omitzero"`
	RequestCount     int            `json:"requestCount,omitzero"`
	Model            string         `json:"model,omitzero"`
	InputTokens      int            `json:"inputTokens,omitzero"`
	OutputTokens     int            `json:"outputTokens,omitzero"`
	CacheReadTokens  int            `json:"cacheReadTokens,omitzero"`
	CacheWriteTokens int            `json:"cacheWriteTokens,omitzero"`
	Duration         float64        `json:"duration,omitzero"` // milliseconds
	CopilotUsage     *CopilotUsage  `json:"copilotUsage,omitzero"`
	Extra            jsontext.Value `json:",embed"`
}

// Usage returns the tokens in the form of any other model call, whichever of the
// two forms they came in.
func (u CompactionTokensUsed) Usage() AssistantUsage {
	return AssistantUsage{
		Model: u.Model, InputTokens: cmp.Or(u.InputTokens, u.Input), OutputTokens: cmp.Or(u.OutputTokens, u.Output),
		CacheReadTokens: cmp.Or(u.CacheReadTokens, u.CachedInput), CacheWriteTokens: u.CacheWriteTokens,
		Duration: u.Duration, CopilotUsage: u.CopilotUsage,
	}
}

// SessionTruncation says that old messages were dropped without a summary.
type SessionTruncation struct {
	body
	TokenLimit                      int `json:"tokenLimit"`
	PreTruncationTokensInMessages   int `json:"preTruncationTokensInMessages"`
	PreTruncationMessagesLength     int `json:"preTruncationMessagesLength"`
	PostTruncationTokensInMessages  int `json:"postTruncationTokensInMessages"`
	PostTruncationMessagesLength    int `json:"postTruncationMessagesLength"`
	TokensRemovedDuringTruncation   int `json:"tokensRemovedDuringTruncation"`
	MessagesRemovedDuringTruncation int `json:"messagesRemovedDuringTruncation"`
}

// SessionSnapshotRewind says that the events from UpToEventID on are taken
// back. Ephemeral.
type SessionSnapshotRewind struct {
	body
	UpToEventID   EventID   `json:"upToEventId"`
	EventsRemoved int       `json:"eventsRemoved"`
	EventIDs      []EventID `json:"eventIds,omitzero"`
}

// SessionContextCleared says that the conversation starts anew.
type SessionContextCleared struct {
	body
	InitialMessage  string `json:"initialMessage,omitzero"`
	MessagesCleared int    `json:"messagesCleared"`
}

// SessionUsageInfo says how full the model's context is. Ephemeral.
type SessionUsageInfo struct {
	body
	TokenLimit            int  `json:"tokenLimit"`
	CurrentTokens         int  `json:"currentTokens"`
	MessagesLength        int  `json:"messagesLength"`
	SystemTokens          int  `json:"systemTokens,omitzero"`
	ConversationTokens    int  `json:"conversationTokens,omitzero"`
	ToolDefinitionsTokens int  `json:"toolDefinitionsTokens,omitzero"`
	IsInitial             bool `json:"isInitial,omitzero"`
	// Cost is what the session has cost so far, where the agent reports money; nil if this event
	// does not say. It is Parley's own, for agents of the Agent Client Protocol.
	Cost *Money `json:"cost,omitzero"`
}

// Money is an amount in a currency, such as USD.
type Money struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"`
}

// AssistantUsage is what one model call used. Ephemeral.
type AssistantUsage struct {
	body
	Model              string                   `json:"model"`
	ModelDisplayName   string                   `json:"modelDisplayName,omitzero"`
	InputTokens        int                      `json:"inputTokens,omitzero"`
	OutputTokens       int                      `json:"outputTokens,omitzero"`
	CacheReadTokens    int                      `json:"cacheReadTokens,omitzero"`
	CacheWriteTokens   int                      `json:"cacheWriteTokens,omitzero"`
	ReasoningTokens    int                      `json:"reasoningTokens,omitzero"`
	Cost               float64                  `json:"cost,omitzero"`     // in premium requests
	Duration           float64                  `json:"duration,omitzero"` // milliseconds
	TimeToFirstTokenMs float64                  `json:"timeToFirstTokenMs,omitzero"`
	Initiator          string                   `json:"initiator,omitzero"` // such as sub-agent; absent or user for a user
	InteractionType    string                   `json:"interactionType,omitzero"`
	IsBYOK             bool                     `json:"isByok,omitzero"`
	APICallID          string                   `json:"apiCallId,omitzero"`
	APIEndpoint        string                   `json:"apiEndpoint,omitzero"`
	Transport          string                   `json:"transport,omitzero"`
	QuotaSnapshots     map[string]QuotaSnapshot `json:"quotaSnapshots,omitzero"` // by quota
	CopilotUsage       *CopilotUsage            `json:"copilotUsage,omitzero"`
	ParentToolCallID   CallID                   `json:"parentToolCallId,omitzero"`
	FinishReason       string                   `json:"finishReason,omitzero"`
	ProviderCallID     string                   `json:"providerCallId,omitzero"` // of the provider, for tracing
}

// QuotaSnapshot is how much of a quota is used.
type QuotaSnapshot struct {
	IsUnlimitedEntitlement           bool           `json:"isUnlimitedEntitlement,omitzero"`
	EntitlementRequests              float64        `json:"entitlementRequests,omitzero"`
	UsedRequests                     float64        `json:"usedRequests,omitzero"`
	UsageAllowedWithExhaustedQuota   *bool          `json:"usageAllowedWithExhaustedQuota,omitzero"` // nil is not known
	Overage                          float64        `json:"overage,omitzero"`                        // requests beyond the quota
	OverageAllowedWithExhaustedQuota *bool          `json:"overageAllowedWithExhaustedQuota,omitzero"`
	RemainingPercentage              float64        `json:"remainingPercentage,omitzero"`
	ResetDate                        string         `json:"resetDate,omitzero"` // RFC 3339
	Extra                            jsontext.Value `json:",embed"`
}

// CopilotUsage is the cost of a call, item by item.
type CopilotUsage struct {
	TokenDetails []TokenDetail  `json:"tokenDetails,omitzero"`
	TotalNanoAIU float64        `json:"totalNanoAiu,omitzero"`
	Extra        jsontext.Value `json:",embed"`
}

// TokenDetail is one item of a CopilotUsage.
type TokenDetail struct {
	BatchSize    int            `json:"batchSize"`
	CostPerBatch float64        `json:"costPerBatch"`
	TokenCount   int            `json:"tokenCount"`
	TokenType    string         `json:"tokenType"`
	Extra        jsontext.Value `json:",embed"`
}

// SessionUsageCheckpoint keeps the sums of a session across restarts.
type SessionUsageCheckpoint struct {
	body
	TotalNanoAIU         float64        `json:"totalNanoAiu"`
	TotalPremiumRequests float64        `json:"totalPremiumRequests,omitzero"`
	ProviderModelMetrics jsontext.Value `json:"providerModelMetrics,omitzero"`
	AccountingSnapshot   jsontext.Value `json:"accountingSnapshot,omitzero"`
}

// ProviderModelMetric sums up what a session used of one model of one provider.
type ProviderModelMetric struct {
	ModelID string      `json:"modelId"`
	Metrics ModelMetric `json:"metrics"`
}

// Models returns what the session used of each model, as far as it can be read:
// the shape is not promised. A model that several providers offer comes for each.
func (c SessionUsageCheckpoint) Models() []ProviderModelMetric {
	var list []ProviderModelMetric
	ReadWhatFits(c.ProviderModelMetrics, &list)
	return slices.DeleteFunc(list, func(m ProviderModelMetric) bool { // an element that could not be read
		return m.ModelID == "" && m.Metrics.Requests.Count == 0 && m.Metrics.Usage.InputTokens+m.Metrics.Usage.OutputTokens == 0
	})
}

// APIDurationMs returns how long the session waited for models, in milliseconds; 0
// if the checkpoint does not hold it.
func (c SessionUsageCheckpoint) APIDurationMs() float64 {
	var snapshot struct {
		TotalAPIDurationMs float64 `json:"totalApiDurationMs"`
	}
	ReadWhatFits(c.AccountingSnapshot, &snapshot)
	return snapshot.TotalAPIDurationMs
}

// SessionUsageRecord is the accounting of one model call. It is in stored logs
// only.
type SessionUsageRecord struct {
	body
	Usage jsontext.Value `json:"usage,omitzero"`
}

// Call returns the record in the form in which a running session reports a call.
// Members of the wrong type are left out; ok is false if it is no object.
func (r SessionUsageRecord) Call() (u AssistantUsage, ok bool) {
	if r.Usage.Kind() != jsontext.KindBeginObject {
		return u, false
	}
	return u, ReadWhatFits(r.Usage, &u)
}

// The kinds of the context.
const (
	KindAssistantUsage Kind = "assistant.usage"
)

var contextCodecs = []codec{
	of[SessionCompactionStart]("session.compaction_start"),
	of[SessionCompactionComplete]("session.compaction_complete"),
	of[SessionTruncation]("session.truncation"),
	of[SessionSnapshotRewind]("session.snapshot_rewind"),
	of[SessionContextCleared]("session.context_cleared"),
	of[SessionUsageInfo]("session.usage_info"),
	of[AssistantUsage](KindAssistantUsage),
	of[SessionUsageCheckpoint]("session.usage_checkpoint"),
	of[SessionUsageRecord]("session.usage_record"),
}
