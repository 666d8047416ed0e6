package local

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"parley/session"
)

// Prompt is a prompt that waits for its turn, or other work in its place.
type Prompt struct {
	ID    session.MessageID
	Input session.Input
	Work  any // nil for a prompt
}

// Content is what is shown of a prompt.
func (p Prompt) Content() string {
	if p.Input.Display != "" {
		return p.Input.Display
	}
	return p.Input.Prompt
}

// Message is the event of a prompt whose turn has come.
func (p Prompt) Message(delivery session.MessageDelivery, mode session.Mode) session.UserMessage {
	m := session.UserMessage{
		Content: p.Content(), MessageID: p.ID, Attachments: p.Input.Attachments, Delivery: delivery, AgentMode: mode,
	}
	if m.Content != p.Input.Prompt {
		m.TransformedContent = p.Input.Prompt
	}
	return m
}

// Send implements session.Session.
func (s *Session) Send(_ context.Context, in session.Input) error {
	return s.Change("send a prompt", func() error {
		p := Prompt{ID: session.MessageID(uuid.NewString()), Input: in}
		if in.Delivery == session.Immediate && s.Steers && s.Stop != nil {
			s.Steering = append(s.Steering, p)
		} else {
			s.Waiting = append(s.Waiting, p)
		}
		s.Log.Put(session.PendingMessagesModified{})
		return nil
	})
}

// Pending implements session.Queuer. As in the runtime, what steers the running
// turn cannot be changed any more.
func (s *Session) Pending(context.Context) ([]session.Pending, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	var pending []session.Pending
	for _, p := range s.Steering {
		pending = append(pending, session.Pending{Text: p.Content(), Steering: true})
	}
	for _, p := range s.Waiting {
		if p.Work == nil {
			pending = append(pending, session.Pending{ID: string(p.ID), MessageID: p.ID, Text: p.Content()})
		}
	}
	return pending, nil
}

// Withdraw implements session.QueueEditor.
func (s *Session) Withdraw(_ context.Context, id string) (bool, error) {
	return s.requeue("withdraw a prompt", id, func(int, Prompt) {})
}

// Reword implements session.QueueEditor.
func (s *Session) Reword(_ context.Context, id, text string) (bool, error) {
	return s.requeue("change a prompt", id, func(i int, p Prompt) {
		p.Input.Prompt, p.Input.Display = text, ""
		s.Waiting = slices.Insert(s.Waiting, i, p)
	})
}

// Move implements session.QueueEditor. A position behind the last is the last.
func (s *Session) Move(_ context.Context, id string, to int) (bool, error) {
	return s.requeue("move a prompt", id, func(_ int, p Prompt) {
		at := 0
		for before := 0; at < len(s.Waiting) && before < to; at++ {
			if s.Waiting[at].Work == nil {
				before++
			}
		}
		s.Waiting = slices.Insert(s.Waiting, at, p)
	})
}

// SendNow implements session.QueueEditor. If it cannot steer a turn it is the next
// prompt.
func (s *Session) SendNow(_ context.Context, id string) (bool, error) {
	return s.requeue("send a prompt now", id, func(_ int, p Prompt) {
		if s.Steers && s.Stop != nil {
			s.Steering = append(s.Steering, p)
			return
		}
		s.Waiting = slices.Insert(s.Waiting, 0, p)
	})
}

// requeue takes a waiting prompt out and hands it over, with where it was. It
// reports false for one that does not wait.
func (s *Session) requeue(what, id string, put func(at int, p Prompt)) (found bool, err error) {
	err = s.Change(what, func() error {
		i := slices.IndexFunc(s.Waiting, func(p Prompt) bool { return p.Work == nil && string(p.ID) == id })
		if i < 0 {
			return nil
		}
		p := s.Waiting[i]
		s.Waiting = slices.Delete(slices.Clone(s.Waiting), i, i+1)
		put(i, p)
		found = true
		s.Log.Put(session.PendingMessagesModified{})
		return nil
	})
	return found, err
}
