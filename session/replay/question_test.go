package replay_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/local"
	"parley/session/replay"
	"parley/session/sessiontest"
)

func permission(id session.RequestID) session.PermissionRequested {
	return session.PermissionRequested{RequestID: id, PermissionRequest: session.PermissionRequest{
		PermissionDetails: session.PermissionDetails{Kind: "shell", ToolCallID: "call", FullCommandText: "rm -r /"},
	}}
}

func allowed(id session.RequestID) session.PermissionCompleted {
	return session.PermissionCompleted{RequestID: id, Result: session.PermissionResult{Kind: "approved"}}
}

func once(id session.RequestID) session.Answer {
	return session.PermissionAnswer{RequestID: id, Decision: session.ApproveOnce}
}

// An answer closes a card and no more: the log continues as it is.
func TestAnswer(t *testing.T) {
	t.Parallel()
	k := newClock()
	k.stuck = time.Second // after the second question
	path := write(t, "log", line{0, permission("a")}, line{1, permission("b")}, line{2, allowed("b")}, line{5000, allowed("a")})
	s, r := play(t, path, 1, k)
	sessiontest.Next[session.PermissionCompleted](r)
	for _, c := range []struct {
		answer  session.Answer
		settled bool
	}{
		{once("b"), true}, // by the log
		{once("other"), true},
		{once("a"), false},
		{once("a"), true}, // its card is closed
	} {
		err := s.Respond(t.Context(), c.answer)
		if settled := errors.Is(err, session.ErrResolved); settled != c.settled || !settled && err != nil {
			t.Errorf("answer %s: %v, want settled %t", c.answer.Request(), err, c.settled)
		}
	}
	if info := sessiontest.Next[session.SessionInfo](r); !strings.Contains(info.Message, "changed nothing") {
		t.Errorf("got %q", info.Message)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	for _, ev := range r.Rest() {
		t.Errorf("after an answer came %s", ev.Kind())
	}
}

// It is said once that answers have no effect, and not for automatic refusals.
func TestAnswersAreRemarkedOnce(t *testing.T) {
	t.Parallel()
	k := newClock()
	k.stuck = time.Second
	path := write(t, "log", line{0, permission("a")}, line{0, permission("b")}, line{0, permission("c")}, line{5000, allowed("a")})
	s, r := play(t, path, 1, k)
	for range 3 {
		sessiontest.Next[session.PermissionRequested](r)
	}
	for _, a := range []session.Answer{
		session.Refusal{RequestID: "a", Kind: session.KindPermissionRequested}, once("b"), once("c"),
	} {
		if err := s.Respond(t.Context(), a); err != nil {
			t.Error(err)
		}
	}
	sessiontest.Next[session.SessionInfo](r)
	if err := s.Abort(t.Context()); err != nil {
		t.Error(err)
	}
	sessiontest.Next[session.SessionIdle](r)
	if n := len(sessiontest.All[session.SessionInfo](r.Seen())); n != 1 {
		t.Errorf("said %d times", n)
	}
}

// What a log leaves open at its end is closed without an answer.
func TestLeftOpen(t *testing.T) {
	t.Parallel()
	path := write(t, "log", line{0, session.UserMessage{Content: "go"}}, line{1, permission("a")},
		line{2, session.UserInputRequested{RequestID: "b"}}, line{3, session.ElicitationRequested{RequestID: "c"}},
		line{4, session.ExitPlanModeRequested{RequestID: "d"}}, line{5, session.FolderTrustRequested{RequestID: "e"}},
		line{6, session.CommandQueued{RequestID: "f"}}, line{7, session.McpOAuthRequired{RequestID: "g"}},
		line{8, session.AutoModeSwitchRequested{RequestID: "h"}}, line{9, session.SessionLimitsExhaustedRequested{RequestID: "i"}})
	s, r := play(t, path, 0, newClock())
	r.Until("the end", func(ev session.Event) bool { return ev.Kind() == session.KindSessionIdle })
	settled := map[session.RequestID]bool{}
	for _, ev := range r.Seen() {
		if b, ok := ev.Body.(session.Resolved); ok {
			settled[b.Resolves()] = true
		}
	}
	if len(settled) != 8 || settled["f"] {
		t.Errorf("settled: %v", settled)
	}
	if got := sessiontest.All[session.PermissionCompleted](r.Seen())[0]; got.Result.Kind != "cancelled" || got.ToolCallID != "call" {
		t.Errorf("%+v", got)
	}
	if got := sessiontest.All[session.UserInputCompleted](r.Seen())[0]; !got.Withdrawn {
		t.Errorf("%+v", got)
	}
	if _, ok := session.As[session.CommandHost](s); ok {
		t.Error("a log that is played has no queue whose commands could be carried out")
	}
	if got := sessiontest.All[session.FolderTrustCompleted](r.Seen())[0]; got.Trusted {
		t.Errorf("%+v", got)
	}
	if got := sessiontest.All[session.McpOAuthCompleted](r.Seen())[0]; got.Outcome != "cancelled" {
		t.Errorf("%+v", got)
	}
	if got := sessiontest.All[session.AutoModeSwitchCompleted](r.Seen())[0]; got.Response != session.SwitchNo {
		t.Errorf("%+v", got)
	}
	if err := s.Respond(t.Context(), once("a")); !errors.Is(err, session.ErrResolved) {
		t.Errorf("an answer after the end: %v", err)
	}
}

// A log that ends idle, or with its session, gets no other end; the session
// stays until it is closed.
func TestEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		last session.Body
		want string
	}{
		"turn":     {session.AssistantTurnEnd{TurnID: "0"}, "user.message\nassistant.turn_end\nsession.idle\n"},
		"idle":     {session.SessionIdle{}, "user.message\nsession.idle\n"},
		"shutdown": {session.SessionShutdown{}, "user.message\nsession.shutdown\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, r := play(t, write(t, "log", line{0, session.UserMessage{Content: "hi"}}, line{1, c.last}), 0, newClock())
			for range strings.Count(c.want, "\n") {
				r.Until("an event", func(session.Event) bool { return true })
			}
			if err := s.Abort(t.Context()); err != nil {
				t.Error(err)
			}
			if err := s.Send(t.Context(), session.Input{Prompt: "more"}); !errors.Is(err, replay.ErrNoPrompts) {
				t.Errorf("send: %v", err)
			}
			select {
			case ev, open := <-s.Events():
				t.Errorf("then came %v (open %t)", ev.Kind(), open)
			default:
			}
			if err := s.Close(t.Context()); err != nil {
				t.Error(err)
			}
			r.Rest()
			if got := kinds(r.Seen()); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
			if err := s.Send(t.Context(), session.Input{}); !errors.Is(err, local.ErrClosed) {
				t.Errorf("send after the end: %v", err)
			}
		})
	}
}

// Interrupted, a replay ends its turn as the runtime does and plays no more.
func TestAbort(t *testing.T) {
	t.Parallel()
	k := newClock()
	k.stuck = time.Second
	path := write(t, "log", line{0, session.UserMessage{Content: "go"}}, line{1, session.AssistantTurnStart{TurnID: "3"}},
		line{2, permission("a")}, line{5000, allowed("a")})
	s, r := play(t, path, 1, k)
	sessiontest.Next[session.PermissionRequested](r)
	for range 2 {
		if err := s.Abort(t.Context()); err != nil {
			t.Error(err)
		}
	}
	before := len(r.Seen())
	r.Until("the end", func(ev session.Event) bool { return ev.Kind() == session.KindSessionIdle })
	want := "abort\npermission.completed\nassistant.turn_end\nassistant.idle\nsession.idle\n"
	if got := kinds(r.Seen()[before:]); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := sessiontest.All[session.AssistantTurnEnd](r.Seen())[0]; got.TurnID != "3" {
		t.Errorf("%+v", got)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if rest := r.Rest(); len(rest) > 0 {
		t.Errorf("then came\n%s", kinds(rest))
	}
}

// Stopped anywhere, a replay leaves no turn and no card open.
func TestAbortAnywhere(t *testing.T) {
	t.Parallel()
	for _, path := range sessiontest.Logs(t) {
		for pauses := range 12 {
			k := newClock()
			k.left = pauses
			s, r := play(t, path, 1, k)
			log := sessiontest.Log(t, strings.TrimSuffix(filepath.Base(path), ".jsonl"))
			last := log[len(log)-1].ID
			r.Until("the first event", func(session.Event) bool { return true })
			if err := s.Abort(t.Context()); err != nil {
				t.Fatal(err)
			}
			stopped := false
			r.Until("the end", func(ev session.Event) bool {
				idle, ok := ev.Body.(session.SessionIdle)
				stopped = ok && idle.Aborted && strings.HasPrefix(string(ev.ID), string(s.Info().ID))
				return stopped || ev.ID == last
			})
			if stopped {
				closed(t, path, r.Seen())
			}
		}
	}
}

// closed checks that nothing is open any more.
func closed(t *testing.T, path string, events []session.Event) {
	t.Helper()
	turn, open := false, map[session.RequestID]bool{}
	for _, ev := range events {
		switch b := ev.Body.(type) {
		case session.AssistantTurnStart:
			turn = turn || ev.Agent == ""
		case session.AssistantTurnEnd:
			turn = turn && ev.Agent != ""
		case session.PermissionRequested:
			open[b.RequestID] = true
		case session.Resolved:
			delete(open, b.Resolves())
		case session.Abort:
			if ev.ID != "" && !strings.HasPrefix(string(ev.ID), "replay-") {
				clear(open)
			}
		}
	}
	if turn || len(open) > 0 {
		t.Errorf("%s: left open are a turn (%t) and %v", path, turn, open)
	}
}

// The logs of the conformance suite stand still in the middle, as a runtime
// does that waits for an answer or for its model.
func TestConformance(t *testing.T) {
	t.Parallel()
	logs := map[string][]line{
		"answer": {
			{0, session.UserMessage{Content: "answer"}},
			{1, session.AssistantTurnStart{TurnID: "0"}},
			{2, session.AssistantMessageDelta{MessageID: "m", DeltaContent: "An "}},
			{3, session.AssistantMessageDelta{MessageID: "m", DeltaContent: "answer."}},
			{4, session.AssistantMessage{MessageID: "m", Content: "An answer."}},
			{5, session.AssistantTurnEnd{TurnID: "0"}},
			{6, session.AssistantIdle{}},
			{7, session.SessionIdle{}},
		},
		"ask": {
			{0, session.UserMessage{Content: "ask"}},
			{1, session.AssistantTurnStart{TurnID: "0"}},
			{2, permission("r")},
			{5000, allowed("r")},
		},
		"long": {
			{0, session.UserMessage{Content: "long"}},
			{1, session.AssistantTurnStart{TurnID: "0"}},
			{2, session.AssistantMessageDelta{MessageID: "m", DeltaContent: "And "}},
			{5000, session.AssistantTurnEnd{}},
		},
	}
	sessiontest.Conformance(t, func(t *testing.T) sessiontest.Harness {
		t.Helper()
		started := func(prompt string) session.Agent {
			k := newClock()
			k.stuck = time.Second
			return agent(t, write(t, prompt, logs[prompt]...), 1, k)
		}
		return sessiontest.Harness{
			Agent: started("answer"), Play: started, Answer: "answer", Ask: "ask", Long: "long", Forgetful: true,
			Ran: func() bool { return false }, // there is nothing that could run
		}
	})
}

// A log is read as it is played: what is written while a replay waits for its
// reader is played too.
func TestStreams(t *testing.T) {
	t.Parallel()
	const count = 400 // of a kilobyte each: more than the replay reads ahead
	var lines []line
	for range count {
		lines = append(lines, line{0, session.SessionInfo{Message: strings.Repeat("x", 1<<10)}})
	}
	path := write(t, "log", lines...)
	_, r := play(t, path, 0, newClock())
	r.Until("the first event", func(session.Event) bool { return true })
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.WriteString(`{"type":"session.warning","id":"late"}`)
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	r.Until("the late event", func(ev session.Event) bool { return ev.ID == "late" })
	if got := len(r.Seen()); got != count+1 {
		t.Errorf("%d events, want %d", got, count+1)
	}
}
