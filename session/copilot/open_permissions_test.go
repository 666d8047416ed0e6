package copilot_test

import (
	"slices"
	"testing"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// TestQuestionVanishes lets the runtime forget a question without a word: when
// the agent rests it is settled all the same, and not as approved.
func TestQuestionVanishes(t *testing.T) {
	t.Parallel()
	_, s, r := faulty(t)
	if err := s.Send(t.Context(), session.Input{Prompt: "a question that vanishes"}); err != nil {
		t.Fatal(err)
	}
	q := next[session.PermissionRequested](r)
	next[session.AssistantIdle](r)
	var done session.Event
	r.Until("the settlement", func(ev session.Event) bool {
		_, ok := ev.Body.(session.PermissionCompleted)
		done = ev
		return ok
	})
	b := done.Body.(session.PermissionCompleted)
	if b.RequestID != q.RequestID || b.ToolCallID != "call-1" || b.Result.Kind != "cancelled" || b.Result.Approved() {
		t.Errorf("settled as %+v", b)
	}
	if !done.Ephemeral || done.Replayed || done.ID == "" {
		t.Errorf("the event is %+v", done)
	}
}

// TestBackgroundQuestionStays lets the root agent rest while a sub-agent in the
// background waits for a permission: it stays open and can be answered.
func TestBackgroundQuestionStays(t *testing.T) {
	hold := llm.NewGate()
	t.Cleanup(hold.Open)
	b := on(t, llm.Script{
		"helped": {{Calls: []llm.Call{{Name: "task", Args: map[string]any{
			"name": "helper", "description": "help out", "agent_type": "task", "mode": "background", "prompt": "please @@help",
		}}}}, {Text: "It has begun.", Hold: hold}},
		"help": touch("helped.txt"),
		"a":    {{Text: "A."}},
	})
	s, r := b.open()
	b.send(s, "@@helped")
	asked := r.Until("the sub-agent's question", func(ev session.Event) bool {
		_, ok := ev.Body.(session.PermissionRequested)
		return ok && ev.Agent != ""
	})
	hold.Open()
	next[session.AssistantIdle](r)
	q := asked.Body.(session.PermissionRequested)
	if open := copilot.Compare(s); !slices.Equal(open, []session.RequestID{q.RequestID}) {
		t.Errorf("open are %v, want %s", open, q.RequestID)
	}
	b.send(s, "@@a") // the runtime may take it up before the answer or after
	b.respond(s, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce})
	r.Until("the end of the sub-agent", func(ev session.Event) bool {
		done, ok := ev.Body.(session.ToolExecutionComplete)
		return ok && ev.Agent == asked.Agent && done.Success
	})
	for _, done := range sessiontest.All[session.PermissionCompleted](r.Seen()) {
		if done.RequestID == q.RequestID && !done.Result.Approved() {
			t.Errorf("settled as %+v", done.Result)
		}
	}
	if !b.exists("helped.txt") {
		t.Error("it was not done")
	}
	if open := copilot.Compare(s); len(open) != 0 {
		t.Errorf("open are %v", open)
	}
}
