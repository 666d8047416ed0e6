package acp

import (
	"context"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// TestCopy: a copy of a session is one of its own for the agent too, which begins anew in it, as the user is
// warned; what was said is there.
func TestCopy(t *testing.T) {
	t.Parallel()
	a, _ := scripted(t)
	t.Cleanup(func() { _ = a.Close(context.WithoutCancel(t.Context())) })
	first, err := a.Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	said := sessiontest.Read(t, first)
	if err := first.Send(t.Context(), session.Input{Prompt: "answer"}); err != nil {
		t.Fatal(err)
	}
	original := sessiontest.Next[session.SessionStart](said).AgentSessionID
	sessiontest.Next[session.SessionIdle](said)
	id, err := a.Fork(t.Context(), first.Info().ID, "")
	if err != nil {
		t.Fatal(err)
	}
	second, err := a.Resume(t.Context(), id, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := sessiontest.Read(t, second)
	if warned := sessiontest.Next[session.SessionWarning](r); !strings.Contains(warned.Message, "begins anew") {
		t.Errorf("warned of %q", warned.Message)
	}
	if own := sessiontest.Next[session.SessionResume](r).AgentSessionID; own == "" || own == original {
		t.Errorf("it continues %q, and the original is %q", own, original)
	}
	if got := texts(r.Seen()); got != "answer|An answer." {
		t.Errorf("it has %q", got)
	}
}
