package sse

import (
	"context"
	"slices"

	"parley/session"
)

// Pending implements session.Queuer.
func (s *Session) Pending(context.Context) ([]session.Pending, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pending := make([]session.Pending, len(s.waiting))
	for i, p := range s.waiting {
		pending[i] = session.Pending{ID: string(p.id), Text: p.content()}
	}
	return pending, nil
}

// Withdraw implements session.QueueEditor.
func (s *Session) Withdraw(_ context.Context, id string) (bool, error) {
	return s.requeue("withdraw a prompt", id, func(int, prompt) {})
}

// Reword implements session.QueueEditor.
func (s *Session) Reword(_ context.Context, id, text string) (bool, error) {
	return s.requeue("change a prompt", id, func(i int, p prompt) {
		p.in.Prompt, p.in.Display = text, ""
		s.waiting = slices.Insert(s.waiting, i, p)
	})
}

// Move implements session.QueueEditor. A position behind the last is the last.
func (s *Session) Move(_ context.Context, id string, to int) (bool, error) {
	return s.requeue("move a prompt", id, func(_ int, p prompt) {
		s.waiting = slices.Insert(s.waiting, min(max(to, 0), len(s.waiting)), p)
	})
}

// SendNow implements session.QueueEditor: it is the next prompt, since there is
// no way into a running answer.
func (s *Session) SendNow(ctx context.Context, id string) (bool, error) { return s.Move(ctx, id, 0) }

// requeue takes a waiting prompt out and hands it over, with where it was. It
// reports false for one that does not wait.
func (s *Session) requeue(what, id string, put func(at int, p prompt)) (found bool, err error) {
	err = s.change(what, func() error {
		i := slices.IndexFunc(s.waiting, func(p prompt) bool { return string(p.id) == id })
		if i < 0 {
			return nil
		}
		p := s.waiting[i]
		s.waiting = slices.Delete(slices.Clone(s.waiting), i, i+1)
		put(i, p)
		found = true
		s.out.put(session.PendingMessagesModified{})
		return nil
	})
	return found, err
}
