package timeline

import (
	"strconv"

	"github.com/go-json-experiment/json"

	"parley/session"
)

// applyOutcome tells how questions about services, limits and earlier answers
// ended.
func (t *Timeline) applyOutcome(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.McpOAuthRequired:
		// Signing in is no matter of the turn: like a permission it stays open
		// when that ends.
		a := &ask{question: "Sign in to MCP server " + quoted(b.ServerName) + "?", permission: true}
		return t.ask(ev, b.RequestID, a)
	case session.McpOAuthCompleted:
		if b.Outcome == "token" {
			return t.receipt(ev, b.RequestID, "Signed in", Done)
		}
		return t.receipt(ev, b.RequestID, "Not signed in", Cancelled)
	case session.McpOAuthRecoveryCompleted:
		return t.signedInAgain(ev, b)
	case session.AutoModeSwitchRequested:
		return t.ask(ev, b.RequestID, &ask{question: "The model is at its limit. Go on with another?"})
	case session.AutoModeSwitchCompleted:
		return t.switchAnswered(ev, b)
	case session.SessionLimitsExhaustedRequested:
		used, most := number(b.UsedAICredits), number(b.MaxAICredits)
		return t.ask(ev, b.RequestID, &ask{question: "This session has used " + used + " of " + most + " AI credits. Go on?"})
	case session.SessionLimitsExhaustedCompleted:
		return t.limitAnswered(ev, b)
	case session.SessionSessionLimitsChanged:
		return t.limitsChanged(ev, b)
	case session.SessionPermissionRecovery:
		return t.permissionRecovery(ev, b)
	case session.CommandQueued: // whoever carries it out, or leaves it out, says so besides
		return t.minor(ev, &Notice{Category: "command", Text: "The agent's queue has come to the command " + quoted(b.Command)})
	case session.PermissionCarriedForward:
		return t.carriedForward(ev, b)
	}
	return Unhandled
}

func (t *Timeline) signedInAgain(ev session.Event, b session.McpOAuthRecoveryCompleted) ApplyResult {
	n := &Notice{Category: "mcp"}
	switch b.Outcome {
	case "succeeded":
		n.Level, n.Text = Success, "Signed in to MCP server "+quoted(b.ServerName)+" again"
	case "cancelled":
		n.Text = "Signing in to MCP server " + quoted(b.ServerName) + " again was cancelled"
	default:
		n.Level, n.Text = Warning, "Signing in to MCP server "+quoted(b.ServerName)+" again did not work"
		n.Next = "Restart the server with /mcp to try once more."
	}
	return t.notice(ev, n)
}

func (t *Timeline) switchAnswered(ev session.Event, b session.AutoModeSwitchCompleted) ApplyResult {
	switch b.Response {
	case session.SwitchYes:
		return t.receipt(ev, b.RequestID, "Yes", Done)
	case session.SwitchAlways:
		return t.receipt(ev, b.RequestID, "Yes, always", Done)
	}
	return t.receipt(ev, b.RequestID, "No", Refused)
}

func (t *Timeline) limitAnswered(ev session.Event, b session.SessionLimitsExhaustedCompleted) ApplyResult {
	var r struct {
		Action string  `json:"action"`
		Add    float64 `json:"additionalAiCredits"`
		Most   float64 `json:"maxAiCredits"`
	}
	_ = json.Unmarshal(b.Response, &r) // an answer that cannot be read is none
	switch r.Action {
	case session.LimitAdd:
		return t.receipt(ev, b.RequestID, "Yes, with "+number(r.Add)+" more", Done)
	case session.LimitSet:
		return t.receipt(ev, b.RequestID, "Yes, up to "+number(r.Most), Done)
	case session.LimitUnset:
		return t.receipt(ev, b.RequestID, "Yes, without a limit", Done)
	case session.LimitCancel:
		return t.receipt(ev, b.RequestID, "No", Refused)
	}
	return t.receipt(ev, b.RequestID, "", Cancelled)
}

func (t *Timeline) limitsChanged(ev session.Event, b session.SessionSessionLimitsChanged) ApplyResult {
	var limits struct {
		Most float64 `json:"maxAiCredits"`
	}
	_ = json.Unmarshal(b.SessionLimits, &limits) // null is no limit
	limit := ""
	if limits.Most > 0 {
		limit = number(limits.Most)
	}
	if limit == t.noted.limit {
		return Ignored
	}
	t.noted.limit = limit
	text := "This session may use as many AI credits as it takes"
	if limit != "" {
		text = "This session may use " + limit + " AI credits"
	}
	return t.notice(ev, &Notice{Category: "limits", Text: text})
}

// permissionRecovery is the one line about what autopilot does when it may not
// go on: it looks for another way, and in the end finds one, asks, or stops.
func (t *Timeline) permissionRecovery(ev session.Event, b session.SessionPermissionRecovery) ApplyResult {
	id := entryID("recovery", b.EpisodeID+string(b.OwnerAgentID))
	e := t.index[id]
	if e == nil {
		e = t.addMinor(ev, id, &Notice{Category: "permissions"}, Live)
	}
	t.from(e, ev)
	n := noticeOf(e)
	*n, e.VerboseOnly = Notice{Category: n.Category}, true
	switch b.Status {
	case "resolved":
		n.Text = because("Autopilot goes on after a refusal", words(b.Reason))
		t.seal(ev, e, Done)
		return Applied
	case "blocked":
		n.Level, e.VerboseOnly = Warning, false
		n.Text = because("Autopilot found no way around a refusal", words(b.Reason))
		n.Next = "Tell it how to go on, or allow what it asked for."
		t.seal(ev, e, Failed)
		return Applied
	case "awaiting_approval":
		n.Text = "Autopilot found no way around a refusal, and asks"
	default:
		n.Text = "Autopilot looks for a way around a refusal"
	}
	t.reopen(e)
	t.touch(e)
	return Applied
}

// carriedForward tells of a call that nobody was asked about.
func (t *Timeline) carriedForward(ev session.Event, b session.PermissionCarriedForward) ApplyResult {
	what := "a call"
	if e := t.index[entryID("call", string(b.ToolCallID))]; e != nil {
		if c, ok := e.Body.(*ToolCall); ok && c.doing != "" {
			what = c.doing
		}
	}
	return t.minor(ev, &Notice{Category: "permissions", Text: "An earlier answer decided about " + what})
}

// number writes a number without a fraction that is none.
func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
