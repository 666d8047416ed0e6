package timeline_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/timeline"
)

// TestFilteredAnswers: that the provider cut an answer off is reported nowhere else.
func TestFilteredAnswers(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().live(delta("m", "half"))
	f.live(session.AssistantUsage{FinishReason: "content_filter"}, session.AssistantUsage{FinishReason: "stop"}, session.AssistantUsage{})
	f.stored(said("m", "half"))
	f.want(t, "prompt go | message half | warning The provider's content filter cut the answer off")
}

func TestUsageIsCounted(t *testing.T) {
	t.Parallel()
	call := session.AssistantUsage{
		InputTokens: 100, OutputTokens: 20, CacheReadTokens: 50, CacheWriteTokens: 5, ReasoningTokens: 7, Cost: 0.5,
		CopilotUsage: &session.CopilotUsage{TotalNanoAIU: 3},
	}
	want := timeline.Usage{Requests: 1, Input: 100, Output: 20, CacheRead: 50, CacheWrite: 5, Reasoning: 7, Cost: 0.5, NanoAIU: 3}
	f := newFeed().turn().live(call)
	if got := f.Status().Usage; got != want {
		t.Errorf("one call: %+v", got)
	}
	f.stored(startOf("task", "{}")).agent("A", session.SubagentStarted{ToolCallID: "c", AgentName: "explore"}, call)
	f.stored(session.AssistantTurnEnd{}).live(session.AssistantIdle{}, call)
	if got := f.Status().Usage; got.Requests != 3 || got.Input != 300 || got.Cost != 1.5 {
		t.Errorf("with a sub-agent: %+v", got)
	}
	if s, _ := f.summaries(); len(s) != 1 || s[0].Usage != f.Status().Usage {
		t.Errorf("the summary: %+v", s)
	}
	f.stored(prompt("next"), session.AssistantTurnStart{}).live(call).stored(session.AssistantTurnEnd{}).live(session.AssistantIdle{})
	if s, _ := f.summaries(); len(s) != 2 || s[1].Usage != want {
		t.Errorf("the next: %+v", s)
	}
}

// TestStoredUsage: a session that is opened again begins with what its log
// knows that it used.
func TestStoredUsage(t *testing.T) {
	t.Parallel()
	metric := session.ModelMetric{
		Requests: session.ModelRequests{Count: 3, Cost: 1.5},
		Usage:    session.ModelUsage{InputTokens: 300, OutputTokens: 30, CacheReadTokens: 9, ReasoningTokens: 4},
	}
	shutdown := session.SessionShutdown{
		TotalPremiumRequests: 2, TotalNanoAIU: 8, ModelMetrics: map[string]session.ModelMetric{"a": metric, "b": metric},
		CurrentTokens: 70, SystemTokens: 40, ToolDefinitionsTokens: 20, ConversationTokens: 10,
	}
	f := newFeed().stored(
		session.SessionUsageRecord{Usage: jsontext.Value(`{"model":"m","inputTokens":10,"cost":1}`)},
		session.SessionUsageRecord{Usage: jsontext.Value(`null`)}, session.SessionUsageRecord{Usage: jsontext.Value(`[]`)},
	)
	if got := f.Status().Usage; got != (timeline.Usage{Requests: 1, Input: 10, Cost: 1}) {
		t.Errorf("a record: %+v", got)
	}
	f.stored(session.SessionUsageCheckpoint{
		TotalNanoAIU: 5, TotalPremiumRequests: 1,
		ProviderModelMetrics: jsontext.Value(`[{"modelId":"m","metrics":{"requests":{"count":2,"cost":0},"usage":{"inputTokens":7,"outputTokens":6}}}]`),
	})
	if got := f.Status().Usage; got != (timeline.Usage{Requests: 2, Input: 10, Output: 6, Cost: 1, NanoAIU: 5}) {
		t.Errorf("a checkpoint: %+v", got)
	}
	f.stored(session.SessionUsageCheckpoint{ProviderModelMetrics: jsontext.Value(`{}`)}, shutdown)
	want := timeline.Usage{Requests: 6, Input: 600, Output: 60, CacheRead: 18, Reasoning: 8, Cost: 3, NanoAIU: 8}
	if s := f.Status(); s.Usage != want || contextOf(s) != [4]int{70, 40, 20, 10} {
		t.Errorf("the end: %+v", s)
	}
	f.stored(session.SessionResume{}).live(session.AssistantUsage{InputTokens: 1, Cost: 1})
	if got := f.Status().Usage; got.Requests != 7 || got.Input != 601 || got.Cost != 4 {
		t.Errorf("and on: %+v", got)
	}
}

// contextOf returns how full the context is, and its parts.
func contextOf(s timeline.Status) [4]int {
	return [4]int{s.ContextTokens, s.SystemTokens, s.ToolTokens, s.ConversationTokens}
}

func TestContextAndQuotas(t *testing.T) {
	t.Parallel()
	f := newFeed().live(session.SessionUsageInfo{
		TokenLimit: 1000, CurrentTokens: 300, SystemTokens: 100, ToolDefinitionsTokens: 50, ConversationTokens: 150,
	}, session.SessionUsageInfo{TokenLimit: 1000, CurrentTokens: 310, MessagesLength: 17})
	if s := f.Status(); s.ContextLimit != 1000 || s.ContextMessages != 17 || contextOf(s) != [4]int{310, 100, 50, 150} {
		t.Errorf("got %+v", s)
	}
	f.agent("A", session.SessionUsageInfo{TokenLimit: 1, CurrentTokens: 1})
	if f.Status().ContextTokens != 310 {
		t.Error("the context of a sub-agent is its own")
	}
	yes := true
	f.live(session.AssistantUsage{QuotaSnapshots: map[string]session.QuotaSnapshot{
		"premium": {
			EntitlementRequests: 300, UsedRequests: 312, Overage: 12, RemainingPercentage: 96, ResetDate: "2026-04-01T00:00:00Z",
			UsageAllowedWithExhaustedQuota: &yes, OverageAllowedWithExhaustedQuota: new(bool),
		},
		"chat": {IsUnlimitedEntitlement: true, EntitlementRequests: 9, RemainingPercentage: 100},
		"odd":  {EntitlementRequests: -1},
	}})
	want := []session.Quota{
		{Name: "chat"},
		{Name: "odd"},
		{
			Name: "premium", Used: 312, Limit: 300, Overage: 12, Resets: time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC),
			UsageAllowed: &yes, OverageAllowed: new(bool),
		},
	}
	was := f.Status()
	f.live(session.AssistantUsage{}, session.AssistantUsage{QuotaSnapshots: map[string]session.QuotaSnapshot{"premium": {UsedRequests: 13}}})
	if !reflect.DeepEqual(was.Quotas, want) {
		t.Errorf("got %+v", was.Quotas)
	}
	if got := f.Status().Quotas; len(got) != 1 || got[0].Used != 13 {
		t.Errorf("got %+v", got)
	}
}
