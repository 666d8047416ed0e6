package headless

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"parley/session"
)

// Info implements session.Session.
func (s *scriptedSession) Info() session.Info { return s.info }

// Events implements session.Session.
func (s *scriptedSession) Events() <-chan session.Event { return s.events }

// Send implements session.Session.
func (s *scriptedSession) Send(_ context.Context, in session.Input) error {
	s.mu.Lock()
	if s.over {
		s.mu.Unlock()
		return errScriptedEnded
	}
	s.inputs = append(s.inputs, in)
	s.mu.Unlock()
	if s.OnSend != nil {
		s.OnSend(in)
	}
	return nil
}

// Respond implements session.Session. The first answer to an open question
// pushes the event that settles it.
func (s *scriptedSession) Respond(_ context.Context, a session.Answer) error {
	s.mu.Lock()
	if s.over {
		s.mu.Unlock()
		return errScriptedEnded
	}
	ask, open := s.open[a.Request()]
	if !open {
		s.mu.Unlock()
		return session.ErrResolved
	}
	delete(s.open, a.Request())
	s.answers = append(s.answers, a)
	s.mu.Unlock()
	s.settle(ask, a)
	if s.OnAnswer != nil {
		s.OnAnswer(a)
	}
	return nil
}

// settle pushes the event that ends a question as the runtime would: by the answer
// if it was for a permission, else as if the user had refused.
func (s *scriptedSession) settle(ask session.Ask, a session.Answer) {
	id, why := ask.Request(), ""
	if r, refused := a.(session.Refusal); refused {
		why = r.Feedback
	}
	switch q := ask.(type) {
	case session.PermissionRequested:
		p, _ := a.(session.PermissionAnswer)
		result := session.PermissionResult{Kind: session.DeniedByUser, Feedback: cmp.Or(p.Feedback, why)}
		if p.Decision.Approves() {
			result = session.PermissionResult{Kind: "approved"}
		}
		s.Push(session.PermissionCompleted{RequestID: id, ToolCallID: q.Call(), Result: result})
	case session.UserInputRequested:
		s.Stream(session.UserInputCompleted{RequestID: id, Answer: why, WasFreeform: true})
	case session.ElicitationRequested:
		s.Stream(session.ElicitationCompleted{RequestID: id, Action: session.Decline})
	case session.ExitPlanModeRequested:
		s.Stream(session.ExitPlanModeCompleted{RequestID: id, Approved: new(bool)})
	default:
		if end := ask.Withdrawn(why); end != nil {
			s.Stream(end)
		}
	}
}

// Abort implements session.Session. It pushes what the runtime sends: open
// permissions are cancelled, other questions end without an event.
func (s *scriptedSession) Abort(context.Context) error {
	s.mu.Lock()
	if s.over {
		s.mu.Unlock()
		return errScriptedEnded
	}
	s.aborts++
	open := maps.Clone(s.open)
	s.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(open)) {
		if q, ok := open[id].(session.PermissionRequested); ok {
			s.Push(session.PermissionCompleted{
				RequestID: id, ToolCallID: q.Call(),
				Result: session.PermissionResult{Kind: "cancelled", Reason: "Session aborted"},
			})
		}
	}
	s.Push(session.Abort{Reason: "user_initiated"})
	s.Stream(session.AssistantIdle{Aborted: true}, session.SessionIdle{Aborted: true, Mode: s.info.Mode})
	return nil
}

// Wait implements session.Session.
func (s *scriptedSession) Wait() error {
	<-s.done
	return s.err
}

// Close implements session.Session.
func (s *scriptedSession) Close(context.Context) error {
	s.End(nil)
	return nil
}
