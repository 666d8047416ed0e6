package timeline

import (
	"slices"
	"strings"

	"parley/session"
)

// applyUsage takes what calls of models use. The sums of the session are kept
// by spent, which sees the events of sub-agents too; what a prompt used counts
// where the prompt is.
func (t *Timeline) applyUsage(ev session.Event) ApplyResult {
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
	t.status.ContextTokens, t.status.ContextLimit = counted(b.CurrentTokens), counted(b.TokenLimit)
	t.status.ContextMessages = counted(b.MessagesLength)
	t.contextParts(b.SystemTokens, b.ToolDefinitionsTokens, b.ConversationTokens)
}

// contextParts takes the parts of the context when an event tells them.
func (t *Timeline) contextParts(system, tools, conversation int) {
	system, tools, conversation = counted(system), counted(tools), counted(conversation)
	if system+tools+conversation > 0 {
		t.status.SystemTokens, t.status.ToolTokens, t.status.ConversationTokens = system, tools, conversation
	}
}

// spent keeps the sums of the session, of this agent and of all below it.
func (t *Timeline) spent(body session.Body) {
	switch b := body.(type) {
	case session.AssistantTurnStart:
		t.status.Calls++
		return
	case session.AssistantMessage:
		t.status.MessageOutput = plus(t.status.MessageOutput, counted(b.OutputTokens))
		return
	case session.AssistantUsage, session.SessionUsageRecord:
		if u, ok := usageOf(b); ok {
			t.ledger.call(u)
			t.quotas(u.QuotaSnapshots)
		}
	case session.SessionCompactionComplete:
		if b.CompactionTokensUsed != nil {
			t.ledger.compacted(*b.CompactionTokensUsed)
		}
	case session.SessionUsageCheckpoint:
		t.ledger.reached(b.Models(), Usage{
			Cost: amount(b.TotalPremiumRequests), NanoAIU: amount(b.TotalNanoAIU), APITime: milliseconds(b.APIDurationMs()),
		})
	case session.SessionShutdown:
		t.ledger.reached(ofModels(b.ModelMetrics), Usage{
			Cost: amount(b.TotalPremiumRequests), NanoAIU: amount(b.TotalNanoAIU), APITime: milliseconds(b.TotalAPIDurationMs),
		})
		if b.CurrentTokens > 0 {
			t.status.ContextTokens = counted(b.CurrentTokens)
			t.contextParts(b.SystemTokens, b.ToolDefinitionsTokens, b.ConversationTokens)
		}
	default:
		return
	}
	t.status.Usage = t.ledger.total()
}

// usageOf reads what one call of a model used: from the live event, or from the
// record of it that only stored logs have.
func usageOf(body session.Body) (session.AssistantUsage, bool) {
	switch b := body.(type) {
	case session.AssistantUsage:
		return b, true
	case session.SessionUsageRecord:
		return b.Call()
	}
	return session.AssistantUsage{}, false
}

// quotas takes what the user's plan still gives.
func (t *Timeline) quotas(snapshots map[string]session.QuotaSnapshot) {
	if len(snapshots) == 0 {
		return
	}
	list := make([]Quota, 0, len(snapshots))
	for name, q := range snapshots {
		limit := amount(q.EntitlementRequests)
		if q.IsUnlimitedEntitlement {
			limit = 0
		}
		list = append(list, Quota{
			Name: name, Used: amount(q.UsedRequests), Limit: limit, Left: min(amount(q.RemainingPercentage), 100),
			Overage: amount(q.Overage), UsageAllowed: q.UsageAllowedWithExhaustedQuota,
			OverageAllowed: q.OverageAllowedWithExhaustedQuota, Resets: q.ResetDate,
		})
	}
	slices.SortFunc(list, func(a, b Quota) int { return strings.Compare(a.Name, b.Name) })
	t.status.Quotas = list
}
