package timeline

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json"

	"parley/session"
)

// permissionRequested marks the call that the question is about. A question may
// come before anything else about its call, so the call may be born here.
func (q *questions) permissionRequested(ev session.Event, b session.PermissionRequested) ApplyResult {
	if b.ResolvedByHook {
		return Ignored
	}
	r, id := b.PermissionRequest, b.PermissionRequest.ToolCallID
	if p := b.PromptRequest; p != nil {
		id = cmp.Or(p.ToolCallID, id)
	}
	e, c := q.call(ev, id)
	a := &ask{question: permissionQuestion(b), call: e, permission: true}
	if e == nil {
		return q.ask(ev, b.RequestID, a)
	}
	switch {
	case e.State == Cancelled && !c.ended && !ev.Replayed:
		q.reopen(e) // pending work of a session that was resumed
	case e.State.Final():
		return Ignored
	}
	e.confirmed = true
	q.addOrigin(e, ev)
	c.Intention = cmp.Or(c.Intention, r.Intention)
	c.Server = cmp.Or(c.Server, r.ServerName)
	c.Title = cmp.Or(c.Title, r.ToolTitle)
	if c.Name == "" {
		c.guess(r)
	}
	if asked := c.Command(); r.Kind == "shell" && asked != "" && r.FullCommandText != "" && asked != r.FullCommandText {
		c.guess(r) // it is what runs
		text := "A hook changed the command; the agent asked for: " + oneLine(asked)
		q.add(ev, entryID("changed", string(b.RequestID)), &Notice{Category: "hook", Level: Warning, Text: text}, Done)
	}
	c.Waiting, c.unanswered = !ev.Replayed, true
	q.touch(e)
	return q.ask(ev, b.RequestID, a)
}

// guess fills a call in from a question that came before the call itself.
func (c *ToolCall) guess(r session.PermissionRequest) {
	c.Name = r.ToolName
	args := map[string]string{}
	switch r.Kind {
	case "shell":
		c.Name, args["command"] = cmp.Or(r.ShellType, "bash"), r.FullCommandText
	case "write":
		c.Name, args["path"] = "edit", r.FileName
	case "read":
		c.Name, args["path"] = "view", r.Path
	case "url":
		c.Name, args["url"] = "web_fetch", r.URL
	}
	if len(args) == 0 {
		c.setArguments(r.Args)
		return
	}
	if raw, err := json.Marshal(args); err == nil {
		c.setArguments(raw)
	}
}

func permissionQuestion(b session.PermissionRequested) string {
	r := b.PermissionRequest
	switch r.Kind {
	case "shell":
		return "Run " + r.FullCommandText + "?"
	case "write":
		return "Write " + r.FileName + "?"
	case "read":
		return "Read " + r.Path + "?"
	case "url":
		return "Fetch " + r.URL + "?"
	case "mcp", "custom-tool":
		return "Use " + cmp.Or(r.ToolTitle, r.ToolName) + "?"
	case "memory":
		return "Remember this? " + r.Fact
	}
	return "Allow " + cmp.Or(humanize(r.Kind), "this") + "?"
}

// permissionCompleted takes the waiting off the call, and marks one that was
// refused at once: the end of the call may be a while. The clock of a call that
// continues restarts, since the time it waited for a user is not its own.
func (q *questions) permissionCompleted(ev session.Event, b session.PermissionCompleted) ApplyResult {
	a := q.pending[b.RequestID]
	if a != nil && a.call == nil && b.ToolCallID == "" {
		answer, s := permissionAnswer(b.Result)
		return q.endQuestion(ev, b.RequestID, answer, s)
	}
	delete(q.pending, b.RequestID)
	e, c := q.questionedCall(ev, a, b.ToolCallID)
	if e == nil || e.State.Final() {
		return Ignored
	}
	e.confirmed = true
	q.addOrigin(e, ev)
	open, asked := q.pending.about(e)
	c.Waiting = asked
	switch {
	case b.Result.Approved():
		e.At, c.unanswered = ev.Time, open
		q.touch(e)
	case b.Result.Kind == "", b.Result.Kind == "cancelled": // it may have been refused, or not have been answered
		q.touch(e)
	default:
		c.refuse(b.Result)
		q.seal(ev, e, Refused)
	}
	return Applied
}

// questionedCall returns the call that a settled question was about.
func (q *questions) questionedCall(ev session.Event, a *ask, id session.CallID) (*Entry, *ToolCall) {
	if a != nil && a.call != nil && a.call.pos >= 0 {
		c, _ := a.call.Body.(*ToolCall)
		return a.call, c
	}
	return q.call(ev, id)
}

// about reports whether a question about a call is open, also one of stored
// history, and whether the user is asked it: one about a path or an address may
// come before the one about the command.
func (q pendingQuestions) about(e *Entry) (open, asked bool) {
	for _, a := range q {
		if a.call == e {
			open, asked = true, asked || !a.replayed
		}
	}
	return open, asked
}

// permissionAnswer is how a question about no call ended.
func permissionAnswer(r session.PermissionResult) (answer string, s State) {
	switch {
	case r.Approved():
		return "Allowed", Done
	case r.Kind == "cancelled":
		return "", Cancelled
	case r.Kind == "":
		return answered, Done
	}
	answer = "Refused" + refuserOf(r).String()
	if why := refusalReason(r); why != "" {
		answer += ": " + why
	}
	return answer, Refused
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

// Refuser is who refused what the agent wanted to do.
type Refuser uint8

// The refusers. Only the first is not known: the log does not say it.
const (
	UnknownRefuser Refuser = iota
	RefusedByUser
	RefusedByRule
	RefusedByPolicy // one that keeps content from the agent
	RefusedByHook
	RefusedUnasked // no rule allows it, and there was no user to ask

	refusers // how many there are
)

// Refusals count refused calls by who refused them.
type Refusals [refusers]int

// Each calls do with everyone who refused something, and how often, in the order
// of the refusers; the unknown come last.
func (r Refusals) Each(do func(by Refuser, n int)) {
	for i := range refusers {
		by := (i + 1) % refusers
		if r[by] > 0 {
			do(by, r[by])
		}
	}
}

// String says in words who refused, as what follows "refused"; "" where it is
// not known.
func (r Refuser) String() string {
	return [...]string{
		"", " by you", " by a rule", " by a content policy", " by a hook", ", no user to ask", "",
	}[min(r, refusers)]
}

// refuserOf reads who refused from the kind of a result that does not approve.
func refuserOf(r session.PermissionResult) Refuser {
	return map[string]Refuser{
		session.DeniedByUser: RefusedByUser, session.DeniedByRules: RefusedByRule, session.DeniedByPolicy: RefusedByPolicy,
		session.DeniedByHook: RefusedByHook, session.DeniedUnasked: RefusedUnasked,
	}[r.Kind]
}

// refusalReason is why something was refused, as far as the result says it.
func refusalReason(r session.PermissionResult) string {
	var rules []string
	for _, rule := range r.Rules {
		text := rule.Kind
		if rule.Argument != "" {
			text += "(" + rule.Argument + ")"
		}
		rules = append(rules, text)
	}
	return cmp.Or(strings.TrimSpace(r.Feedback), strings.TrimSpace(r.Reason), strings.TrimSpace(r.Message),
		strings.Join(rules, ", "), r.Path)
}

// refuse notes who refused a call, and why.
func (c *ToolCall) refuse(r session.PermissionResult) {
	c.RefusedBy = refuserOf(r)
	c.Feedback = cmp.Or(refusalReason(r), c.Feedback)
}
