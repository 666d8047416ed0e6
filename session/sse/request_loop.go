package sse

import (
	"context"
	"errors"
	"strconv"

	"github.com/google/uuid"

	"parley/session"
)

// request is what one request says that was not said before.
type request struct {
	prompt   *prompt // nil: only answers to questions
	delivery session.MessageDelivery
	decided  []session.ConfirmationCompleted
}

// run makes one request after the other until the session is closed.
func (s *Session) run() {
	s.choose()
	for s.life.Err() == nil {
		if r, ctx, ok := s.next(); ok {
			s.exchange(ctx, r)
			continue
		}
		s.rest()
		select {
		case <-s.life.Done():
		case <-s.wake:
		}
	}
}

// next takes up what waits: a prompt with what was decided meanwhile, or that
// alone. What the user has stopped while nothing ran ends first.
func (s *Session) next() (request, context.Context, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.aborted {
		s.withdraw()
		s.idle(true)
	}
	if len(s.waiting) == 0 && len(s.decided) == 0 {
		return request{}, nil, false
	}
	r := request{decided: s.decided, delivery: session.DeliveredIdle}
	if s.working {
		r.delivery = session.DeliveredQueued
	}
	s.decided = nil
	if len(s.waiting) > 0 {
		p := s.waiting[0]
		r.prompt = &p
		s.waiting = s.waiting[1:]
	}
	ctx, stop := context.WithCancelCause(s.life)
	s.stop = func() { stop(errAborted) }
	s.working = true
	return r, ctx, true
}

// errAborted is why a request that the user stopped was given up.
var errAborted = errors.New("the user stopped it")

// rest makes the agent idle, unless it waits for an answer.
func (s *Session) rest() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.working && !s.aborted && len(s.asks) == 0 && len(s.waiting) == 0 && len(s.decided) == 0 {
		s.idle(false)
	}
}

// withdraw reports that the user has stopped, and settles what is open, so that
// nothing of it is accepted. The caller holds mu.
func (s *Session) withdraw() {
	s.out.put(session.Abort{Reason: "user_initiated"})
	for _, done := range s.decided { // not sent yet
		done.State = session.Withdrawn
		s.out.put(done)
	}
	for _, q := range s.asks {
		s.out.put(session.ConfirmationCompleted{RequestID: q.RequestID, State: session.Withdrawn, Confirmation: q.Confirmation})
	}
	s.asks, s.decided = nil, nil
}

// idle reports that nothing runs any more. The caller holds mu.
func (s *Session) idle(aborted bool) {
	s.working, s.aborted = false, false
	s.out.put(session.AssistantIdle{Aborted: aborted}, session.SessionIdle{Aborted: aborted, Mode: session.Interactive})
}

// exchange makes one request and reads its answer.
func (s *Session) exchange(ctx context.Context, r request) {
	t := &turn{s: s, ctx: ctx, message: session.MessageID(uuid.NewString()), began: s.cfg.Now()}
	s.opening(r, t)
	t.answer()
	s.mu.Lock()
	defer s.mu.Unlock()
	stop := s.stop
	s.stop = nil
	stop()         // lets go of the context
	if s.aborted { // also when the answer had been read by then
		s.withdraw()
	}
	s.out.put(session.AssistantTurnEnd{TurnID: "0", Model: s.model})
	if s.aborted {
		s.idle(true)
	}
}

// opening reports what the request says.
func (s *Session) opening(r request, t *turn) {
	said := session.UserMessage{MessageID: session.MessageID(uuid.NewString()), Source: confirmations, AgentMode: session.Interactive}
	if r.prompt != nil {
		said = r.prompt.message()
	}
	said.Delivery, said.TurnID = r.delivery, "0"
	s.mu.Lock()
	if !s.said && r.prompt != nil && !s.named {
		s.title = firstLine(said.Content)
		s.out.put(session.SessionTitleChanged{Title: s.title})
	}
	s.said = true
	title, named := s.title, s.named
	s.mu.Unlock()
	t.asked = said.MessageID
	if r.prompt != nil {
		s.out.put(session.PendingMessagesModified{})
	}
	for _, done := range r.decided {
		s.out.put(done)
	}
	s.out.put(said, session.AssistantTurnStart{TurnID: "0", Model: s.currentModel()})
	s.out.describe(title, named)
}

// confirmations is the source of a message that holds answers to questions and
// nothing that the user wrote.
const confirmations = "confirmation"

// message is the prompt as it is told.
func (p prompt) message() session.UserMessage {
	m := session.UserMessage{
		Content: p.content(), MessageID: p.id, Attachments: p.in.Attachments, AgentMode: session.Interactive,
	}
	if m.Content != p.in.Prompt {
		m.TransformedContent = p.in.Prompt
	}
	return m
}

// content is what is shown of a prompt.
func (p prompt) content() string {
	if p.in.Display != "" {
		return p.in.Display
	}
	return p.in.Prompt
}

// ask opens a question.
func (s *Session) ask(q session.ConfirmationRequested) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q.RequestID = session.RequestID(uuid.NewString())
	s.asks = append(s.asks, confirmation{q})
	s.out.put(q)
}

// count is a number with its thing.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}
