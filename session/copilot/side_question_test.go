package copilot_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest/llm"
)

// TestAskAside asks during a turn. The answer comes in pieces and is no part of
// the conversation.
func TestAskAside(t *testing.T) {
	hold := llm.NewGate()
	b := on(t, llm.Script{
		"wait":  {{Text: "One two.", Hold: hold, HoldAfter: 1}},
		"aside": {{Text: "It is *so*."}}, "a": {{Text: "A."}},
	})
	t.Cleanup(hold.Open)
	s, r := b.open()
	b.send(s, "@@wait")
	<-hold.Reached()
	answer, err := s.AskAside(t.Context(), "is it @@aside?")
	b.must(err)
	if answer != "It is *so*." {
		t.Errorf("answered %q", answer)
	}
	if p := b.prompted(); !strings.Contains(p, "@@wait") {
		t.Errorf("it was asked without the conversation: %s", p)
	}
	for _, phase := range []string{"started", "chunk"} {
		if q := next[session.UiEphemeralQuery](r); q.Phase != phase {
			t.Errorf("%+v, want %s", q, phase)
		}
	}
	hold.Open()
	next[session.AssistantIdle](r)
	b.send(s, "@@a")
	next[session.AssistantIdle](r)
	if p := b.prompted(); strings.Contains(p, "@@aside") || strings.Contains(p, "It is") {
		t.Errorf("it became part of the conversation: %s", p)
	}
}

// TestAskAsideFails: the model refuses, or takes too long.
func TestAskAsideFails(t *testing.T) {
	hold := llm.NewGate()
	b := on(t, llm.Script{
		"fail": {{Status: 400, Body: object{"error": object{"message": "not today", "code": "400"}}}},
		"long": {{Text: "Well.", Hold: hold}},
	})
	t.Cleanup(hold.Open)
	s, _ := b.open()
	if _, err := s.AskAside(t.Context(), "why @@fail"); err == nil || !strings.Contains(err.Error(), "not today") {
		t.Errorf("failed with %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-hold.Reached()
		cancel()
	}()
	start := time.Now()
	if _, err := s.AskAside(ctx, "why @@long"); !errors.Is(err, context.Canceled) || time.Since(start) > 20*time.Second {
		t.Errorf("ended with %v after %v", err, time.Since(start))
	}
}

// TestCompletesNothing: the runtime has no completions for a session of this
// machine, so a session is no session.Completer.
func TestCompletesNothing(t *testing.T) {
	b := on(t, nil)
	s, _ := b.open()
	if got, err := copilot.Completions(t.Context(), s, "fix #1", 6); err != nil || len(got) != 0 {
		t.Errorf("completed %+v, %v", got, err)
	}
}
