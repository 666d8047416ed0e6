package timeline

import (
	"cmp"
	"maps"
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
	receipt    bool // its answer has a line of its own, though it is about a call
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
	case session.SessionPermissionRecovery:
		return q.permissionRecovery(ev, b)
	case session.PermissionCarriedForward:
		return q.carriedForward(ev, b)
	case session.UserInputRequested:
		return q.userInputRequested(ev, b)
	case session.ElicitationRequested:
		return q.elicitationRequested(ev, b)
	case session.ExitPlanModeRequested:
		return q.planRequested(ev, b)
	case session.Ask:
		if a := questionOf(b); a != nil {
			return q.ask(ev, b.Request(), a)
		}
	case session.Resolved:
		if answer, s := answerOf(b); s.Final() {
			return q.endQuestion(ev, b.Resolves(), answer, s)
		}
	}
	return Unhandled
}

func (q *questions) ask(ev session.Event, id session.RequestID, a *ask) ApplyResult {
	a.agent, a.replayed, a.asked = ev.Agent, ev.Replayed, q.history.current
	q.pending[id] = a
	return Applied
}

// questionOf is the question of a request that is about no call; nil if it is none
// that the user is asked.
func questionOf(b session.Ask) *ask {
	switch b := b.(type) {
	case session.FolderTrustRequested:
		return &ask{question: "Trust the folder " + b.Folder + "?"}
	case session.McpOAuthRequired:
		// Signing in is no matter of the turn: like a permission it stays open
		// when that ends.
		return &ask{question: "Sign in to MCP server " + quoted(b.ServerName) + "?", permission: true}
	case session.AutoModeSwitchRequested:
		return &ask{question: "The model is at its limit. Continue with another?"}
	case session.SessionLimitsExhaustedRequested:
		used, most := number(b.UsedAICredits), number(b.MaxAICredits)
		return &ask{question: "This session has used " + used + " of " + most + " AI credits. Continue?"}
	case session.ConfirmationRequested:
		words := joinLines(strings.TrimSpace(b.Title), strings.TrimSpace(b.Message))
		return &ask{question: cmp.Or(words, "A confirmation without words")}
	}
	return nil
}

// answerOf is how a question ended: the answer, "" if it was not answered, and the state
// that its line is left in; Live for the end of something that is no such question.
func answerOf(b session.Resolved) (answer string, s State) {
	switch b := b.(type) {
	case session.UserInputCompleted:
		if b.Withdrawn {
			return "", Cancelled
		}
		return cmp.Or(b.Answer, answered), Done
	case session.ElicitationCompleted:
		return formAnswer(b)
	case session.ExitPlanModeCompleted:
		return planAnswer(b)
	case session.FolderTrustCompleted:
		switch {
		case b.Remembered:
			return "Trusted for good", Done
		case b.Trusted:
			return "Trusted for this session", Done
		}
		return "Not trusted", Refused
	case session.McpOAuthCompleted:
		if b.Outcome == "token" {
			return "Signed in", Done
		}
		return "Not signed in", Cancelled
	case session.AutoModeSwitchCompleted:
		switch b.Response {
		case session.SwitchYes:
			return "Yes", Done
		case session.SwitchAlways:
			return "Yes, always", Done
		}
		return "No", Refused
	case session.SessionLimitsExhaustedCompleted:
		return limitAnswer(b)
	case session.ConfirmationCompleted:
		switch b.State {
		case session.Accepted:
			return "Accepted", Done
		case session.Dismissed:
			return "Dismissed", Refused
		case session.Withdrawn:
		}
		return "", Cancelled
	}
	return "", Live
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
		if c, ok := e.Body.(*ToolCall); ok && (c.Family() == session.AskUser || c.Family() == session.ExitPlan) {
			a.call, c.Waiting = e, !ev.Replayed
			q.touch(e)
		}
	}
	return q.ask(ev, b.RequestID, a)
}

// planRequested marks the call that asks as waiting. What was chosen is shown all the
// same: the result of the call says it in words for the model.
func (q *questions) planRequested(ev session.Event, b session.ExitPlanModeRequested) ApplyResult {
	a := &ask{question: "Carry out the plan?", receipt: true}
	e := q.index[entryID("call", string(b.ToolCallID))]
	switch {
	case e == nil:
		a.question += " " + b.Summary
	case !e.State.Final():
		if c, ok := e.Body.(*ToolCall); ok {
			a.call, c.Waiting = e, !ev.Replayed
			q.touch(e)
		}
	}
	return q.ask(ev, b.RequestID, a)
}

// answered is said of a question of whose end nothing is known but that there was
// one.
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
		_, c.Waiting = q.pending.about(a.call)
		q.touch(a.call)
		if !a.receipt {
			return Applied
		}
	}
	question := strings.TrimSpace(a.question)
	e := q.add(ev, entryID("receipt", string(id)), &AnsweredQuestion{Question: question, Answer: answer}, s)
	e.Events = slices.Insert(e.Events, 0, a.asked)
	return Applied
}

// formAnswer says what was entered in a form.
func formAnswer(b session.ElicitationCompleted) (answer string, s State) {
	switch b.Action {
	case session.Decline:
		return "Declined", Refused
	case session.Cancel:
		return "", Cancelled
	case session.Accept:
		return cmp.Or(fields(b.Content), "Accepted"), Done
	}
	return cmp.Or(fields(b.Content), answered), Done
}

// fields writes the fields of a form as "colours: red, green; name: Ann", in
// the order of their names. What is no object gives "".
func fields(content []byte) string {
	var form map[string]any
	if json.Unmarshal(content, &form) != nil {
		return ""
	}
	names := slices.Sorted(maps.Keys(form))
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

// planAnswer says what was chosen of a plan. An action that is not known is a yes
// only where the event says so.
func planAnswer(b session.ExitPlanModeCompleted) (answer string, s State) {
	refused := b.SelectedAction == "reject" || b.SelectedAction == "edit"
	answer = answered
	if b.Approved != nil {
		refused, answer = !*b.Approved, "Yes"
	}
	known := planAnswers[b.SelectedAction]
	switch {
	case refused:
		answer = "No"
		if words := strings.TrimSpace(b.Feedback); words != "" { // which may read as a yes
			answer += ", changes asked for: " + words
		}
		return answer, Refused
	case known != "" || b.SelectedAction == "":
		return cmp.Or(known, answer), Done
	}
	return answer + ": " + oneLine(b.SelectedAction), Done // by its name, as the question had it
}

// planAnswers are the actions of a plan that are a yes, in words.
var planAnswers = map[string]string{
	"exit_only": "Yes, but wait for me", "interactive": "Yes, step by step", "autopilot": "Yes, on autopilot",
	"autopilot_fleet": "Yes, on autopilot with several agents", "approve": "Yes",
}

// limitAnswer says what was chosen when a session was at its limit.
func limitAnswer(b session.SessionLimitsExhaustedCompleted) (answer string, s State) {
	var r struct {
		Action string  `json:"action"`
		Add    float64 `json:"additionalAiCredits"`
		Most   float64 `json:"maxAiCredits"`
	}
	_ = json.Unmarshal(b.Response, &r) // an answer that cannot be read is none
	switch r.Action {
	case session.LimitAdd:
		return "Yes, with " + number(r.Add) + " more", Done
	case session.LimitSet:
		return "Yes, up to " + number(r.Most), Done
	case session.LimitUnset:
		return "Yes, without a limit", Done
	case session.LimitCancel:
		return "No", Refused
	}
	return "", Cancelled
}
