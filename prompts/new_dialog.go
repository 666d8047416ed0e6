package prompts

import (
	"cmp"
	"reflect"

	"parley/session"
)

// open puts a question on a dialog; nil if there is none for its kind.
func (q *Queue) open(ev session.Event, ask session.Ask) dialog {
	if unread := unreadOf(ev); len(unread) > 0 {
		if c := newUnread(ev, ask, unread); c != nil {
			return q.signed(c, ev)
		}
		return nil
	}
	switch a := ask.(type) {
	case session.PermissionRequested:
		if a.OwnerAgentID == "" {
			a.OwnerAgentID = ev.Agent
		}
		return newPermission(a, q.asker(a.OwnerAgentID), q.places)
	case session.UserInputRequested:
		return q.signed(newInput(a), ev)
	case session.FolderTrustRequested:
		return newTrust(a, q.places)
	case session.ConfirmationRequested:
		return newConfirmation(a)
	case session.ElicitationRequested:
		if a.Mode == session.URLMode {
			return newLink(a, ev.Agent, q.asker(ev.Agent))
		}
		return newForm(a, ev.Agent, q.asker(ev.Agent), &q.forms)
	case session.ExitPlanModeRequested:
		return q.openPlan(a, ev)
	case session.McpOAuthRequired:
		return newOAuth(a)
	case session.AutoModeSwitchRequested:
		return q.signed(newModelLimit(a), ev)
	case session.SessionLimitsExhaustedRequested:
		return q.signed(newSpendingLimit(a), ev)
	}
	return nil
}

// asker is the name of a sub-agent; "" for the root agent.
func (q *Queue) asker(id session.AgentID) string {
	if id == "" {
		return ""
	}
	return cmp.Or(q.agents[id], "a sub-agent")
}

// signed says on a card who asks.
func (q *Queue) signed(c *card, ev session.Event) *card {
	c.of.agent = ev.Agent
	if name := q.asker(ev.Agent); name != "" {
		c.facts = append(c.facts, fact{label: "asked by", text: name})
	}
	return c
}

// openPlan shows a plan beside the one before it of the same agent. A plan
// whose answer could not be delivered comes back as it was.
func (q *Queue) openPlan(r session.ExitPlanModeRequested, ev session.Event) *card {
	before := q.plans[ev.Agent]
	if before == nil || !planOf(before, r) {
		q.plans[ev.Agent] = q.signed(newPlan(r, before), ev)
	}
	return q.plans[ev.Agent]
}

// planOf reports whether a card is that of a question about a plan.
func planOf(c *card, r session.ExitPlanModeRequested) bool {
	d, ok := c.payload.(*planDocument)
	return ok && reflect.DeepEqual(d.asked, r)
}
