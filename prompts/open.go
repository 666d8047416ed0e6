package prompts

import (
	"parley/session"
)

// open puts a question on a dialog; nil if there is none for its kind.
func (q *Queue) open(ev session.Event, ask session.Ask) dialog {
	switch a := ask.(type) {
	case session.PermissionRequested:
		if a.OwnerAgentID == "" {
			a.OwnerAgentID = ev.Agent
		}
		return newPermission(a, q.agents[a.OwnerAgentID], q.places)
	case session.UserInputRequested:
		return q.asked(newInput(a), ev)
	case session.FolderTrustRequested:
		return newTrust(a, q.places)
	case session.ElicitationRequested:
		if a.Mode == session.URLMode {
			return newLink(a, ev.Agent, q.agents[ev.Agent])
		}
		return newForm(a, ev.Agent, q.agents[ev.Agent], &q.forms)
	case session.ExitPlanModeRequested:
		return q.openPlan(a, ev)
	case session.McpOAuthRequired:
		return newOAuth(a)
	case session.AutoModeSwitchRequested:
		return q.asked(newModelLimit(a), ev)
	case session.SessionLimitsExhaustedRequested:
		return q.asked(newSpendingLimit(a), ev)
	}
	return nil
}

// asked says on a card who asks.
func (q *Queue) asked(c *card, ev session.Event) *card {
	c.of.agent = ev.Agent
	if name := q.agents[ev.Agent]; name != "" {
		c.facts = append(c.facts, fact{label: "asked by", text: name})
	}
	return c
}

// openPlan shows a plan beside the one before it of the same agent. A plan
// whose answer could not be delivered comes back as it was.
func (q *Queue) openPlan(r session.ExitPlanModeRequested, ev session.Event) *card {
	before := q.plans[ev.Agent]
	if before == nil || before.of.request != r.RequestID {
		q.plans[ev.Agent] = q.asked(newPlan(r, before), ev)
	}
	return q.plans[ev.Agent]
}
