package copilot_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"parley/history/sessions"
	"parley/session"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// contests is how often two windows go for one session in a test, and in make
// soak.
const (
	contests     = 10
	soakContests = 50
)

// TestTwoResumeOne: of two windows that continue one session at once, each with
// a runtime of its own, one has it, also before anything is said there: the runtime
// marks it only then. It is free when the one lets go of it.
func TestTwoResumeOne(t *testing.T) {
	b := setup(t, llm.Script{"a": {{Text: "A."}}})
	t.Parallel()
	b.cfg.Claims = sessions.ClaimsIn(filepath.Join(b.home, "locks"))
	b.start()
	s, r := b.open()
	b.turn(s, r, "@@a")
	id := s.Info().ID
	second := *b
	second.start()
	refused := func(what string, err error) {
		t.Helper()
		if held := (*session.HeldError)(nil); !errors.As(err, &held) || held.Who == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := second.agent.Resume(t.Context(), id, session.Options{})
	refused("while it is open", err)
	refused("deleted while it is open", second.agent.Delete(t.Context(), id))
	b.must(s.Close(t.Context()))
	type outcome struct {
		session session.Session
		err     error
	}
	resume := func(on *bench, to chan<- outcome) {
		s, err := on.agent.Resume(t.Context(), id, session.Options{})
		to <- outcome{s, err}
	}
	rounds, had := sessiontest.Soak(t, contests, soakContests), 0
	for round := range rounds {
		one, other := make(chan outcome, 1), make(chan outcome, 1)
		go resume(b, one)
		go resume(&second, other)
		first, then := <-one, <-other
		if first.err != nil {
			first, then = then, first
			had++
		}
		if first.err != nil || then.err == nil {
			t.Fatalf("round %d: %v, %v", round, first.err, then.err)
		}
		refused("at once", then.err)
		b.must(first.session.Close(t.Context()))
	}
	t.Logf("%d rounds: one had it %d times, the other %d; refused was the other one each time", rounds, rounds-had, had)
	s, _ = second.resume(id)
	b.must(s.Close(context.WithoutCancel(t.Context())))
	b.must(b.agent.Delete(t.Context(), id))
}
