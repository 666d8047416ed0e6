package timeline_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/timeline"
)

// split writes what the ledger holds, a line for each model.
func split(s timeline.Spending) string {
	var b strings.Builder
	for _, m := range append(s.Models, s.Compaction) {
		if m.Usage == (timeline.Usage{}) {
			continue
		}
		u := m.Usage
		fmt.Fprintf(&b, "%s: %d calls, %d in, %d out, %d cached, %d written, %d thought, %g premium, %g nano, %v of %d",
			m.Model, u.Requests, u.Input, u.Output, u.CacheRead, u.CacheWrite, u.Reasoning, u.Cost, u.NanoAIU, u.APITime, m.Timed)
		for _, i := range m.Initiators {
			fmt.Fprintf(&b, ", %d by %s", i.Calls, i.Name)
		}
		for _, i := range m.Items {
			fmt.Fprintf(&b, ", %d %s at %g per %d is %g", i.Tokens, i.Type, i.Price, i.BatchSize, i.NanoAIU)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func (f *feed) wantSplit(t *testing.T, when string, want ...string) {
	t.Helper()
	if got := split(f.Spending()); got != strings.Join(want, "\n")+"\n" {
		t.Errorf("%s: got\n%swant\n%s", when, got, strings.Join(want, "\n"))
	}
}

// TestUsageByModel splits what calls used by model, and who started them.
func TestUsageByModel(t *testing.T) {
	t.Parallel()
	detail := func(kind string, tokens int, price float64) session.TokenDetail {
		return session.TokenDetail{TokenType: kind, TokenCount: tokens, BatchSize: 1000, CostPerBatch: price}
	}
	big := session.AssistantUsage{
		Model: "big", InputTokens: 100, OutputTokens: 20, CacheReadTokens: 50, CacheWriteTokens: 5, ReasoningTokens: 7, Cost: 1,
		Duration: 1500, CopilotUsage: &session.CopilotUsage{
			TotalNanoAIU: 400, TokenDetails: []session.TokenDetail{detail("input", 100, 2000), detail("output", 20, 10000)},
		},
	}
	helper := session.AssistantUsage{Model: "small", InputTokens: 10, OutputTokens: 1, Initiator: "sub-agent", ParentToolCallID: "c"}
	f := newFeed().turn().live(big, big).stored(startOf("task", "{}"))
	f.agent("A", session.SubagentStarted{ToolCallID: "c", AgentName: "explore"}, helper)
	big.Initiator = "user"
	f.live(big, session.AssistantUsage{Model: "big", Initiator: "agent"})
	f.wantSplit(t, "live",
		"big: 4 calls, 300 in, 60 out, 150 cached, 15 written, 21 thought, 3 premium, 1200 nano, 4.5s of 3, 3 by user, 1 by agent, "+
			"300 input at 2000 per 1000 is 600, 60 output at 10000 per 1000 is 600",
		"small: 1 calls, 10 in, 1 out, 0 cached, 0 written, 0 thought, 0 premium, 0 nano, 0s of 0, 1 by sub-agent")
	if u := f.Status().Usage; u.Requests != 5 || u.Input != 310 || u.APITime != 4500*time.Millisecond {
		t.Errorf("the sum is %+v", u)
	}
	was := f.Spending()
	f.live(big)
	if was.Models[0].Usage.Requests != 4 || was.Models[0].Initiators[0].Calls != 3 {
		t.Errorf("what was read has changed: %+v", was.Models[0])
	}
}

// TestStoredUsageByModel: the sums of a checkpoint and of the end are of the
// calls that were counted, and are not added to them.
func TestStoredUsageByModel(t *testing.T) {
	t.Parallel()
	record := session.SessionUsageRecord{Usage: jsontext.Value(`{"model":"a","inputTokens":10,"outputTokens":2,"cost":1,"duration":500}`)}
	checkpoint := session.SessionUsageCheckpoint{
		ProviderModelMetrics: jsontext.Value(`[
			{"provider":{"id":"x"},"modelId":"a","metrics":{"requests":{"count":2,"cost":2},"usage":{"inputTokens":20,"outputTokens":4}}},
			{"provider":{"id":"y"},"modelId":"a","metrics":{"requests":{"count":1,"cost":0},"usage":{"inputTokens":5,"outputTokens":1}}}]`),
		AccountingSnapshot: jsontext.Value(`{"totalApiDurationMs":1200}`),
	}
	shutdown := session.SessionShutdown{TotalPremiumRequests: 2, TotalAPIDurationMs: 1200, ModelMetrics: map[string]session.ModelMetric{
		"a": {Requests: session.ModelRequests{Count: 3, Cost: 2}, Usage: session.ModelUsage{InputTokens: 25, OutputTokens: 5}},
		"b": {},
	}}
	want := "a: 3 calls, 25 in, 5 out, 0 cached, 0 written, 0 thought, 2 premium, 0 nano, 1s of 2, 2 by user"
	f := newFeed().stored(record, record, checkpoint)
	f.wantSplit(t, "a checkpoint", want)
	f.stored(shutdown, checkpoint, session.SessionResume{})
	f.wantSplit(t, "the end", want)
	if u := f.Status().Usage; u != (timeline.Usage{Requests: 3, Input: 25, Output: 5, Cost: 2, APITime: 1200 * time.Millisecond}) {
		t.Errorf("the sum is %+v", u)
	}
	f.live(session.AssistantUsage{Model: "a", InputTokens: 1, Duration: 100})
	f.wantSplit(t, "and on", "a: 4 calls, 26 in, 5 out, 0 cached, 0 written, 0 thought, 2 premium, 0 nano, 1.1s of 3, 3 by user")
	f = newFeed().stored(shutdown)
	f.wantSplit(t, "nothing but the end", "a: 3 calls, 25 in, 5 out, 0 cached, 0 written, 0 thought, 2 premium, 0 nano, 0s of 0")
}

// TestCompactionUsage: the tokens of a summary are in no other sum, unless the
// agent reported the call too.
func TestCompactionUsage(t *testing.T) {
	t.Parallel()
	complete := session.SessionCompactionComplete{
		Success: true, CompactionTokensUsed: &session.CompactionTokensUsed{Input: 100, Output: 20, CachedInput: 7},
	}
	runtimes := session.SessionCompactionComplete{CompactionTokensUsed: &session.CompactionTokensUsed{
		RequestCount: 2, Model: "m", InputTokens: 1000, OutputTokens: 200, CacheReadTokens: 70, CacheWriteTokens: 3, Duration: 2000,
		CopilotUsage: &session.CopilotUsage{TotalNanoAIU: 9},
	}}
	f := newFeed().live(session.AssistantUsage{Model: "m", InputTokens: 5}).
		stored(complete, runtimes, session.SessionCompactionComplete{Success: true})
	const compaction = ": 3 calls, 1100 in, 220 out, 77 cached, 3 written, 0 thought, 0 premium, 9 nano, 2s of 2, 3 by compaction"
	const m = "m: 1 calls, 5 in, 0 out, 0 cached, 0 written, 0 thought, 0 premium, 0 nano, 0s of 0, 1 by user"
	f.wantSplit(t, "both forms", m, compaction)
	if u := f.Status().Usage; u.Requests != 4 || u.Input != 1105 || u.Output != 220 || u.NanoAIU != 9 {
		t.Errorf("the sum is %+v", u)
	}
	f.stored(session.SessionShutdown{ModelMetrics: map[string]session.ModelMetric{"m": {
		Requests: session.ModelRequests{Count: 1}, Usage: session.ModelUsage{InputTokens: 5},
	}}})
	f.wantSplit(t, "the end", m, compaction)
	if u := f.Status().Usage; u.Input != 1105 {
		t.Errorf("at the end the sum is %+v", u)
	}
	f = newFeed().stored(complete).live(session.AssistantUsage{
		Model: "m", InputTokens: 100, OutputTokens: 20, CacheReadTokens: 7, CacheWriteTokens: 3, ReasoningTokens: 2, Cost: 1,
		InteractionType: "conversation-compaction", Initiator: "agent",
	})
	f.wantSplit(t, "reported too", "m: 1 calls, 100 in, 20 out, 7 cached, 3 written, 2 thought, 1 premium, 0 nano, 0s of 0, 1 by agent")
	if u := f.Status().Usage; u.Requests != 1 || u.Input != 100 || u.CacheWrite != 3 || u.Reasoning != 2 || u.Cost != 1 {
		t.Errorf("the sum is %+v", u)
	}
}

// TestCallsOfALogWithoutUsage: the messages say what they took, and the turns of
// all agents how often a model was called.
func TestCallsOfALogWithoutUsage(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().stored(session.AssistantMessage{MessageID: "m", Content: "x", OutputTokens: 40}, startOf("task", "{}"))
	f.agent("A", session.SubagentStarted{ToolCallID: "c", AgentName: "explore"}, session.AssistantTurnStart{},
		session.AssistantMessage{MessageID: "n", Content: "y", OutputTokens: 2})
	f.stored(session.AssistantTurnStart{ParentToolCallID: "c"}, session.AssistantMessage{MessageID: "o", OutputTokens: -5},
		session.AssistantMessage{MessageID: "p", Content: "z", ParentToolCallID: "c", OutputTokens: 100})
	if s := f.Status(); s.Turns != 1 || s.Calls != 3 || s.MessageOutput != 142 || s.Usage != (timeline.Usage{}) {
		t.Errorf("%d turns, %d calls, %d tokens, %+v", s.Turns, s.Calls, s.MessageOutput, s.Usage)
	}
	if s := f.Spending(); s.Models != nil || !reflect.DeepEqual(s.Compaction, timeline.ModelSpending{}) {
		t.Errorf("got %+v", s)
	}
}

// TestUsageIsBounded: no number of a log overflows a sum or is negative in it, and
// no log makes the report long.
func TestUsageIsBounded(t *testing.T) {
	t.Parallel()
	odd := session.AssistantUsage{
		Model: "m", InputTokens: math.MaxInt, OutputTokens: -1, ReasoningTokens: math.MinInt, Cost: math.MaxFloat64, Duration: -3,
		CopilotUsage: &session.CopilotUsage{TotalNanoAIU: math.Inf(1), TokenDetails: []session.TokenDetail{
			{TokenCount: -1, BatchSize: 0, CostPerBatch: math.MaxFloat64},
			{TokenCount: math.MaxInt, BatchSize: 1, CostPerBatch: math.MaxFloat64},
		}},
		QuotaSnapshots: map[string]session.QuotaSnapshot{
			"q": {UsedRequests: -1, Overage: math.NaN(), EntitlementRequests: math.Inf(1), RemainingPercentage: 1e9},
		},
	}
	f := newFeed()
	for range 3 {
		f.live(odd, session.AssistantUsage{Model: "m", Duration: 4e12}, session.SessionUsageInfo{MessagesLength: -4, CurrentTokens: math.MinInt})
		f.stored(
			session.SessionCompactionComplete{CompactionTokensUsed: &session.CompactionTokensUsed{Input: math.MaxInt, RequestCount: -9}},
			session.SessionShutdown{TotalAPIDurationMs: math.Inf(1), TotalPremiumRequests: math.NaN(), TotalNanoAIU: -1},
			session.AssistantMessage{OutputTokens: math.MaxInt})
	}
	const most = 1e15
	s := f.Status()
	u := s.Usage
	if u.Input != most || u.Output != 0 || u.Reasoning != 0 || u.Cost != most || u.NanoAIU != most || u.APITime <= 0 ||
		s.MessageOutput != most {
		t.Errorf("the sum is %+v, %d", u, s.MessageOutput)
	}
	if q := s.Quotas[0]; q.Used != 0 || q.Overage != 0 || q.Limit != most {
		t.Errorf("the quota is %+v", q)
	}
	if s.ContextMessages != 0 || s.ContextTokens != 0 {
		t.Errorf("the context is %+v", s)
	}
	for i := range 1000 {
		odd.Model, odd.Initiator = fmt.Sprint("model", i%500), fmt.Sprint("by", i)
		odd.CopilotUsage.TokenDetails = []session.TokenDetail{{TokenType: fmt.Sprint(i), BatchSize: i}}
		f.live(odd)
	}
	all := f.Spending()
	if n := len(all.Models); n != 65 {
		t.Errorf("%d models", n)
	}
	for _, m := range all.Models {
		if len(m.Initiators) > 17 || len(m.Items) > 33 {
			t.Errorf("%s has %d initiators and %d items", m.Model, len(m.Initiators), len(m.Items))
		}
	}
}
