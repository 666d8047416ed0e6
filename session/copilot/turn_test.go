package copilot_test

import (
	"net/http"
	"strings"
	"testing"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

func TestStreamedTurn(t *testing.T) {
	b := on(t, llm.Script{"hello": {{Reasoning: "I should greet them.", Text: "Hello **there**, friend."}}})
	s, r := b.open()
	if got, want := s.Info().Agent, "Copilot CLI 1."; !strings.HasPrefix(got, want) {
		t.Errorf("the agent is %q, want %q and more", got, want)
	}
	if got := s.Info(); got.Model != llm.Model || got.Dir != b.dir || got.Mode != session.Interactive || got.InUse || got.Demo {
		t.Errorf("info %+v", got)
	}
	start := next[session.SessionStart](r)
	if start.SessionID != s.Info().ID {
		t.Errorf("the session says it is %s, not %s", start.SessionID, s.Info().ID)
	}
	b.must(s.Send(t.Context(), session.Input{Prompt: "say @@hello", Display: "say hello"}))
	if u := next[session.UserMessage](r); u.Content != "say hello" || u.Delivery != session.DeliveredIdle {
		t.Errorf("user.message %+v", u)
	}
	next[session.AssistantIdle](r)
	next[session.SessionIdle](r)
	var thought, said strings.Builder
	for _, ev := range r.Seen() {
		switch d := ev.Body.(type) {
		case session.AssistantReasoningDelta:
			thought.WriteString(d.DeltaContent)
		case session.AssistantMessageDelta:
			said.WriteString(d.DeltaContent)
		}
		if k := string(ev.Kind()); strings.HasPrefix(k, "model.") || k == "session.managed_settings_resolved" {
			t.Errorf("noise came through: %s", k)
		}
		if u, ok := ev.Body.(session.Unknown); ok {
			t.Errorf("unknown event %s: %v", u.Type, u.Reason)
		}
	}
	if thought.String() != "I should greet them." || said.String() != "Hello **there**, friend." {
		t.Errorf("streamed %q and %q", thought.String(), said.String())
	}
	m := sessiontest.All[session.AssistantMessage](r.Seen())
	if len(m) != 1 || m[0].Content != said.String() || m[0].ReasoningText != thought.String() {
		t.Errorf("messages %+v", m)
	}
	if req := b.model.Requests(); len(req) != 1 || req[0].Script != "hello" || !req[0].Stream || !req[0].Offers("ask_user") {
		t.Errorf("%d requests reached the model", len(req))
	}
}

// TestSystemMessageOnce sends two prompts: the runtime repeats the system
// message, we do not.
func TestSystemMessageOnce(t *testing.T) {
	b := on(t, llm.Script{"a": {{Text: "A."}}})
	s, r := b.open()
	for range 2 {
		b.send(s, "@@a")
		next[session.AssistantIdle](r)
	}
	if n := len(sessiontest.All[session.SystemMessage](r.Seen())); n != 1 {
		t.Errorf("%d system messages, want 1", n)
	}
}

func TestThreeToolsAtOnce(t *testing.T) {
	b := on(t, llm.Script{"three": {
		{Calls: []llm.Call{bash("echo one"), bash("echo two >&2; exit 3"), {Name: "nonesuch"}}},
		{Text: "Three."},
	}})
	s, r := b.open()
	b.send(s, "@@three")
	q := next[session.PermissionRequested](r) // the others need none
	b.respond(s, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce})
	next[session.AssistantIdle](r)
	starts := sessiontest.All[session.ToolExecutionStart](r.Seen())
	done := sessiontest.All[session.ToolExecutionComplete](r.Seen())
	if len(starts) != 3 || len(done) != 3 {
		t.Fatalf("%d tools started, %d ended", len(starts), len(done))
	}
	byCall := map[session.CallID]session.ToolExecutionComplete{}
	for _, d := range done {
		byCall[d.ToolCallID] = d
	}
	for i, want := range []struct {
		success bool
		exit    int
	}{{true, 0}, {true, 3}, {false, -1}} {
		d := byCall[starts[i].ToolCallID]
		exit := -1
		if d.ShellExecution != nil && d.ShellExecution.ExitCode != nil {
			exit = *d.ShellExecution.ExitCode
		}
		if d.Success != want.success || exit != want.exit {
			t.Errorf("tool %d: success %v, exit %d; want %+v", i, d.Success, exit, want)
		}
	}
}

func TestSteerAndQueue(t *testing.T) {
	hold := llm.NewGate()
	b := on(t, llm.Script{
		"first": {{Text: "One two three.", Calls: []llm.Call{bash("echo four")}, Hold: hold, HoldAfter: 1}},
		"aside": {{Text: "By the way."}},
		"later": {{Text: "Later."}},
	})
	t.Cleanup(hold.Open)
	s, r := b.open()
	b.send(s, "@@first")
	<-hold.Reached()
	b.must(s.Send(t.Context(), session.Input{Prompt: "do @@later", Delivery: session.Enqueue}))
	b.must(s.Send(t.Context(), session.Input{Prompt: "note @@aside", Delivery: session.Immediate}))
	pending, err := s.Pending(t.Context())
	b.must(err)
	if len(pending) != 2 || pending[0].Text != "note @@aside" || !pending[0].Steering ||
		pending[1].Text != "do @@later" || pending[1].Steering || pending[0].ID == pending[1].ID {
		t.Errorf("pending %+v", pending)
	}
	hold.Open()
	for _, want := range []session.MessageDelivery{
		session.DeliveredIdle, session.DeliveredSteering, session.DeliveredQueued,
	} {
		if u := next[session.UserMessage](r); u.Delivery != want {
			t.Errorf("%q was delivered %s, want %s", u.Content, u.Delivery, want)
		}
	}
	next[session.AssistantIdle](r)
	if pending, err = s.Pending(t.Context()); err != nil || len(pending) != 0 {
		t.Errorf("pending at the end: %+v, %v", pending, err)
	}
}

func TestAbortToolAndContinue(t *testing.T) {
	b := on(t, llm.Script{
		"slow": {{Calls: []llm.Call{bash("echo begun; sleep 600")}}, {Text: "Never."}},
		"a":    {{Text: "A."}},
	})
	s, r := b.open()
	b.send(s, "@@slow")
	q := next[session.PermissionRequested](r)
	b.respond(s, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce})
	if out := next[session.ToolShellOutput](r); !strings.Contains(out.Text, "begun") {
		t.Errorf("the tool says %q", out.Text)
	}
	b.must(s.Abort(t.Context()))
	next[session.Abort](r)
	if !next[session.SessionIdle](r).Aborted {
		t.Error("the end does not say that it was aborted")
	}
	b.must(s.Abort(t.Context())) // nothing runs: nothing happens
	b.send(s, "@@a")
	if m := next[session.AssistantMessage](r); m.Content != "A." {
		t.Errorf("after the abort: %q", m.Content)
	}
}

func TestModelErrors(t *testing.T) {
	t.Parallel()
	t.Run("once", func(t *testing.T) {
		b := on(t, llm.Script{"flaky": {{Status: http.StatusInternalServerError, Times: 1, Text: "At last."}}})
		s, r := b.open()
		b.send(s, "@@flaky")
		next[session.ModelCallFailure](r)
		next[session.AssistantTurnRetry](r)
		if m := next[session.AssistantMessage](r); m.Content != "At last." {
			t.Errorf("after the retry: %q", m.Content)
		}
		next[session.AssistantIdle](r)
	})
	t.Run("for good", func(t *testing.T) {
		b := on(t, llm.Script{"bad": {{Status: http.StatusBadRequest}}, "a": {{Text: "A."}}})
		s, r := b.open()
		b.send(s, "@@bad")
		if e := next[session.SessionError](r); e.StatusCode != http.StatusBadRequest || e.Message == "" {
			t.Errorf("error %+v", e)
		}
		next[session.SessionIdle](r)
		b.send(s, "@@a")
		next[session.AssistantMessage](r)
	})
	t.Run("cut off", func(t *testing.T) {
		b := on(t, llm.Script{"cut": {{Text: "One two three four.", BreakAfter: 2, Times: 1}}})
		s, r := b.open()
		b.send(s, "@@cut")
		next[session.AssistantTurnRetry](r)
		if m := next[session.AssistantMessage](r); m.Content != "One two three four." {
			t.Errorf("after the retry: %q", m.Content)
		}
	})
}

func TestTwoSessionsAtOnce(t *testing.T) {
	hold := llm.NewGate()
	b := on(t, llm.Script{
		"one": {{Text: "This is one.", Hold: hold, HoldAfter: 1}},
		"two": {{Calls: []llm.Call{bash("touch two.txt")}}, {Text: "This is two."}},
	})
	t.Cleanup(hold.Open)
	one, r1 := b.open()
	two, r2 := b.open()
	b.send(one, "@@one")
	<-hold.Reached()
	b.send(two, "@@two")
	q := next[session.PermissionRequested](r2)
	yes := session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce}
	if err := one.Respond(t.Context(), yes); err == nil {
		t.Error("one session answered for the other")
	}
	if b.exists("two.txt") {
		t.Error("it had effect")
	}
	b.respond(two, yes)
	next[session.AssistantIdle](r2)
	hold.Open()
	next[session.AssistantIdle](r1)
	for name, r := range map[string]*sessiontest.Reader{"one": r1, "two": r2} {
		for _, m := range sessiontest.All[session.AssistantMessage](r.Seen()) {
			if m.Content != "" && m.Content != "This is "+name+"." {
				t.Errorf("session %s says %q", name, m.Content)
			}
		}
	}
}

func TestModesAndModels(t *testing.T) {
	b := on(t, llm.Script{"a": {{Text: "A."}}})
	opened, err := b.agent.Open(t.Context(), session.Options{Mode: session.Plan, Model: "another-model"})
	b.must(err)
	s := opened.(*copilot.Session)
	if info := s.Info(); info.Mode != session.Plan || info.Model != "another-model" {
		t.Errorf("info %+v", info)
	}
	r := sessiontest.Read(t, s)
	if m := next[session.SessionModeChanged](r); m.NewMode != session.Plan {
		t.Errorf("the mode is %s", m.NewMode)
	}
	b.must(s.SetMode(t.Context(), session.Interactive))
	if m := next[session.SessionModeChanged](r); m.NewMode != session.Interactive {
		t.Errorf("the mode is %s", m.NewMode)
	}
	models, err := s.Models(t.Context())
	if err != nil || len(models) != 1 || models[0].ID != "another-model" {
		t.Errorf("models %+v, %v", models, err)
	}
	b.must(s.SetModel(t.Context(), "third-model", ""))
	if m := next[session.SessionModelChange](r); m.NewModel != "third-model" {
		t.Errorf("the model is %s", m.NewModel)
	}
	b.send(s, "@@a")
	next[session.AssistantIdle](r)
	if req := b.model.Requests(); req[len(req)-1].Model != "third-model" {
		t.Errorf("asked %s", req[len(req)-1].Model)
	}
	if err := s.SetMode(t.Context(), "sideways"); err == nil {
		t.Error("a mode that does not exist was set")
	}
}

func TestCompact(t *testing.T) {
	b := on(t, llm.Script{
		"a":               {{Text: "A."}},
		llm.CompactScript: {{Text: "<summary>We said A.</summary>"}},
	})
	s, r := b.open()
	if err := s.Compact(t.Context(), ""); err == nil {
		t.Error("an empty history was compacted")
	}
	for range 3 {
		b.send(s, "@@a")
		next[session.SessionIdle](r)
	}
	b.must(s.Compact(t.Context(), "keep the letter"))
	done := next[session.SessionCompactionComplete](r)
	if !done.Success || !strings.Contains(done.SummaryContent, "We said A.") {
		t.Errorf("compaction %+v", done)
	}
}

func TestAttachments(t *testing.T) {
	b := on(t, llm.Script{"look": {{Text: "I see."}}})
	b.write("notes.txt", "the secret word is marmalade\n")
	s, r := b.open()
	b.must(s.Send(t.Context(), session.Input{Prompt: "@@look", Attachments: []session.Attachment{
		{Type: "file", Path: b.path("notes.txt"), DisplayName: "notes.txt"},
	}}))
	u := next[session.UserMessage](r)
	if len(u.Attachments) != 1 || u.Attachments[0].DisplayName != "notes.txt" || u.Attachments[0].Path != b.path("notes.txt") {
		t.Errorf("attachments %+v", u.Attachments)
	}
	next[session.AssistantIdle](r)
}
