package timeline

import (
	"maps"
	"slices"
	"time"

	"parley/session"
)

// tokenUsage is what calls of models use. The sums of the session are kept by
// spent, which sees the events of sub-agents too; what a prompt used counts where
// the prompt is.
type tokenUsage struct {
	*turns
	ledger ledger
}

func (u *tokenUsage) apply(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.AssistantUsage, session.SessionUsageRecord:
		if call, ok := usageOf(b); ok && u.interaction != nil {
			u.interaction.sum.Usage.Add(callUsage(call))
			u.interaction.refresh()
		}
		u.filtered(ev, b)
		return Applied
	case session.SessionUsageCheckpoint:
		return Applied
	case session.SessionUsageInfo:
		u.status.ContextTokens, u.status.ContextLimit = counted(b.CurrentTokens), counted(b.TokenLimit)
		u.status.ContextMessages = counted(b.MessagesLength)
		u.contextParts(b.SystemTokens, b.ToolDefinitionsTokens, b.ConversationTokens)
		if b.Cost != nil {
			u.status.Cost = *b.Cost
		}
		return Applied
	}
	return Unhandled
}

// filtered shows that the provider did not let the model finish. Nothing else
// does: the answer looks complete. What is cut off at the model's longest
// answer needs no notice, since the agent has the model continue.
func (u *tokenUsage) filtered(ev session.Event, body session.Body) {
	if b, ok := body.(session.AssistantUsage); ok && b.FinishReason == "content_filter" {
		u.notice(ev, &Notice{
			Level:    Warning,
			Category: "filter",
			Text:     "The provider's content filter cut the answer off",
			Next:     "Reword the prompt, or choose another model with /model.",
		})
	}
}

// contextParts takes the parts of the context when an event has them.
func (u *tokenUsage) contextParts(system, tools, conversation int) {
	system, tools, conversation = counted(system), counted(tools), counted(conversation)
	if system+tools+conversation > 0 {
		u.status.SystemTokens, u.status.ToolTokens, u.status.ConversationTokens = system, tools, conversation
	}
}

// spent keeps the sums of the session, of this agent and of all below it.
func (u *tokenUsage) spent(body session.Body) {
	switch b := body.(type) {
	case session.AssistantTurnStart:
		u.status.Calls++
		return
	case session.AssistantMessage:
		u.status.MessageOutput = plus(u.status.MessageOutput, counted(b.OutputTokens))
		return
	case session.AssistantUsage, session.SessionUsageRecord:
		if call, ok := usageOf(b); ok {
			u.ledger.call(call)
			u.quotas(call.QuotaSnapshots)
		}
	case session.SessionCompactionComplete:
		if b.CompactionTokensUsed != nil {
			u.ledger.compacted(*b.CompactionTokensUsed)
		}
	case session.SessionUsageCheckpoint:
		u.ledger.reached(b.Models(), Usage{
			Cost: amount(b.TotalPremiumRequests), NanoAIU: amount(b.TotalNanoAIU), APITime: milliseconds(b.APIDurationMs()),
		})
	case session.SessionShutdown:
		u.ledger.reached(ofModels(b.ModelMetrics), Usage{
			Cost: amount(b.TotalPremiumRequests), NanoAIU: amount(b.TotalNanoAIU), APITime: milliseconds(b.TotalAPIDurationMs),
		})
		if b.CurrentTokens > 0 {
			u.status.ContextTokens = counted(b.CurrentTokens)
			u.contextParts(b.SystemTokens, b.ToolDefinitionsTokens, b.ConversationTokens)
		}
	default:
		return
	}
	u.status.Usage = u.ledger.total()
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
func (u *tokenUsage) quotas(snapshots map[string]session.QuotaSnapshot) {
	if len(snapshots) == 0 {
		return
	}
	list := make([]session.Quota, 0, len(snapshots))
	for _, name := range slices.Sorted(maps.Keys(snapshots)) {
		q := snapshots[name]
		quota := session.Quota{
			Name: name, Used: amount(q.UsedRequests), Limit: amount(q.EntitlementRequests), Overage: amount(q.Overage),
			UsageAllowed: q.UsageAllowedWithExhaustedQuota, OverageAllowed: q.OverageAllowedWithExhaustedQuota,
		}
		if q.IsUnlimitedEntitlement {
			quota.Limit = 0
		}
		quota.Resets, _ = time.Parse(time.RFC3339, q.ResetDate) // one that cannot be read is not known
		list = append(list, quota)
	}
	u.status.Quotas = list
}
