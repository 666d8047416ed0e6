package demo_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"parley/session"
	"parley/session/demo"
	"parley/session/sessiontest"
)

// Interrupted where a turn can be, it ends as the runtime ends it, and the next
// prompt is answered.
func TestAbort(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pace   time.Duration
		prompt string
		reach  func(*stage)
	}{
		"before the first token": {time.Hour, "Hello", func(s *stage) {
			sessiontest.Next[session.AssistantTurnStart](s.Reader)
			sessiontest.Next[session.SessionUsageInfo](s.Reader) // the last event before the first token
		}},
		"while streaming":      {0, "huge", func(s *stage) { sessiontest.Next[session.AssistantMessageDelta](s.Reader) }},
		"while a card is open": {0, "Hello", func(s *stage) { sessiontest.Next[session.PermissionRequested](s.Reader) }},
		"while a question is open": {
			0, "question", func(s *stage) { sessiontest.Next[session.UserInputRequested](s.Reader) },
		},
		"while a tool runs": {0, "slow", func(s *stage) {
			s.decide(once)
			s.Until("a line", func(ev session.Event) bool { // cmd.exe writes its end by itself
				out, ok := ev.Body.(session.ToolShellOutput)
				return ok && strings.HasSuffix(out.Text, "\n")
			})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, c.pace)
			s.send(c.prompt, "")
			c.reach(s)
			if name != "while streaming" { // it would come between any two deltas
				s.send("never said", session.Enqueue)
				sessiontest.Next[session.PendingMessagesModified](s.Reader)
			}
			s.abort()
			s.quiet()
			sessiontest.Golden(t, "demo/abort_"+strings.ReplaceAll(name, " ", "_"), sequence(s.Seen()))
			for _, q := range s.Seen() {
				if q, ok := q.Body.(session.Ask); ok && c.prompt != "slow" {
					err := s.Respond(t.Context(), session.PermissionAnswer{RequestID: q.Request(), Decision: session.ApproveOnce})
					if !errors.Is(err, session.ErrResolved) {
						t.Errorf("an answer after the abort: %v", err)
					}
				}
			}
			if c.pace == 0 {
				s.send("parallel", "")
				s.quiet()
			}
		})
	}
}

// Aborts and closes that come at any event leave a sane log and nothing else.
func TestAbortAnywhere(t *testing.T) {
	t.Parallel()
	for n := range 40 {
		s := open(t, 0)
		s.send("Hello", "")
		count := 0
		s.Until("some event", func(ev session.Event) bool {
			if q, ok := ev.Body.(session.PermissionRequested); ok {
				_ = s.Respond(t.Context(), session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce})
			}
			count++
			return count > n || ev.Kind() == session.KindSessionIdle
		})
		s.abort()
		s.send("a long one", "")
		for answered := false; !answered; {
			s.quiet()
			for _, m := range sessiontest.All[session.UserMessage](s.Seen()) {
				answered = answered || m.Content == "a long one"
			}
		}
		open, asked := 0, map[session.RequestID]bool{}
		for _, ev := range s.Seen() {
			switch b := ev.Body.(type) {
			case session.AssistantTurnStart:
				open++
			case session.AssistantTurnEnd:
				open--
			case session.PermissionRequested:
				asked[b.RequestID] = true
			case session.PermissionCompleted:
				delete(asked, b.RequestID)
			}
		}
		if open != 0 || len(asked) != 0 {
			t.Errorf("aborted after %d events: %d turns and %d questions are open\n%s", n, open, len(asked), sequence(s.Seen()))
		}
	}
}

// Closing at any moment ends every goroutine, which synctest checks, and
// removes the scratch folder.
func TestCloseAnywhere(t *testing.T) {
	t.Parallel()
	for n := range 30 {
		synctest.Test(t, func(t *testing.T) {
			s := open(t, demo.HumanPace)
			s.send("Hello", "")
			count := 0
			s.Until("some event", func(ev session.Event) bool {
				if q, ok := ev.Body.(session.PermissionRequested); ok {
					_ = s.Respond(t.Context(), session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce})
				}
				count++
				return count > n
			})
			if err := s.Close(t.Context()); err != nil {
				t.Error(err)
			}
			if left := scratch(s.temp); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			rest := s.Rest()
			if len(rest) == 0 || rest[len(rest)-1].Kind() != "session.shutdown" {
				t.Errorf("closed after %d events, the last is %s", n, sequence(rest))
			}
		})
	}
}

func TestCompact(t *testing.T) {
	t.Parallel()
	s := open(t, 0)
	compact := s.Session.(session.Compacter)
	if err := compact.Compact(t.Context(), ""); err == nil {
		t.Error("an empty history was compacted")
	}
	s.send("a long one", "")
	s.quiet()
	before := len(s.Seen())
	if err := compact.Compact(t.Context(), "keep it short"); err != nil {
		t.Error(err)
	}
	done := sessiontest.Next[session.SessionCompactionComplete](s.Reader)
	if !done.Success || done.CustomInstructions != "keep it short" || done.SummaryContent == "" || done.TokensRemoved <= 0 {
		t.Errorf("%+v", done)
	}
	sessiontest.Next[session.SessionUsageInfo](s.Reader)
	sessiontest.Golden(t, "demo/compact", sequence(s.Seen()[before:]))
}

// A compaction can be given up, by its caller and by an abort, also while it
// waits for its turn.
func TestCompactCancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := open(t, demo.HumanPace)
		compact := s.Session.(session.Compacter)
		s.send("a long one", "")
		sessiontest.Next[session.AssistantTurnStart](s.Reader)
		errs := make(chan error)
		go func() { errs <- compact.Compact(t.Context(), "") }()
		synctest.Wait()
		s.abort()
		if err := <-errs; err == nil {
			t.Error("a compaction that waited survived the abort")
		}
		s.quiet()
		go func() { errs <- compact.Compact(t.Context(), "") }()
		sessiontest.Next[session.SessionCompactionStart](s.Reader)
		s.abort()
		if err := <-errs; err == nil {
			t.Error("the compaction survived the abort")
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() { errs <- compact.Compact(ctx, "") }()
		sessiontest.Next[session.SessionCompactionStart](s.Reader)
		cancel()
		if err := <-errs; !errors.Is(err, context.Canceled) {
			t.Errorf("given up: %v", err)
		}
		sessiontest.Next[session.SessionCompactionComplete](s.Reader)
		ends := sessiontest.All[session.SessionCompactionComplete](s.Seen())
		if len(ends) != 2 || ends[0].Outcome != "cancelled" || ends[1].Outcome != "cancelled" || ends[1].Success {
			t.Errorf("%+v", ends)
		}
	})
}

// Interrupted at any event of any scene, everything that began has ended.
func TestAbortScenesAnywhere(t *testing.T) {
	t.Parallel()
	for _, word := range slices.Concat(asking, silent) {
		for n := 0; n < 60; n += 5 {
			s := open(t, 0)
			s.send(word, "")
			count := 0
			s.Until("some event", func(ev session.Event) bool {
				if q, ok := ev.Body.(session.Ask); ok {
					_ = s.Respond(t.Context(), agreeable(q))
				}
				count++
				return count > n || ev.Kind() == session.KindSessionIdle
			})
			s.abort()
			s.send("a long one", "")
			for answered := false; !answered; {
				s.quiet()
				for _, m := range sessiontest.All[session.UserMessage](s.Seen()) {
					answered = answered || m.Content == "a long one"
				}
			}
			if left := unfinished(s.Seen()); left != "" {
				t.Errorf("%s, aborted after %d events: %s\n%s", word, n, left, sequence(s.Seen()))
			}
		}
	}
}

// unfinished is what began and did not end.
func unfinished(events []session.Event) string {
	left := map[string]int{}
	for _, ev := range events {
		switch b := ev.Body.(type) {
		case session.AssistantTurnStart:
			left["turn of "+string(ev.Agent)]++
		case session.AssistantTurnEnd:
			left["turn of "+string(ev.Agent)]--
		case session.SubagentStarted:
			if b.ExecutionMode != "background" { // that one keeps running
				left["agent "+string(ev.Agent)]++
			}
		case session.SubagentCompleted, session.SubagentFailed:
			left["agent "+string(ev.Agent)]--
			delete(left, "turn of "+string(ev.Agent)) // one that was cancelled ends with its agent
		case session.PermissionRequested:
			left["permission"]++
		case session.PermissionCompleted:
			left["permission"]--
		}
	}
	for what, n := range left {
		if n != 0 {
			return what
		}
	}
	return ""
}
