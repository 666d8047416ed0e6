package demo

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"parley/session"
	"parley/session/local"
)

// play plays a scene, answers what was said meanwhile, and plays the scenes that it named.
func (t *turn) play() {
	t.steps(readInput(t.s.Log.Messages("")).scene())
	for {
		switch {
		case len(t.named) > 0:
			next := t.named[0]
			t.named = t.named[1:]
			t.steps(next)
		case t.steering():
			t.steps(scenes().steps("late"))
		default:
			return
		}
	}
}

// steering reports whether something was said that no model call has taken in.
func (t *turn) steering() bool {
	t.s.Mu.Lock()
	defer t.s.Mu.Unlock()
	return len(t.s.Steering) > 0
}

// steps plays the steps of a scene.
func (t *turn) steps(steps []step) {
	for i, st := range steps {
		switch {
		case st.Play != "":
			t.steps(scenes().steps(st.Play))
		case st.Cut:
			t.cutOff()
		case st.Fail != "":
			t.fail(st.Fail)
		case st.Say == "" && st.Tools == nil:
			answer, stop := t.act("", st.action) // between two calls of the model, which does not learn of it
			if st.Ask != nil {
				t.emit(session.SessionInfo{InfoType: "notification", Message: answer})
			}
			if stop {
				return
			}
		case i > 0 && steps[i-1].Cut:
			t.respond(t.line(st))
		default:
			t.call(t.line(st))
		}
	}
}

// line is what the model is to say in a step.
func (t *turn) line(st step) reply {
	return reply{reasoning: st.Think, say: st.Say, tools: t.toolsNamed(st.Tools)}
}

// act does an action, for a call or for none. It returns what was answered to a
// question, and whether that stops what asked.
func (t *turn) act(call session.CallID, a action) (answer string, stop bool) {
	if a.Ask != nil {
		return t.put(call, a)
	}
	if a.Todos != nil {
		t.s.Mu.Lock()
		t.s.todos = a.Todos
		t.s.Mu.Unlock()
	}
	for _, raw := range a.Events {
		t.emit(t.event(raw, call))
	}
	t.wait(a.Wait)
	return "", false
}

// event is the payload of an event of the script.
func (t *turn) event(raw jsontext.Value, call session.CallID) session.Body {
	return session.Decode([]byte(t.filled(string(raw), call, "", quoted))).Body
}

// filled is a text of the script with what stands in it filled in.
func (t *turn) filled(text string, call session.CallID, answer string, as func(string) string) string {
	plan := ""
	if strings.Contains(text, "$PLAN") {
		plan = t.s.drafted()
	}
	return strings.NewReplacer(
		"$CALL", as(string(call)), "$REQUEST", uuid.NewString(), "$UUID", uuid.NewString(),
		"$SCRATCH/", as(t.s.scratch+string(filepath.Separator)), "$SCRATCH", as(t.s.scratch),
		"$MODEL", as(t.s.currentModel()), "$PLAN", as(plan), "$ANSWER", as(answer),
	).Replace(text)
}

// quoted is a text as it stands within a string of JSON; plain is any other.
func quoted(text string) string {
	q := string(encoded(text))
	return q[1 : len(q)-1]
}

func plain(text string) string { return text }

// toolsNamed are calls of tools of the script.
func (t *turn) toolsNamed(names []string) []*tool {
	var all []*tool
	for _, name := range names {
		all = append(all, t.tool(scenes().Tools[name]))
	}
	return all
}

// tool is a call of a tool of the script.
func (t *turn) tool(spec toolSpec) *tool {
	if spec.Edit != nil {
		from, to := spec.Edit[0], spec.Edit[1]
		if strings.Contains(filesIn(t.s.scratch)["hello.go"], to) {
			from, to = to, from
		}
		fill := strings.NewReplacer("$FROM", from, "$TO", to)
		spec.Permission = jsontext.Value(fill.Replace(string(spec.Permission)))
		spec.Arguments = jsontext.Value(fill.Replace(string(spec.Arguments)))
	}
	spec.Arguments = jsontext.Value(t.filled(string(spec.Arguments), "", "", quoted))
	c := newTool(spec)
	if spec.Permission != nil {
		var p permit
		filled := []byte(t.filled(string(spec.Permission), "", "", quoted))
		if err := json.Unmarshal(filled, &p, json.MatchCaseInsensitiveNames(true)); err != nil {
			panic(err) // it is part of this package
		}
		if p.Prompt.Kind == "" { // it shows what is requested
			_ = json.Unmarshal(encoded(p.Request), &p.Prompt) // their members have the same names
		}
		c.permits = []permit{p}
	}
	return c
}

// perform is what a call does that may run.
func (t *turn) perform(c *tool) session.ToolExecutionComplete {
	switch {
	case c.Shell != "":
		return t.runShell(c)
	case c.View != "":
		return t.view(c.View)
	case c.Edit != nil:
		return t.edit(c.permits[0].Request)
	case c.Background != "":
		return t.background(c)
	case c.Agent != nil:
		return t.delegate(c)
	}
	return t.carryOut(c)
}

// carryOut does the actions of a tool.
func (t *turn) carryOut(c *tool) session.ToolExecutionComplete {
	result := c.Result
	for _, a := range c.Run {
		answer, stop := t.act(c.id, a)
		if stop {
			return failure("failure", answer)
		}
		if a.Ask != nil {
			result = answer
		}
	}
	return success(result)
}

// cutOff begins a model call that is cut off while it streams, and says that it
// is tried again, as when a model's provider has trouble.
func (t *turn) cutOff() {
	t.start()
	cut := t.infer(reply{text: "This answer will be cut off in the"})
	t.stream("", session.MessageID(uuid.NewString()), cut)
	t.streaming = false
	t.emit(t.overloaded(0),
		session.AssistantTurnRetry{TurnID: t.id(), Model: t.s.currentModel(), Reason: "api_error"},
		session.SessionInfo{InfoType: "model_retry", Message: "Request failed due to a transient API error. Retrying..."},
	)
	t.wait(60)
}

// lastRetry is the attempt after which the runtime gives up.
const lastRetry = 5

// overloaded is a model call that failed; attempt counts those before it.
func (t *turn) overloaded(attempt int) session.ModelCallFailure {
	return session.ModelCallFailure{
		Model: t.s.currentModel(), StatusCode: 503, RetryAttempt: attempt, FailureKind: "api",
		ErrorMessage: "The demo's model is overloaded.",
	}
}

// fail ends the turn: the model could not be reached, and there is no more to try.
func (t *turn) fail(message string) {
	t.emit(t.overloaded(lastRetry))
	t.finish()
	t.emit(session.SessionError{
		ErrorType: "query", StatusCode: 503, OriginatingMessageID: t.prompt.ID, Message: message,
	})
	t.must(errFailed)
}

// put puts a question of the script and says how it ended. The text and
// whether it stops what asked are by the outcome.
func (t *turn) put(call session.CallID, a action) (result string, stop bool) {
	q, ok := t.event(a.Ask, call).(session.Ask)
	if !ok {
		panic(fmt.Sprintf("no question: %s", a.Ask)) // it is part of this package
	}
	answer, err := t.ask(q)
	if _, signIn := q.(session.McpOAuthRequired); signIn && err != nil { // which an abort alone does not end
		t.s.Log.Put(session.McpOAuthCompleted{RequestID: q.Request(), Outcome: "cancelled"})
	}
	t.must(err)
	end, outcome, detail := closed(q, answer)
	t.emit(end)
	if done, planned := end.(session.ExitPlanModeCompleted); planned && *done.Approved {
		mode := session.Interactive
		if done.SelectedAction == "autopilot" {
			mode = session.Autopilot
		}
		t.must(t.s.SetMode(t.ctx, mode))
	}
	return t.filled(a.Answers[outcome], call, detail, plain), slices.Contains(a.Fails, outcome)
}

// closed is what an answer makes of a question: the event that ends it, the name of
// the outcome in the script, and what is to be shown of it.
func closed(q session.Ask, a session.Answer) (end session.Body, outcome, detail string) {
	id := q.Request()
	refusal, refused := a.(session.Refusal)
	if refused {
		outcome, detail = "refused", refusal.Feedback
	}
	switch q := q.(type) {
	case session.UserInputRequested:
		a, _ := a.(session.UserInputAnswer)
		return session.UserInputCompleted{RequestID: id, Answer: a.Text, WasFreeform: a.Freeform}, "answered", a.Text
	case session.ElicitationRequested:
		done := session.ElicitationCompleted{RequestID: id, Action: session.Decline}
		if a, ok := a.(session.ElicitationAnswer); ok {
			done.Action, outcome = a.Action, string(a.Action)
			if q.IsForm() && a.Action == session.Accept {
				done.Content = encoded(a.Content)
				detail = string(done.Content)
			}
		}
		return done, outcome, detail
	case session.ExitPlanModeRequested:
		a, _ := a.(session.ExitPlanModeAnswer)
		done := session.ExitPlanModeCompleted{RequestID: id, Approved: &a.Approved, Feedback: a.Feedback + detail}
		switch {
		case a.Approved:
			done.SelectedAction, done.AutoApproveEdits = a.Action, a.AutoApproveEdits
			outcome, detail = "approved", a.Action
		case !refused:
			outcome, detail = "disapproved", a.Feedback
		}
		return done, outcome, detail
	case session.McpOAuthRequired:
		done := session.McpOAuthCompleted{RequestID: id, Outcome: "cancelled"}
		if a, ok := a.(session.McpOAuthAnswer); ok {
			outcome = "declined"
			if a.SignIn {
				done.Outcome, outcome = "token", "signed in"
			}
		}
		return done, outcome, detail
	case session.SessionLimitsExhaustedRequested:
		if a, ok := a.(session.SessionLimitsExhaustedAnswer); ok {
			outcome = a.Action
			if a.Action == session.LimitAdd {
				a.Credits += q.MaxAICredits
			}
			detail = fmt.Sprintf("%g", a.Credits)
		}
		return session.SessionLimitsExhaustedCompleted{RequestID: id}, outcome, local.FirstLine(detail)
	}
	return nil, outcome, detail
}
