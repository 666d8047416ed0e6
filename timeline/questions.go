package timeline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"parley/session"
)

// ask is a question the agent waits on.
type ask struct {
	question   string
	call       *Entry // whose call it is about; nil if none of the timeline
	permission bool
	agent      session.AgentID
	by         *agent // the sub-agent that asks; nil for this agent
	replayed   bool   // it comes from stored history: the user is not asked now
	asked      Record // the event that asked
}

// tool is the call that the question is about, if it is on the timeline.
func (a *ask) tool() (*ToolCall, bool) {
	if a.call == nil {
		return nil, false
	}
	c, ok := a.call.Body.(*ToolCall)
	return c, ok
}

// pendingQuestions are those that have no answer yet.
type pendingQuestions map[session.RequestID]*ask

// questions are what the user is asked, and what they answered.
type questions struct{ *toolCalls }

func (q *questions) apply(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.PermissionRequested:
		return q.permissionRequested(ev, b)
	case session.PermissionCompleted:
		return q.permissionCompleted(ev, b)
	case session.UserInputRequested:
		return q.userInputRequested(ev, b)
	case session.UserInputCompleted:
		if b.Withdrawn {
			return q.endQuestion(ev, b.RequestID, "", Cancelled)
		}
		return q.endQuestion(ev, b.RequestID, cmp.Or(b.Answer, answered), Done)
	case session.ElicitationRequested:
		return q.elicitationRequested(ev, b)
	case session.ElicitationCompleted:
		return q.elicitationCompleted(ev, b)
	case session.ExitPlanModeRequested:
		question := "Carry out the plan?"
		if q.index[entryID("call", string(b.ToolCallID))] == nil { // else the call has its summary
			question += " " + b.Summary
		}
		return q.ask(ev, b.RequestID, &ask{question: question})
	case session.ExitPlanModeCompleted:
		return q.planCompleted(ev, b)
	case session.FolderTrustRequested:
		return q.ask(ev, b.RequestID, &ask{question: "Trust the folder " + b.Folder + "?"})
	case session.FolderTrustCompleted:
		if b.Trusted {
			return q.endQuestion(ev, b.RequestID, "Trusted", Done)
		}
		return q.endQuestion(ev, b.RequestID, "Not trusted", Refused)
	}
	return q.applyService(ev)
}

func (q *questions) ask(ev session.Event, id session.RequestID, a *ask) ApplyResult {
	a.agent, a.replayed, a.asked = ev.Agent, ev.Replayed, q.history.current
	q.pending[id] = a
	return Applied
}

// userInputRequested marks the call that asks as waiting.
func (q *questions) userInputRequested(ev session.Event, b session.UserInputRequested) ApplyResult {
	e, c := q.call(ev, b.ToolCallID)
	if e != nil && !e.State.Final() {
		e.confirmed = true
		c.Name, c.Waiting = cmp.Or(c.Name, "ask_user"), !ev.Replayed
		q.touch(e)
	}
	return q.ask(ev, b.RequestID, &ask{question: b.Question, call: e})
}

// elicitationRequested takes a form. One that the agent's own tool asks is the
// question of its call, which has the answer.
func (q *questions) elicitationRequested(ev session.Event, b session.ElicitationRequested) ApplyResult {
	a := &ask{question: b.Message}
	e := q.index[entryID("call", string(b.ToolCallID))]
	if e != nil && !e.State.Final() {
		if c, ok := e.Body.(*ToolCall); ok && asksUser(c) {
			a.call, c.Waiting = e, !ev.Replayed
			q.touch(e)
		}
	}
	return q.ask(ev, b.RequestID, a)
}

func asksUser(c *ToolCall) bool {
	f := c.Family()
	return f == session.AskUser || f == session.ExitPlan
}

// answered is said of a question where its end says nothing but that there was
// one (Streaming Session Events: only a requestId).
const answered = "Answered"

// endQuestion shows how a question ended. Questions are not stored, so a replayed
// log has none; the tool call that asked shows the answer, live and replayed.
func (q *questions) endQuestion(ev session.Event, id session.RequestID, answer string, s State) ApplyResult {
	a := q.pending[id]
	if a == nil {
		return Ignored
	}
	delete(q.pending, id)
	if c, ok := a.tool(); ok {
		c.Waiting = q.pending.waitsForUser(a.call)
		q.touch(a.call)
		return Applied
	}
	question := strings.TrimSpace(a.question)
	e := q.add(ev, entryID("receipt", string(id)), &AnsweredQuestion{Question: question, Answer: answer}, s)
	e.Events = slices.Insert(e.Events, 0, a.asked)
	return Applied
}

func (q *questions) elicitationCompleted(ev session.Event, b session.ElicitationCompleted) ApplyResult {
	switch b.Action {
	case session.Decline:
		return q.endQuestion(ev, b.RequestID, "Declined", Refused)
	case session.Cancel:
		return q.endQuestion(ev, b.RequestID, "", Cancelled)
	case session.Accept:
		return q.endQuestion(ev, b.RequestID, cmp.Or(fields(b.Content), "Accepted"), Done)
	}
	return q.endQuestion(ev, b.RequestID, cmp.Or(fields(b.Content), answered), Done)
}

// fields writes the fields of a form as "colours: red, green; name: Ann", in
// the order of their names. What is no object gives "".
func fields(content []byte) string {
	var form map[string]any
	if json.Unmarshal(content, &form) != nil {
		return ""
	}
	names := make([]string, 0, len(form))
	for name := range form {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		names[i] = name + ": " + plainValue(form[name])
	}
	return strings.Join(names, "; ")
}

// plainValue writes a value of a form without its JSON marks.
func plainValue(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		parts := make([]string, len(v))
		for i, p := range v {
			parts[i] = plainValue(p)
		}
		return strings.Join(parts, ", ")
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case nil:
		return "nothing"
	}
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

func (q *questions) planCompleted(ev session.Event, b session.ExitPlanModeCompleted) ApplyResult {
	refused := b.SelectedAction == "reject" || b.SelectedAction == "edit"
	if b.Approved != nil {
		refused = !*b.Approved
	}
	if refused {
		return q.endQuestion(ev, b.RequestID, cmp.Or(strings.TrimSpace(b.Feedback), "No"), Refused)
	}
	return q.endQuestion(ev, b.RequestID, planAnswer(b), Done)
}

// planAnswer says what was chosen of a plan that was not refused. An action that
// is not known is a yes only where the event says so.
func planAnswer(b session.ExitPlanModeCompleted) string {
	answer := answered
	if b.Approved != nil {
		answer = "Yes"
	}
	if known := planAnswers[b.SelectedAction]; known != "" || b.SelectedAction == "" {
		return cmp.Or(known, answer)
	}
	return answer + ": " + oneLine(b.SelectedAction) // by its name, as the question had it
}

// planAnswers are the actions of a plan that are a yes, in words.
var planAnswers = map[string]string{
	"exit_only": "Yes, but wait for me", "interactive": "Yes, step by step", "autopilot": "Yes, on autopilot",
	"autopilot_fleet": "Yes, on autopilot with several agents", "approve": "Yes",
}

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
	delete(q.pending, b.RequestID)
	if a != nil && a.call == nil && b.ToolCallID == "" {
		return q.endPermission(ev, b, a)
	}
	e, c := q.questionedCall(ev, a, b.ToolCallID)
	if e == nil || e.State.Final() {
		return Ignored
	}
	e.confirmed = true
	q.addOrigin(e, ev)
	c.Waiting = q.pending.waitsForUser(e)
	switch {
	case b.Result.Approved():
		e.At, c.unanswered = ev.Time, q.pending.unanswered(e)
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

// waitsForUser reports whether another question about the same call is open: one about
// a path or an address may come before the one about the command.
func (q pendingQuestions) waitsForUser(e *Entry) bool {
	for _, a := range q {
		if a.call == e && !a.replayed {
			return true
		}
	}
	return false
}

// unanswered reports whether a question about a call has no end yet, also one of
// stored history.
func (q pendingQuestions) unanswered(e *Entry) bool {
	for _, a := range q {
		if a.call == e {
			return true
		}
	}
	return false
}

// endPermission shows how a question about no call ended.
func (q *questions) endPermission(ev session.Event, b session.PermissionCompleted, a *ask) ApplyResult {
	q.pending[b.RequestID] = a
	switch {
	case b.Result.Approved():
		return q.endQuestion(ev, b.RequestID, "Allowed", Done)
	case b.Result.Kind == "cancelled":
		return q.endQuestion(ev, b.RequestID, "", Cancelled)
	case b.Result.Kind == "":
		return q.endQuestion(ev, b.RequestID, answered, Done)
	}
	answer := "Refused" + refuserOf(b.Result).String()
	if why := refusalReason(b.Result); why != "" {
		answer += ": " + why
	}
	return q.endQuestion(ev, b.RequestID, answer, Refused)
}
