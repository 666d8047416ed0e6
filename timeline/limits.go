package timeline

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"parley/session"
)

// applyService takes the questions of services: about signing in, about limits,
// and those of chat agents.
func (q *questions) applyService(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.McpOAuthRequired:
		// Signing in is no matter of the turn: like a permission it stays open
		// when that ends.
		a := &ask{question: "Sign in to MCP server " + quoted(b.ServerName) + "?", permission: true}
		return q.ask(ev, b.RequestID, a)
	case session.McpOAuthCompleted:
		if b.Outcome == "token" {
			return q.endQuestion(ev, b.RequestID, "Signed in", Done)
		}
		return q.endQuestion(ev, b.RequestID, "Not signed in", Cancelled)
	case session.AutoModeSwitchRequested:
		return q.ask(ev, b.RequestID, &ask{question: "The model is at its limit. Continue with another?"})
	case session.AutoModeSwitchCompleted:
		return q.switchAnswered(ev, b)
	case session.SessionLimitsExhaustedRequested:
		used, most := number(b.UsedAICredits), number(b.MaxAICredits)
		return q.ask(ev, b.RequestID, &ask{question: "This session has used " + used + " of " + most + " AI credits. Continue?"})
	case session.SessionLimitsExhaustedCompleted:
		return q.limitAnswered(ev, b)
	case session.SessionPermissionRecovery:
		return q.permissionRecovery(ev, b)
	case session.PermissionCarriedForward:
		return q.carriedForward(ev, b)
	case session.ConfirmationRequested:
		return q.ask(ev, b.RequestID, &ask{
			question: cmp.Or(joinLines(strings.TrimSpace(b.Title), strings.TrimSpace(b.Message)), "A confirmation without words"),
		})
	case session.ConfirmationCompleted:
		return q.confirmationCompleted(ev, b)
	}
	return Unhandled
}

func (q *questions) switchAnswered(ev session.Event, b session.AutoModeSwitchCompleted) ApplyResult {
	switch b.Response {
	case session.SwitchYes:
		return q.endQuestion(ev, b.RequestID, "Yes", Done)
	case session.SwitchAlways:
		return q.endQuestion(ev, b.RequestID, "Yes, always", Done)
	}
	return q.endQuestion(ev, b.RequestID, "No", Refused)
}

func (q *questions) limitAnswered(ev session.Event, b session.SessionLimitsExhaustedCompleted) ApplyResult {
	var r struct {
		Action string  `json:"action"`
		Add    float64 `json:"additionalAiCredits"`
		Most   float64 `json:"maxAiCredits"`
	}
	_ = json.Unmarshal(b.Response, &r) // an answer that cannot be read is none
	switch r.Action {
	case session.LimitAdd:
		return q.endQuestion(ev, b.RequestID, "Yes, with "+number(r.Add)+" more", Done)
	case session.LimitSet:
		return q.endQuestion(ev, b.RequestID, "Yes, up to "+number(r.Most), Done)
	case session.LimitUnset:
		return q.endQuestion(ev, b.RequestID, "Yes, without a limit", Done)
	case session.LimitCancel:
		return q.endQuestion(ev, b.RequestID, "No", Refused)
	}
	return q.endQuestion(ev, b.RequestID, "", Cancelled)
}

// permissionRecovery is the one line about what autopilot does when it may not
// continue: it looks for another way, and in the end finds one, asks, or stops.
func (q *questions) permissionRecovery(ev session.Event, b session.SessionPermissionRecovery) ApplyResult {
	id := entryID("recovery", b.EpisodeID+string(b.OwnerAgentID))
	e := q.index[id]
	if e == nil {
		e = q.addVerboseOnly(ev, id, &Notice{Category: "permissions"}, Live)
	}
	q.addOrigin(e, ev)
	n := noticeOf(e)
	*n, e.VerboseOnly = Notice{Category: n.Category}, true
	switch b.Status {
	case "resolved":
		n.Text = withReason("Autopilot continues after a refusal", humanize(b.Reason))
		q.seal(ev, e, Done)
		return Applied
	case "blocked":
		n.Level, e.VerboseOnly = Warning, false
		n.Text = withReason("Autopilot found no way around a refusal", humanize(b.Reason))
		n.Next = "Tell it how to continue, or allow what it asked for."
		q.seal(ev, e, Failed)
		return Applied
	case "awaiting_approval":
		n.Text = "Autopilot found no way around a refusal, and asks"
	default:
		n.Text = "Autopilot looks for a way around a refusal"
	}
	q.reopen(e)
	q.touch(e)
	return Applied
}

// carriedForward reports a call that the user was not asked about.
func (q *questions) carriedForward(ev session.Event, b session.PermissionCarriedForward) ApplyResult {
	what := "a call"
	if e := q.index[entryID("call", string(b.ToolCallID))]; e != nil {
		if c, ok := e.Body.(*ToolCall); ok && c.activity != "" {
			what = c.activity
		}
	}
	return q.verboseNotice(ev, &Notice{Category: "permissions", Text: "An earlier answer decided about " + what})
}

// number writes a number without a fraction that is none.
func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
