package demo

import (
	"context"
	"fmt"

	"parley/session"
)

// ask is a question that is open.
type ask struct {
	kind   session.Kind
	answer chan session.Answer // holds one
}

// Respond implements session.Session.
func (s *Session) Respond(_ context.Context, a session.Answer) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	q := s.asks[a.Request()]
	if q == nil {
		return fmt.Errorf("answer %s: %w", a.Request(), session.ErrResolved)
	}
	if refusal, ok := a.(session.Refusal); ok {
		a = inWords(refusal, q.kind)
	}
	if kind := answers(a); kind != q.kind {
		return fmt.Errorf("answer %s: %T is no answer to %s", a.Request(), a, q.kind)
	}
	delete(s.asks, a.Request())
	q.answer <- a
	return nil
}

// answers is the kind of question that an answer is for.
func answers(a session.Answer) session.Kind {
	switch a := a.(type) {
	case session.PermissionAnswer:
		return session.KindPermissionRequested
	case session.UserInputAnswer:
		return session.KindUserInputRequested
	case session.ElicitationAnswer:
		return session.KindElicitationRequested
	case session.ExitPlanModeAnswer:
		return session.KindExitPlanModeRequested
	case session.McpOAuthAnswer:
		return session.KindMcpOAuthRequired
	case session.SessionLimitsExhaustedAnswer:
		return session.KindSessionLimitsExhaustedRequested
	case session.Refusal:
		return a.Kind
	}
	return ""
}

// inWords turns a refusal into the answer to a question that says so and lets
// the turn continue. A form and a plan take a refusal as it is.
func inWords(refusal session.Refusal, question session.Kind) session.Answer {
	if refusal.Feedback == "" {
		refusal.Feedback = session.DefaultRefusal
	}
	refusal.Kind = question
	switch question {
	case session.KindUserInputRequested:
		return session.UserInputAnswer{RequestID: refusal.RequestID, Text: refusal.Feedback, Freeform: true}
	case session.KindPermissionRequested:
		return session.PermissionAnswer{RequestID: refusal.RequestID, Decision: session.Reject, Feedback: refusal.Feedback}
	default:
		return refusal
	}
}

// ask puts a question and waits for its answer.
func (t *turn) ask(question session.Ask) (session.Answer, error) {
	q := &ask{kind: session.KindOf(question), answer: make(chan session.Answer, 1)}
	id := question.Request()
	t.s.Mu.Lock()
	t.s.asks[id] = q
	t.s.Mu.Unlock()
	defer func() {
		t.s.Mu.Lock()
		delete(t.s.asks, id)
		t.s.Mu.Unlock()
	}()
	if err := t.send(question); err != nil {
		return nil, err
	}
	if p, ok := question.(session.PermissionRequested); ok {
		t.question = &p
	}
	select {
	case a := <-q.answer:
		return a, t.ctx.Err()
	case <-t.ctx.Done():
		return nil, t.ctx.Err()
	}
}
