package copilot_test

import (
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

func askUser() llm.Script {
	return llm.Script{"ask": {
		{Calls: []llm.Call{{Name: "ask_user", Args: map[string]any{"question": "Which colour?", "choices": []string{"red", "green"}}}}},
		{Text: "Thanks."},
	}}
}

func TestUserInput(t *testing.T) {
	b := on(t, askUser())
	s, r := b.open()
	b.send(s, "@@ask")
	q := next[session.UserInputRequested](r)
	if q.Question != "Which colour?" || len(q.Choices) != 2 {
		t.Errorf("asked %+v", q)
	}
	b.respond(s, session.UserInputAnswer{RequestID: q.RequestID, Text: "blue", Freeform: true})
	if d := next[session.UserInputCompleted](r); d.Answer != "blue" || !d.WasFreeform || d.RequestID != q.RequestID {
		t.Errorf("settled as %+v", d)
	}
	if d := next[session.ToolExecutionComplete](r); !d.Success || !strings.Contains(d.Result.Content, "blue") {
		t.Errorf("the tool ended with %+v", d)
	}
	next[session.AssistantIdle](r)
	err := s.Respond(t.Context(), session.UserInputAnswer{RequestID: q.RequestID, Text: "red"})
	if !errors.Is(err, session.ErrResolved) {
		t.Errorf("the second answer: %v", err)
	}
}

func TestUserInputRefused(t *testing.T) {
	b := on(t, askUser())
	s, r := b.open()
	b.send(s, "@@ask")
	q := next[session.UserInputRequested](r)
	b.respond(s, session.Refusal{RequestID: q.RequestID, Kind: session.KindOf(q), Feedback: "nobody is here"})
	if d := next[session.ToolExecutionComplete](r); !strings.Contains(d.Result.Content, "nobody is here") {
		t.Errorf("the tool ended with %+v", d.Result)
	}
	if next[session.AssistantIdle](r).Aborted {
		t.Error("the refusal ended the turn")
	}
}

// plan asks to leave plan mode, and again when it is sent back, twice.
func plan() llm.Script {
	exit := llm.Step{Calls: []llm.Call{{Name: "exit_plan_mode", Args: map[string]any{"summary": "Do it all."}}}}
	return llm.Script{"plan": {exit, exit, exit, {Text: "So be it."}}}
}

// TestExitPlanMode also shows that the interests are registered in time: the
// tool is offered only to those who listen.
func TestExitPlanMode(t *testing.T) {
	b := on(t, plan())
	s, r := b.open()
	b.must(s.SetMode(t.Context(), session.Plan))
	b.send(s, "@@plan")
	q := next[session.ExitPlanModeRequested](r)
	if q.Summary != "Do it all." || len(q.Actions) == 0 {
		t.Errorf("asked %+v", q)
	}
	b.respond(s, session.Refusal{RequestID: q.RequestID, Kind: session.KindOf(q), Feedback: "think again"})
	if d := next[session.ExitPlanModeCompleted](r); d.Approved == nil || *d.Approved || d.Feedback != "think again" {
		t.Errorf("settled as %+v", d)
	}
	q = next[session.ExitPlanModeRequested](r)
	b.respond(s, session.ExitPlanModeAnswer{RequestID: q.RequestID, Action: "reject", Feedback: "and again"})
	if d := next[session.ExitPlanModeCompleted](r); d.Approved == nil || *d.Approved || d.SelectedAction != "reject" || d.Feedback != "and again" {
		t.Errorf("rejected, and settled as %+v", d)
	}
	q = next[session.ExitPlanModeRequested](r)
	b.respond(s, session.ExitPlanModeAnswer{RequestID: q.RequestID, Approved: true, Action: "interactive"})
	if d := next[session.ExitPlanModeCompleted](r); d.Approved == nil || !*d.Approved || d.SelectedAction != "interactive" {
		t.Errorf("settled as %+v", d)
	}
	next[session.AssistantIdle](r)
	if m := sessiontest.All[session.SessionModeChanged](r.Seen()); len(m) == 0 || m[len(m)-1].NewMode != session.Interactive {
		t.Errorf("the mode went %+v", m)
	}
}

// mcpFolder makes the working folder bring an MCP server along: this binary.
func (b *bench) mcpFolder() {
	b.Helper()
	self, err := os.Executable()
	b.must(err)
	file, err := json.Marshal(object{"mcpServers": object{"asker": object{
		"command": self, "args": []string{}, "env": object{role: "mcp"},
	}}})
	b.must(err)
	b.write(".mcp.json", string(file))
}

func (b *bench) trustFolder(s session.Session, r *sessiontest.Reader, remember bool) session.FolderTrustRequested {
	b.Helper()
	q := next[session.FolderTrustRequested](r)
	b.respond(s, session.FolderTrustAnswer{RequestID: q.RequestID, Trusted: true, Remember: remember})
	if d := next[session.FolderTrustCompleted](r); !d.Trusted || d.RequestID != q.RequestID {
		b.Errorf("settled as %+v", d)
	}
	return q
}

// TestMCPQuestions uses a server that asks through the agent: a form, filled in
// and declined, and the use of the model, refused.
func TestMCPQuestions(t *testing.T) {
	b := on(t, llm.Script{
		"form":   {{Calls: []llm.Call{{Name: "asker-form"}}}, {Text: "Filled."}},
		"sample": {{Calls: []llm.Call{{Name: "asker-sample"}}}, {Text: "Sampled."}},
	})
	b.mcpFolder()
	s, r := b.open()
	b.trustFolder(s, r, true)
	call := func(script string) {
		t.Helper()
		b.send(s, "@@"+script)
		q := next[session.PermissionRequested](r)
		if q.PromptRequest.Kind != "mcp" || q.PromptRequest.ServerName != "asker" {
			t.Errorf("asked %+v", q.PromptRequest)
		}
		b.respond(s, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce})
	}
	result := func(want string) {
		t.Helper()
		d := next[session.ToolExecutionComplete](r)
		if d.Result == nil || !strings.Contains(d.Result.Content, want) {
			t.Errorf("the tool ended with %+v, %+v; want %s", d.Result, d.Error, want)
		}
		next[session.AssistantIdle](r)
	}
	call("form")
	f := next[session.ElicitationRequested](r)
	if f.Message != "Your name?" || f.ElicitationSource != "asker" {
		t.Errorf("asked %+v", f)
	}
	b.respond(s, session.ElicitationAnswer{RequestID: f.RequestID, Action: session.Accept, Content: map[string]any{"name": "Ada"}})
	result(`"Ada"`)
	call("form")
	f = next[session.ElicitationRequested](r)
	b.respond(s, session.Refusal{RequestID: f.RequestID, Kind: session.KindOf(f)})
	result(`"decline"`)
	call("sample")
	q := next[session.SamplingRequested](r)
	b.respond(s, session.Refusal{RequestID: q.RequestID, Kind: session.KindOf(q)})
	result("The user cancelled the request.")
}

// TestMCPAnswers answers what an MCP server asks in each way there is, and
// looks at what it receives.
func TestMCPAnswers(t *testing.T) {
	script := llm.Script{}
	for _, tool := range []string{"form", "long-form", "url", "sample"} {
		script[tool] = []llm.Step{{Calls: []llm.Call{{Name: "asker-" + tool}}}, {Text: "On it goes."}}
	}
	b := on(t, script)
	b.mcpFolder()
	s, r := b.open()
	b.trustFolder(s, r, true)
	elicit := func(a session.ElicitationAction, content map[string]any) func(session.Ask) session.Answer {
		return func(q session.Ask) session.Answer {
			return session.ElicitationAnswer{RequestID: q.Request(), Action: a, Content: content}
		}
	}
	refuse := func(q session.Ask) session.Answer {
		return session.Refusal{RequestID: q.Request(), Kind: session.KindOf(q), Feedback: "nobody is here"}
	}
	all := map[string]any{
		"name": "Ada", "when": "2026-02-03", "weight": 1.5, "count": 3, "sure": true, "size": "m", "tags": []string{"a", "b"},
	}
	for _, test := range []struct {
		tool     string
		answer   func(session.Ask) session.Answer
		received string // by the server
	}{
		{"form", elicit(session.Accept, map[string]any{"name": "Ada"}), `"result":{"action":"accept","content":{"name":"Ada"}}`},
		{"form", elicit(session.Decline, nil), `"result":{"action":"decline"}`},
		{"form", elicit(session.Cancel, nil), `"result":{"action":"cancel"}`},
		{"form", refuse, `"result":{"action":"decline"}`},
		{"long-form", elicit(session.Accept, all), `"content":{"count":3,"name":"Ada","size":"m","sure":true,"tags":["a","b"],"weight":1.5,"when":"2026-02-03"}`},
		{"long-form", elicit(session.Accept, map[string]any{"name": "", "sure": false}), `"content":{"name":"","sure":false}`},
		{"url", elicit(session.Accept, nil), `"result":{"action":"accept"}`},
		{"url", elicit(session.Decline, nil), `"result":{"action":"decline"}`},
		{"url", elicit(session.Cancel, nil), `"result":{"action":"cancel"}`},
		{"url", refuse, `"result":{"action":"decline"}`},
		{"sample", refuse, `"stopReason":"cancelled"`},
	} {
		b.send(s, "@@"+test.tool)
		p := next[session.PermissionRequested](r)
		b.respond(s, session.PermissionAnswer{RequestID: p.RequestID, Decision: session.ApproveOnce})
		ev := r.Until("what the server asks", func(ev session.Event) bool {
			_, ok := ev.Body.(session.Ask)
			return ok
		})
		q := ev.Body.(session.Ask)
		if u, ok := q.(session.ElicitationRequested); ok && u.IsForm() == (test.tool == "url") ||
			test.tool == "url" && u.URL != "https://example.org/look?at=this" {
			t.Errorf("%s: asked %+v", test.tool, q)
		}
		b.respond(s, test.answer(q))
		d := next[session.ToolExecutionComplete](r)
		if d.Result == nil || !strings.Contains(canonical(d.Result.Content), test.received) {
			t.Errorf("%s: the server received %+v; want %s", test.tool, d.Result, test.received)
		}
		if m := next[session.AssistantMessage](r); m.Content != "On it goes." {
			t.Errorf("%s: the agent continues with %q", test.tool, m.Content)
		}
		next[session.AssistantIdle](r)
	}
}

// canonical is the result of a tool, with the members of its JSON in order.
func canonical(result string) string {
	raw := jsontext.Value(strings.TrimPrefix(result, "told: "))
	if err := raw.Canonicalize(); err != nil {
		return result
	}
	return string(raw)
}

// TestQueuedCommand queues a command, as another client of the runtime may. The
// runtime drops it silently if no client has said that it listens.
func TestQueuedCommand(t *testing.T) {
	b := on(t, nil)
	s, r := b.open()
	b.must(copilot.Call(t.Context(), s, "session.commands.enqueue", object{"command": "/dance now"}))
	q := next[session.CommandQueued](r)
	if q.Command != "/dance now" {
		t.Errorf("queued %q", q.Command)
	}
	b.respond(s, session.Refusal{RequestID: q.RequestID, Kind: session.KindOf(q)})
	if d := next[session.CommandCompleted](r); d.RequestID != q.RequestID {
		t.Errorf("settled %s, not %s", d.RequestID, q.RequestID)
	}
	b.must(copilot.Call(t.Context(), s, "session.commands.enqueue", object{"command": "/help"}))
	q = next[session.CommandQueued](r)
	b.must(s.CommandHandled(t.Context(), q.RequestID))
	if d := next[session.CommandCompleted](r); d.RequestID != q.RequestID {
		t.Errorf("carried out %s, not %s", d.RequestID, q.RequestID)
	}
	if err := s.CommandHandled(t.Context(), q.RequestID); !errors.Is(err, session.ErrResolved) {
		t.Errorf("carried out twice: %v", err)
	}
}

// TestRefusalsReachTheRuntime sends a refusal of every kind there is. The
// questions do not exist, so that each must be taken as settled: a method or a
// parameter the runtime does not know would be another error.
func TestRefusalsReachTheRuntime(t *testing.T) {
	b := on(t, nil)
	s, _ := b.open()
	asks := 0
	for kind, line := range sessiontest.Events(t) {
		if _, ok := session.Decode(line).Body.(session.Ask); !ok {
			continue
		}
		asks++
		err := s.Respond(t.Context(), session.Refusal{RequestID: "no-such-request", Kind: kind, Feedback: "no"})
		// Of commands the runtime takes any answer.
		if !errors.Is(err, session.ErrResolved) && (err != nil || kind != session.KindCommandExecute) {
			t.Errorf("refuse %s: %v, want ErrResolved", kind, err)
		}
	}
	if asks < 10 {
		t.Errorf("only %d kinds of questions", asks)
	}
	if err := s.Respond(t.Context(), session.Refusal{RequestID: "x", Kind: "assistant.idle"}); err == nil || errors.Is(err, session.ErrResolved) {
		t.Errorf("what is no question was refused: %v", err)
	}
	for _, a := range []session.Answer{
		session.UserInputAnswer{RequestID: "x"},
		session.ElicitationAnswer{RequestID: "x", Action: session.Cancel},
		session.ExitPlanModeAnswer{RequestID: "x"},
		session.McpOAuthAnswer{RequestID: "x", SignIn: true},
		session.AutoModeSwitchAnswer{RequestID: "x", Response: session.SwitchYes},
		session.AutoModeSwitchAnswer{RequestID: "x", Response: session.SwitchAlways},
		session.AutoModeSwitchAnswer{RequestID: "x", Response: session.SwitchNo},
		session.SessionLimitsExhaustedAnswer{RequestID: "x", Action: session.LimitAdd, Credits: 5},
		session.SessionLimitsExhaustedAnswer{RequestID: "x", Action: session.LimitSet, Credits: 2.5},
		session.SessionLimitsExhaustedAnswer{RequestID: "x", Action: session.LimitUnset},
		session.SessionLimitsExhaustedAnswer{RequestID: "x", Action: session.LimitCancel},
		session.PermissionAnswer{RequestID: "x", Decision: session.ApproveOnce},
		session.FolderTrustAnswer{RequestID: "x", Trusted: true},
	} {
		if err := s.Respond(t.Context(), a); !errors.Is(err, session.ErrResolved) {
			t.Errorf("%T to nothing: %v, want ErrResolved", a, err)
		}
	}
	for _, a := range []session.Answer{
		session.ElicitationAnswer{RequestID: "x"},
		session.AutoModeSwitchAnswer{RequestID: "x"},
		session.AutoModeSwitchAnswer{RequestID: "x", Response: "maybe"},
		session.SessionLimitsExhaustedAnswer{RequestID: "x"},
		session.SessionLimitsExhaustedAnswer{RequestID: "x", Action: session.LimitAdd},
		session.SessionLimitsExhaustedAnswer{RequestID: "x", Action: session.LimitSet, Credits: -1},
		session.SessionLimitsExhaustedAnswer{RequestID: "x", Action: session.LimitSet, Credits: math.Inf(1)},
		session.SessionLimitsExhaustedAnswer{RequestID: "x", Action: session.LimitAdd, Credits: math.NaN()},
	} {
		if err := s.Respond(t.Context(), a); err == nil || errors.Is(err, session.ErrResolved) {
			t.Errorf("%+v was sent: %v", a, err)
		}
	}
}

func (b *bench) settledAlready(s session.Session, a session.Answer) {
	b.Helper()
	if err := s.Respond(b.Context(), a); !errors.Is(err, session.ErrResolved) {
		b.Errorf("%+v was taken: %v", a, err)
	}
}
