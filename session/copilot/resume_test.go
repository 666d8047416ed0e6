package copilot_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// restart ends the runtime, or the connection to a shared one, and starts another
// one in the same place.
func (b *bench) restart() {
	b.Helper()
	b.stop()
	b.connect()
}

func replayed(events []session.Event) (old, live []session.Event) {
	for _, ev := range events {
		if ev.Replayed {
			old = append(old, ev)
		} else {
			live = append(live, ev)
		}
	}
	return old, live
}

func TestResumeInAnotherRuntime(t *testing.T) {
	b := alone(t, llm.Script{"a": {{Reasoning: "Hm.", Calls: []llm.Call{bash("echo hi")}}, {Text: "A."}}, "b": {{Text: "B."}}})
	s, r := b.open()
	b.send(s, "@@a")
	next[session.AssistantIdle](r)
	id := s.Info().ID
	b.restart()

	latest, err := b.agent.LatestID(t.Context(), b.dir)
	if err != nil || latest != id {
		t.Errorf("the latest session is %q, %v; want %q", latest, err, id)
	}
	if none, err := b.agent.LatestID(t.Context(), b.dir, id); err != nil || none != "" {
		t.Errorf("without the only one the latest session is %q, %v", none, err)
	}
	if none, err := b.agent.LatestID(t.Context(), scratch(t)); err != nil || none != "" {
		t.Errorf("the latest session of an empty folder is %q, %v", none, err)
	}
	s, r = b.resume(id)
	if info := s.Info(); info.Dir != b.dir || info.Model != llm.Model || info.Mode != session.Interactive || info.InUse {
		t.Errorf("info %+v", info)
	}
	next[session.SessionResume](r)
	old, _ := replayed(r.Seen())
	var kinds []string
	for _, ev := range old {
		kinds = append(kinds, string(ev.Kind()))
	}
	story := strings.Join(kinds, " ")
	for _, want := range []string{
		"session.start user.message", "assistant.message tool.execution_start tool.execution_complete assistant.turn_end",
		"assistant.message assistant.turn_end session.shutdown",
	} {
		if !strings.Contains(story, want) {
			t.Errorf("the history has no %q: %s", want, story)
		}
	}
	b.send(s, "@@b")
	if m := next[session.AssistantMessage](r); m.Content != "B." {
		t.Errorf("it continues with %q", m.Content)
	}
	next[session.AssistantIdle](r)
	ids := map[session.EventID]bool{}
	for _, ev := range r.Seen() {
		if ids[ev.ID] {
			t.Errorf("%s came twice", ev.Kind())
		}
		ids[ev.ID] = true
	}
	if _, err := b.agent.Resume(t.Context(), id, session.Options{}); err == nil {
		t.Error("an open session was opened again")
	}
}

func TestResumeWithOpenPermission(t *testing.T) {
	b := alone(t, llm.Script{"go": touch("late.txt")})
	s, r := b.open()
	b.send(s, "@@go")
	q := next[session.PermissionRequested](r)
	id := s.Info().ID
	b.restart()
	s, r = b.resume(id)
	again := next[session.PermissionRequested](r)
	if again.RequestID != q.RequestID || again.PromptRequest == nil || again.PromptRequest.FullCommandText != "touch late.txt" ||
		again.PermissionRequest.FullCommandText != "touch late.txt" {
		t.Errorf("asked again %+v", again)
	}
	old, _ := replayed(r.Seen())
	if n := len(sessiontest.All[session.PermissionRequested](old)); n != 1 {
		t.Errorf("%d questions in the history", n)
	}
	if b.exists("late.txt") {
		t.Error("it was done before it was answered")
	}
	b.respond(s, session.PermissionAnswer{RequestID: again.RequestID, Decision: session.ApproveOnce})
	if d := next[session.ToolExecutionComplete](r); !d.Success {
		t.Errorf("the tool ended with %+v", d.Error)
	}
	next[session.AssistantIdle](r)
	if !b.exists("late.txt") {
		t.Error("it was not done")
	}
	if n := len(sessiontest.All[session.PermissionRequested](r.Seen())); n != 2 {
		t.Errorf("asked %d times in all, want once stored and once live", n)
	}
}

// TestResumeAsksAgain leaves a session that allows everything.
func TestResumeAsksAgain(t *testing.T) {
	b := alone(t, llm.Script{"go": touch("one.txt"), "a": {{Text: "A."}}})
	s, r := b.open()
	b.send(s, "@@a")
	next[session.AssistantIdle](r)
	b.must(copilot.Call(t.Context(), s, "session.permissions.setMode", object{"mode": "allow-all"}))
	b.send(s, "@@go")
	next[session.AssistantIdle](r)
	if !b.exists("one.txt") {
		t.Fatal("not everything was allowed")
	}
	b.must(os.Remove(b.path("one.txt")))
	id := s.Info().ID
	b.restart()
	s, r = b.resume(id)
	b.send(s, "@@go")
	next[session.PermissionRequested](r)
	if b.exists("one.txt") {
		t.Error("it was done unasked")
	}
}

func TestResumeInUse(t *testing.T) {
	b := alone(t, llm.Script{"a": {{Text: "A."}}})
	s, r := b.open()
	b.send(s, "@@a")
	next[session.AssistantIdle](r)
	other, err := copilot.Open(t.Context(), b.cfg)
	b.must(err)
	t.Cleanup(func() { b.must(other.Close(context.WithoutCancel(t.Context()))) })
	again, err := other.Resume(t.Context(), s.Info().ID, session.Options{})
	b.must(err)
	if !again.Info().InUse {
		t.Error("nothing says that the session is open elsewhere")
	}
	b.must(again.Close(t.Context()))
}

func TestResumeWithOptions(t *testing.T) {
	b := on(t, llm.Script{"a": {{Text: "A."}}})
	s, r := b.open()
	b.send(s, "@@a")
	next[session.AssistantIdle](r)
	b.must(s.Close(t.Context()))
	elsewhere := scratch(t)
	again, err := b.agent.Resume(t.Context(), s.Info().ID, session.Options{
		Model: "another-model", Mode: session.Plan, Dir: elsewhere,
	})
	b.must(err)
	if info := again.Info(); info.Model != "another-model" || info.Mode != session.Plan || info.Dir != elsewhere {
		t.Errorf("info %+v", info)
	}
}
