package sse

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"parley/session"
	"parley/session/local"
)

// request is what one request says that was not said before.
type request struct {
	prompt   *local.Prompt // nil: only answers to questions
	delivery session.MessageDelivery
	decided  []session.ConfirmationCompleted
}

// run makes one request after the other until the session is closed.
func (s *Session) run() {
	s.choose()
	for s.Life.Err() == nil {
		if r, ctx, ok := s.next(); ok {
			s.exchange(ctx, r)
			continue
		}
		s.rest()
		select {
		case <-s.Life.Done():
		case <-s.Wake:
		}
	}
}

// next takes up what waits: a prompt with what was decided meanwhile, or that
// alone. What the user has stopped while nothing ran ends first.
func (s *Session) next() (request, context.Context, bool) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.aborted {
		s.withdraw()
		s.idle(true)
	}
	if len(s.Waiting) == 0 && len(s.decided) == 0 {
		return request{}, nil, false
	}
	r := request{decided: s.decided, delivery: session.DeliveredIdle}
	if s.working {
		r.delivery = session.DeliveredQueued
	}
	s.decided = nil
	if len(s.Waiting) > 0 {
		p := s.Waiting[0]
		r.prompt = &p
		s.Waiting = s.Waiting[1:]
	}
	ctx, stop := context.WithCancelCause(s.Life)
	s.Stop = func() { stop(errAborted) }
	s.working = true
	return r, ctx, true
}

// errAborted is why a request that the user stopped was given up.
var errAborted = errors.New("the user stopped it")

// rest makes the agent idle, unless it waits for an answer.
func (s *Session) rest() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.working && !s.aborted && len(s.asks) == 0 && len(s.Waiting) == 0 && len(s.decided) == 0 {
		s.idle(false)
	}
}

// withdraw reports that the user has stopped, and settles what is open, so that
// nothing of it is accepted. The caller holds mu.
func (s *Session) withdraw() {
	s.Log.Put(session.Abort{Reason: "user_initiated"})
	for _, done := range s.decided { // not sent yet
		done.State = session.Withdrawn
		s.Log.Put(done)
	}
	for _, q := range s.asks {
		s.Log.Put(session.ConfirmationCompleted{RequestID: q.RequestID, State: session.Withdrawn, Confirmation: q.Confirmation})
	}
	s.asks, s.decided = nil, nil
}

// idle reports that nothing runs any more. The caller holds mu.
func (s *Session) idle(aborted bool) {
	s.working, s.aborted = false, false
	s.Log.Put(session.AssistantIdle{Aborted: aborted}, session.SessionIdle{Aborted: aborted, Mode: session.Interactive})
}

// exchange makes one request and reads its answer.
func (s *Session) exchange(ctx context.Context, r request) {
	t := &turn{s: s, ctx: ctx, message: session.MessageID(uuid.NewString()), began: s.Now()}
	s.opening(r, t)
	t.answer()
	s.Mu.Lock()
	defer s.Mu.Unlock()
	stop := s.Stop
	s.Stop = nil
	stop()         // lets go of the context
	if s.aborted { // also when the answer had been read by then
		s.withdraw()
	}
	s.Log.Put(session.AssistantTurnEnd{TurnID: "0", Model: s.model})
	if s.aborted {
		s.idle(true)
	}
}

// opening reports what the request says.
func (s *Session) opening(r request, t *turn) {
	said := session.UserMessage{MessageID: session.MessageID(uuid.NewString()), Source: confirmations, AgentMode: session.Interactive}
	if r.prompt != nil {
		said = r.prompt.Message(r.delivery, session.Interactive)
	}
	said.Delivery, said.TurnID = r.delivery, "0"
	s.Mu.Lock()
	if !s.said && r.prompt != nil {
		s.Entitle(said.Content)
	}
	s.said = true
	s.Mu.Unlock()
	t.asked = said.MessageID
	if r.prompt != nil {
		s.Log.Put(session.PendingMessagesModified{})
	}
	for _, done := range r.decided {
		s.Log.Put(done)
	}
	s.Log.Put(said, session.AssistantTurnStart{TurnID: "0", Model: s.currentModel()})
}

// confirmations is the source of a message that holds answers to questions and
// nothing that the user wrote.
const confirmations = "confirmation"

// ask opens a question.
func (s *Session) ask(q session.ConfirmationRequested) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	q.RequestID = session.RequestID(uuid.NewString())
	s.asks = append(s.asks, q)
	s.Log.Put(q)
}
