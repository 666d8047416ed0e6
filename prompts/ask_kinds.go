package prompts

import (
	"cmp"
	"strings"

	"parley/session"
)

// askKind is what differs between the kinds of questions that have a dialog. Each
// is beside its dialog. Its texts are not sanitised.
type askKind struct {
	of    about  // what the question belongs to and what ends it
	topic string // what it is about, in one line
	wish  string // what the agent wants: the rest of a sentence that begins with the agent
	words bool   // it asks for the user's words, and its answer allows nothing
	open  func(q *Queue, of about, ev session.Event) dialog
}

// The topic of a question that names none, and the wish with it.
const someTopic, someWish = "a question", "needs an answer"

// kindOf returns the kind of a question; open is nil if it has no dialog.
func kindOf(ask session.Ask) askKind {
	switch a := ask.(type) {
	case session.PermissionRequested:
		return permissionKind(a)
	case session.UserInputRequested:
		return inputKind(a)
	case session.FolderTrustRequested:
		return trustKind(a)
	case session.ConfirmationRequested:
		return confirmationKind(a)
	case session.ElicitationRequested:
		return elicitationKind(a)
	case session.ExitPlanModeRequested:
		return planKind(a)
	case session.McpOAuthRequired:
		return oauthKind(a)
	case session.AutoModeSwitchRequested:
		return limitKind(a.RequestID, func(of about) *choiceDialog { return newModelLimit(a, of) })
	case session.SessionLimitsExhaustedRequested:
		return limitKind(a.RequestID, func(of about) *choiceDialog { return newSpendingLimit(a, of) })
	}
	return askKind{topic: someTopic, wish: someWish}
}

// Topic returns what a question is about, in one line that is not sanitised.
func Topic(ask session.Ask) string { return kindOf(ask).topic }

// Wish returns what the agent wants with a question, in a few words that are not
// sanitised: the rest of a sentence that begins with the agent.
func Wish(ask session.Ask) string { return kindOf(ask).wish }

// IsApproval reports whether the answer to a question allows something, or refuses it.
func IsApproval(ask session.Ask) bool { return !kindOf(ask).words }

// open puts a question on a dialog; nil if its kind has no dialog.
func (q *Queue) open(ev session.Event, ask session.Ask) dialog {
	k, unread := kindOf(ask), unreadOf(ev)
	switch {
	case k.open == nil:
		return nil
	case len(unread) > 0:
		return q.signed(newUnread(ev, ask, k.of, unread), ev)
	}
	return k.open(q, k.of, ev)
}

// asker is the name of a sub-agent; "" for the root agent.
func (q *Queue) asker(id session.AgentID) string {
	if id == "" {
		return ""
	}
	return cmp.Or(q.agents[id], "a sub-agent")
}

// signed adds to a card who asks.
func (q *Queue) signed(c *choiceDialog, ev session.Event) *choiceDialog {
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
