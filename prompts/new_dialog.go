package prompts

import (
	"cmp"
	"reflect"
	"strings"

	"parley/session"
)

// askKind is what differs between the kinds of questions that have a dialog. Each
// kind has its methods beside its dialog.
type askKind interface {
	// open returns the dialog.
	open(q *Queue, ev session.Event) dialog
	// about returns what the question belongs to and what ends it, without its agent.
	about() about
	// topic returns what it is about, in one line.
	topic() string
	// wish returns what the agent wants to do about the topic.
	wish(topic string) string
}

// kindOf returns the kind of a question; nil if it has no dialog.
func kindOf(ask session.Ask) askKind {
	switch a := ask.(type) {
	case session.PermissionRequested:
		return permissionAsk{a}
	case session.UserInputRequested:
		return inputAsk{a}
	case session.FolderTrustRequested:
		return trustAsk{a}
	case session.ConfirmationRequested:
		return confirmationAsk{a}
	case session.ElicitationRequested:
		return elicitationAsk{a}
	case session.ExitPlanModeRequested:
		return planAsk{a}
	case session.McpOAuthRequired:
		return oauthAsk{a}
	case session.AutoModeSwitchRequested:
		return modelLimitAsk{a}
	case session.SessionLimitsExhaustedRequested:
		return spendingLimitAsk{a}
	}
	return nil
}

// Topic returns what a question is about, in one line that is not sanitised.
func Topic(ask session.Ask) string {
	if k := kindOf(ask); k != nil {
		return k.topic()
	}
	return "a question"
}

// Wish returns what the agent wants with a question, in a few words that are not
// sanitised: the rest of a sentence that begins with the agent.
func Wish(ask session.Ask) string {
	if k := kindOf(ask); k != nil {
		return k.wish(k.topic())
	}
	return "needs an answer"
}

// open puts a question on a dialog; nil if there is none for its kind.
func (q *Queue) open(ev session.Event, ask session.Ask) dialog {
	if unread := unreadOf(ev); len(unread) > 0 {
		if c := newUnread(ev, ask, unread); c != nil {
			return q.signed(c, ev)
		}
		return nil
	}
	if k := kindOf(ask); k != nil {
		return k.open(q, ev)
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

// firstLine returns the first line of a text that has one.
func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
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
