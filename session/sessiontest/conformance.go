package sessiontest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"parley/session"
)

// Harness is a backend under test and the prompts that make it do what the
// suite looks at.
type Harness struct {
	Agent   session.Agent
	Options session.Options
	// Answer is answered in words, without a question.
	Answer string
	// Ask makes the agent ask for one permission; "" is of an agent that asks
	// nothing. Approved, it does the thing;
	// refused with feedback, it continues without. Either way the turn ends.
	Ask string
	// Ran reports whether the thing that Ask wants was ever done.
	Ran func() bool
	// Long streams an answer that continues until it is aborted.
	Long string
	// Confirms says that what Ask makes the agent ask for is a confirmation
	// (session.ConfirmationRequested) and not a permission: the agent does the
	// thing itself, so that no tool of the session reports it.
	Confirms bool
	// Remembers says that what Ask wants can be allowed for the session, and that
	// each of its sessions is a session.GrantManager.
	Remembers bool
	// Forgetful says that sessions are not stored: nothing can be resumed.
	Forgetful bool
	// Play is set by a backend that takes no prompts. It returns an agent whose
	// sessions do by themselves what the prompt would make others do, user.message
	// included, and which is closed with the test. Nothing that an answer would
	// change is looked at then.
	Play func(prompt string) session.Agent
}

// Conformance is what every backend must pass. It calls open once for each
// subtest, with a fresh agent, which the subtest closes; the subtests run in
// parallel. What a backend must do with an optional capability is looked at
// where session.As finds it.
func Conformance(t *testing.T, open func(t *testing.T) Harness) {
	t.Helper()
	tests := map[string]func(*suite){
		"answer":                 (*suite).answer,
		"approve":                (*suite).approve,
		"refuse":                 (*suite).refuse,
		"answer once":            (*suite).answerOnce,
		"answer nothing":         (*suite).answerNothing,
		"take back":              (*suite).takeBack,
		"abort streaming":        (*suite).abortStreaming,
		"abort while asked":      (*suite).abortWhileAsked,
		"close":                  (*suite).close,
		"close while asked":      (*suite).closeWhileAsked,
		"close unread":           (*suite).closeUnread,
		"close the agent":        (*suite).closeAgent,
		"two sessions":           (*suite).twoSessions,
		"resume":                 (*suite).resume,
		"resume what is unknown": (*suite).resumeUnknown,
		"settings":               (*suite).settings,
		"outside the turns":      (*suite).outsideTurns,
		"allow all":              (*suite).allowAll,
		"rewind":                 (*suite).rewind,
		"library":                (*suite).library,
		"queue":                  (*suite).queue,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			t.Cleanup(func() {
				ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), patience)
				defer cancel()
				if err := h.Agent.Close(ctx); err != nil {
					t.Errorf("close the agent: %v", err)
				}
			})
			test(&suite{T: t, Harness: h})
		})
	}
}

// suite is one subtest.
type suite struct {
	*testing.T
	Harness
}

func (s *suite) open() (session.Session, *Reader) {
	s.Helper()
	sess, err := s.Agent.Open(s.Context(), s.Options)
	s.must("open", err)
	return sess, Read(s.T, sess)
}

// start opens a session and makes it do what a prompt wants.
func (s *suite) start(prompt string) (session.Session, *Reader) {
	s.Helper()
	if s.Play != nil {
		s.Agent = s.Play(prompt)
		return s.open()
	}
	sess, r := s.open()
	s.send(sess, prompt)
	return sess, r
}

// readsAnswers skips a subtest about what answers change.
func (s *suite) readsAnswers() {
	s.Helper()
	if s.Play != nil {
		s.Skip("answers change nothing in this backend")
	}
}

func (s *suite) send(sess session.Session, prompt string) {
	s.Helper()
	s.must("send", sess.Send(s.Context(), session.Input{Prompt: prompt}))
}

// idle reads to the end of the turn.
func (s *suite) idle(r *Reader) session.AssistantIdle {
	s.Helper()
	return Next[session.AssistantIdle](r)
}

// ask opens a session in which a permission is open.
func (s *suite) ask() (session.Session, *Reader, session.RequestID) {
	s.Helper()
	if s.Ask == "" {
		s.Skip("this backend asks nothing")
	}
	sess, r := s.start(s.Ask)
	var id session.RequestID
	if s.Confirms {
		id = Next[session.ConfirmationRequested](r).RequestID
	} else {
		id = Next[session.PermissionRequested](r).RequestID
	}
	if id == "" {
		s.Error("the question has no id")
	}
	if s.Ran() {
		s.Fatal("the agent continued before it was answered")
	}
	return sess, r, id
}

// approval is the answer that lets the agent do what it asks for.
func (s *suite) approval(id session.RequestID) session.Answer {
	if s.Confirms {
		return session.ConfirmationAnswer{RequestID: id, Accepted: true}
	}
	return session.PermissionAnswer{RequestID: id, Decision: session.ApproveOnce}
}

// rejection is the answer of a user who wants none of it.
func (s *suite) rejection(id session.RequestID) session.Answer {
	if s.Confirms {
		return session.ConfirmationAnswer{RequestID: id}
	}
	return session.PermissionAnswer{RequestID: id, Decision: session.Reject, Feedback: "no"}
}

// settled reads how the question ended: whether what was asked for was allowed,
// and that its tool, where the session has one, reports the same.
func (s *suite) settled(r *Reader, id session.RequestID, approved bool) {
	s.Helper()
	if s.Confirms {
		want := map[bool]session.ConfirmationState{true: session.Accepted, false: session.Dismissed}[approved]
		if done := Next[session.ConfirmationCompleted](r); done.RequestID != id || done.State != want {
			s.Errorf("answered %s; settled was %s: %s, want %s", id, done.RequestID, done.State, want)
		}
		return
	}
	if done := Next[session.PermissionCompleted](r); done.RequestID != id || done.Result.Approved() != approved {
		s.Errorf("answered %s; settled was %s: %+v", id, done.RequestID, done.Result)
	}
	if got := Next[session.ToolExecutionComplete](r).Success; got != approved {
		s.Errorf("the tool succeeded: %t, want %t", got, approved)
	}
}

// approvals is how often the question was settled with a yes, and how often at
// all.
func approvals(events []session.Event) (approved, all int) {
	for _, ev := range events {
		var yes bool
		switch b := ev.Body.(type) {
		case session.PermissionCompleted:
			yes = b.Result.Approved()
		case session.ConfirmationCompleted:
			yes = b.State == session.Accepted
		default:
			continue
		}
		if all++; yes {
			approved++
		}
	}
	return approved, all
}

// sane checks what holds for the events of any session.
func (s *suite) sane(events []session.Event) {
	s.Helper()
	ids := map[session.EventID]bool{}
	live := false
	for _, ev := range events {
		switch {
		case ev.Body == nil:
			s.Errorf("event %s has no body", ev.ID)
		case ev.ID == "":
			s.Errorf("%s has no id", ev.Kind())
		case ids[ev.ID]:
			s.Errorf("two events have the id %s; the second is %s", ev.ID, ev.Kind())
		case ev.Time.IsZero():
			s.Errorf("%s has no time", ev.Kind())
		case ev.Replayed && live:
			s.Errorf("%s is replayed after a live event", ev.Kind())
		case ev.Replayed && ev.Ephemeral:
			s.Errorf("%s is replayed and ephemeral", ev.Kind())
		}
		ids[ev.ID] = true
		live = live || !ev.Replayed
	}
	if s.Failed() {
		s.Logf("events:\n%s", Describe(events))
	}
}

func (s *suite) answer() {
	sess, r := s.start(s.Answer)
	info := sess.Info()
	if info.ID == "" || info.Agent == "" || info.Mode == "" {
		s.Errorf("the session does not say what it is: %+v", info)
	}
	if u := Next[session.UserMessage](r); u.Content != s.Answer {
		s.Errorf("user.message says %q, sent was %q", u.Content, s.Answer)
	}
	m := Next[session.AssistantMessage](r)
	if m.Content == "" {
		s.Error("the answer is empty")
	}
	if s.idle(r).Aborted {
		s.Error("the turn says it was aborted")
	}
	var streamed strings.Builder
	for _, d := range All[session.AssistantMessageDelta](r.Seen()) {
		if d.MessageID != m.MessageID {
			s.Errorf("a delta belongs to message %q, the answer is %q", d.MessageID, m.MessageID)
		}
		streamed.WriteString(d.DeltaContent)
	}
	if streamed.Len() > 0 && streamed.String() != m.Content {
		s.Errorf("streamed %q, the message says %q", streamed.String(), m.Content)
	}
	s.sane(r.Seen())
}

func (s *suite) approve() {
	s.readsAnswers()
	sess, r, id := s.ask()
	s.must("answer", sess.Respond(s.Context(), s.approval(id)))
	s.settled(r, id, true)
	s.idle(r)
	if !s.Ran() {
		s.Error("the agent was allowed to and did not")
	}
	s.sane(r.Seen())
}

func (s *suite) refuse() {
	s.readsAnswers()
	sess, r, id := s.ask()
	err := sess.Respond(s.Context(), session.Refusal{
		RequestID: id, Kind: session.KindPermissionRequested, Feedback: "not now",
	})
	if err != nil {
		s.Fatal(err)
	}
	s.settled(r, id, false)
	if s.idle(r).Aborted {
		s.Error("a refusal with feedback ended the turn")
	}
	if s.Ran() {
		s.Error("the agent did what was refused")
	}
	s.sane(r.Seen())
}

// answerOnce answers a question many times at once: one answer counts.
func (s *suite) answerOnce() {
	s.readsAnswers()
	sess, r, id := s.ask()
	const racers = 4
	results := make(chan error, racers)
	for range racers {
		go func() {
			results <- sess.Respond(s.Context(), s.rejection(id))
		}()
	}
	taken := 0
	for range racers {
		switch err := <-results; {
		case err == nil:
			taken++
		case !errors.Is(err, session.ErrResolved):
			s.Errorf("a late answer: %v, want ErrResolved", err)
		}
	}
	if taken != 1 {
		s.Errorf("%d answers were taken, want 1", taken)
	}
	s.idle(r)
	if err := sess.Respond(s.Context(), s.approval(id)); !errors.Is(err, session.ErrResolved) {
		s.Errorf("an answer after the turn: %v, want ErrResolved", err)
	}
	if s.Ran() {
		s.Error("a late approval had effect")
	}
	if _, n := approvals(r.Seen()); n != 1 {
		s.Errorf("the question was settled %d times", n)
	}
}
