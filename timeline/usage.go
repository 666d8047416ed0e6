package timeline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// applyUsage takes what calls of models use. The sums of the session are kept
// by spent, which sees the events of sub-agents too; what a prompt used counts
// where the prompt is.
func (t *Timeline) applyUsage(ev session.Event) Outcome {
	switch b := ev.Body.(type) {
	case session.AssistantUsage, session.SessionUsageRecord:
		if u, ok := usageOf(b); ok && t.interaction != nil {
			t.interaction.sum.Usage.add(callUsage(u))
			t.interaction.refresh()
		}
		t.filtered(ev, b)
		return Applied
	case session.SessionUsageCheckpoint:
		return Applied
	case session.SessionUsageInfo:
		t.contextFilled(b)
		return Applied
	}
	return Unhandled
}

// filtered tells that the provider did not let the model finish. Nothing else
// says it: the answer looks complete. What is cut off at the model's longest
// answer needs no word, for the agent has the model go on.
func (t *Timeline) filtered(ev session.Event, body session.Body) {
	if b, ok := body.(session.AssistantUsage); ok && b.FinishReason == "content_filter" {
		t.notice(ev, &Notice{
			Level:    Warning,
			Category: "filter",
			Text:     "The provider's content filter cut the answer off",
			Next:     "Reword the prompt, or choose another model with /model.",
		})
	}
}

// contextFilled takes how full the model's context is, and with what.
func (t *Timeline) contextFilled(b session.SessionUsageInfo) {
	t.status.ContextTokens, t.status.ContextLimit = b.CurrentTokens, b.TokenLimit
	t.contextParts(b.SystemTokens, b.ToolDefinitionsTokens, b.ConversationTokens)
}

// contextParts takes the parts of the context when an event tells them.
func (t *Timeline) contextParts(system, tools, conversation int) {
	if system+tools+conversation > 0 {
		t.status.SystemTokens, t.status.ToolTokens, t.status.ConversationTokens = system, tools, conversation
	}
}

// spent keeps the sums of the session, of this agent and of all below it. Live
// calls are told one by one; a stored log has a record of each, or a checkpoint
// or the end of the session that sum up what was before.
func (t *Timeline) spent(body session.Body) {
	switch b := body.(type) {
	case session.AssistantUsage, session.SessionUsageRecord:
		if u, ok := usageOf(b); ok {
			t.status.Usage.add(callUsage(u))
			t.quotas(u.QuotaSnapshots)
		}
	case session.SessionUsageCheckpoint:
		var list []struct {
			Metrics session.ModelMetric `json:"metrics"`
		}
		_ = json.Unmarshal(b.ProviderModelMetrics, &list) // of a shape that is not promised
		var sum Usage
		for _, m := range list {
			sum.add(modelUsage(m.Metrics))
		}
		t.status.Usage.atLeast(sum, b.TotalPremiumRequests, b.TotalNanoAIU)
	case session.SessionShutdown:
		var sum Usage
		for _, m := range b.ModelMetrics {
			sum.add(modelUsage(m))
		}
		t.status.Usage.atLeast(sum, b.TotalPremiumRequests, b.TotalNanoAIU)
		if b.CurrentTokens > 0 {
			t.status.ContextTokens = b.CurrentTokens
			t.contextParts(b.SystemTokens, b.ToolDefinitionsTokens, b.ConversationTokens)
		}
	}
}

// usageOf reads what one call of a model used: from the live event, or from the
// record of it that only stored logs have.
func usageOf(body session.Body) (session.AssistantUsage, bool) {
	switch b := body.(type) {
	case session.AssistantUsage:
		return b, true
	case session.SessionUsageRecord:
		var u session.AssistantUsage
		if b.Usage.Kind() != jsontext.KindBeginObject || json.Unmarshal(b.Usage, &u) != nil {
			return u, false
		}
		return u, true
	}
	return session.AssistantUsage{}, false
}

func callUsage(b session.AssistantUsage) Usage {
	u := Usage{
		Requests: 1,
		Input:    b.InputTokens,
		Output:   b.OutputTokens,
		Cached:   b.CacheReadTokens,
		Written:  b.CacheWriteTokens,
		Thought:  b.ReasoningTokens,
		Cost:     b.Cost,
	}
	if c := b.CopilotUsage; c != nil {
		u.NanoAIU = c.TotalNanoAIU
	}
	return u
}

func modelUsage(m session.ModelMetric) Usage {
	return Usage{
		Requests: m.Requests.Count,
		Input:    m.Usage.InputTokens,
		Output:   m.Usage.OutputTokens,
		Cached:   m.Usage.CacheReadTokens,
		Written:  m.Usage.CacheWriteTokens,
		Thought:  m.Usage.ReasoningTokens,
		Cost:     m.Requests.Cost,
		NanoAIU:  m.TotalNanoAIU,
	}
}

func (u *Usage) add(more Usage) {
	u.Requests += more.Requests
	u.Input += more.Input
	u.Output += more.Output
	u.Cached += more.Cached
	u.Written += more.Written
	u.Thought += more.Thought
	u.Cost += more.Cost
	u.NanoAIU += more.NanoAIU
}

// atLeast raises u to sums that were kept elsewhere. What was counted here since
// the session began may be more than they had, and less when it went on after a
// restart.
func (u *Usage) atLeast(sum Usage, premium, nanoAIU float64) {
	*u = Usage{
		Requests: max(u.Requests, sum.Requests),
		Input:    max(u.Input, sum.Input),
		Output:   max(u.Output, sum.Output),
		Cached:   max(u.Cached, sum.Cached),
		Written:  max(u.Written, sum.Written),
		Thought:  max(u.Thought, sum.Thought),
		Cost:     max(u.Cost, sum.Cost, premium),
		NanoAIU:  max(u.NanoAIU, sum.NanoAIU, nanoAIU),
	}
}

// quotas takes what the person's plan still gives.
func (t *Timeline) quotas(snapshots map[string]session.QuotaSnapshot) {
	if len(snapshots) == 0 {
		return
	}
	list := make([]Quota, 0, len(snapshots))
	for name, q := range snapshots {
		limit := max(0, q.EntitlementRequests)
		if q.IsUnlimitedEntitlement {
			limit = 0
		}
		list = append(list, Quota{Name: name, Used: q.UsedRequests, Limit: limit, Left: q.RemainingPercentage, Resets: q.ResetDate})
	}
	slices.SortFunc(list, func(a, b Quota) int { return cmp.Or(strings.Compare(a.Name, b.Name)) })
	if !slices.Equal(list, t.status.Quotas) {
		t.status.Quotas = list
	}
}
