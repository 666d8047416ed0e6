package sessiontest

import (
	"errors"

	"parley/session"
)

// The part of the conformance suite that ends things: turns, sessions, agents.

func (s *suite) abortStreaming() {
	sess, r := s.start(s.Long)
	Next[session.AssistantMessageDelta](r)
	s.must("abort", sess.Abort(s.Context()))
	Next[session.Abort](r)
	if !s.idle(r).Aborted {
		s.Error("the end of the turn does not say that it was aborted")
	}
	if s.Play == nil {
		s.send(sess, s.Answer)
		if Next[session.AssistantMessage](r).Content == "" {
			s.Error("no answer after an abort")
		}
		s.idle(r)
	}
	s.sane(r.Seen())
}

func (s *suite) abortWhileAsked() {
	sess, r, id := s.ask()
	s.must("abort", sess.Abort(s.Context()))
	if !s.idle(r).Aborted {
		s.Error("the end of the turn does not say that it was aborted")
	}
	if err := sess.Respond(s.Context(), s.approval(id)); !errors.Is(err, session.ErrResolved) {
		s.Errorf("an answer after the abort: %v, want ErrResolved", err)
	}
	if s.Ran() {
		s.Error("an aborted question was approved")
	}
	if n, _ := approvals(r.Seen()); n > 0 {
		s.Error("an aborted question was approved")
	}
	s.sane(r.Seen())
}

// closed checks a session that has ended on purpose.
func (s *suite) closed(sess session.Session, r *Reader) {
	s.Helper()
	r.Rest()
	if err := sess.Wait(); err != nil {
		s.Errorf("Wait after Close: %v", err)
	}
	if err := sess.Send(s.Context(), session.Input{Prompt: s.Answer}); err == nil {
		s.Error("Send works on a closed session")
	}
	if err := sess.Abort(s.Context()); err == nil {
		s.Error("Abort works on a closed session")
	}
	if err := sess.Close(s.Context()); err != nil {
		s.Errorf("closing twice: %v", err)
	}
	s.sane(r.Seen())
}

func (s *suite) close() {
	sess, r := s.start(s.Answer)
	s.idle(r)
	s.must("close", sess.Close(s.Context()))
	s.closed(sess, r)
}

func (s *suite) closeWhileAsked() {
	sess, r, id := s.ask()
	s.must("close", sess.Close(s.Context()))
	s.closed(sess, r)
	if err := sess.Respond(s.Context(), s.approval(id)); err == nil {
		s.Error("Respond works on a closed session")
	}
	if err := s.Agent.Close(s.Context()); err != nil {
		s.Errorf("close the agent: %v", err)
	}
	if s.Ran() {
		s.Error("closing approved what was asked")
	}
}

// closeUnread leaves a session whose events are not read.
func (s *suite) closeUnread() {
	sess, _ := s.start(s.Answer)
	s.must("close", sess.Close(s.Context()))
	if err := sess.Wait(); err != nil {
		s.Errorf("Wait after Close: %v", err)
	}
}

func (s *suite) closeAgent() {
	sess, r, id := s.ask()
	if err := s.Agent.Close(s.Context()); err != nil {
		s.Fatal(err)
	}
	s.closed(sess, r)
	if err := sess.Respond(s.Context(), s.approval(id)); err == nil {
		s.Error("Respond works on a closed agent")
	}
	if _, err := s.Agent.Open(s.Context(), s.Options); err == nil {
		s.Error("Open works on a closed agent")
	}
	if s.Ran() {
		s.Error("closing approved what was asked")
	}
	if err := s.Agent.Close(s.Context()); err != nil {
		s.Errorf("closing the agent twice: %v", err)
	}
}

func (s *suite) twoSessions() {
	one, r1 := s.start(s.Long)
	Next[session.AssistantMessageDelta](r1)
	two, r2 := s.start(s.Answer)
	if one.Info().ID == two.Info().ID {
		s.Fatal("two sessions have one id")
	}
	if u := Next[session.UserMessage](r2); u.Content != s.Answer {
		s.Errorf("the second session got %q", u.Content)
	}
	s.idle(r2)
	s.must("close", two.Close(s.Context()))
	s.must("abort", one.Abort(s.Context()))
	s.idle(r1)
	s.sane(append(append([]session.Event(nil), r1.Seen()...), r2.Seen()...))
}

func (s *suite) resume() {
	if s.Forgetful {
		s.Skip("this backend stores nothing")
	}
	sess, r := s.open()
	s.send(sess, s.Answer)
	said := Next[session.AssistantMessage](r)
	s.idle(r)
	id := sess.Info().ID
	s.must("close", sess.Close(s.Context()))
	again, err := s.Agent.Resume(s.Context(), id, session.Options{})
	s.must("resume", err)
	if got := again.Info().ID; got != id {
		s.Errorf("resumed %s, got %s", id, got)
	}
	r = Read(s.T, again)
	r.Until("the old answer", func(ev session.Event) bool {
		m, ok := ev.Body.(session.AssistantMessage)
		if ok && !ev.Replayed {
			s.Error("history is not marked as replayed")
		}
		return ok && m.Content == said.Content && m.MessageID == said.MessageID
	})
	if got := All[session.UserMessage](r.Seen()); len(got) != 1 || got[0].Content != s.Answer {
		s.Errorf("the old prompt was replayed as %+v", got)
	}
	s.send(again, s.Answer)
	if Next[session.AssistantMessage](r).MessageID == said.MessageID {
		s.Error("the new answer has the old id")
	}
	s.idle(r)
	s.sane(r.Seen())
}

func (s *suite) resumeUnknown() {
	if _, err := s.Agent.Resume(s.Context(), "00000000-0000-4000-8000-000000000000", session.Options{}); err == nil {
		s.Error("a session that does not exist was resumed")
	}
}
