package demo

import (
	"context"
	"slices"

	"parley/session"
)

// Pending implements session.Queuer. As in the runtime, what steers the running
// turn cannot be changed any more.
func (s *Session) Pending(context.Context) ([]session.Pending, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var pending []session.Pending
	for _, w := range s.steering {
		pending = append(pending, session.Pending{Text: w.content(), Steering: true})
	}
	for _, w := range s.waiting {
		if w.prompt() {
			pending = append(pending, session.Pending{ID: string(w.id), Text: w.content()})
		}
	}
	return pending, nil
}

// Withdraw implements session.QueueEditor.
func (s *Session) Withdraw(_ context.Context, id string) (bool, error) {
	return s.requeue("withdraw a prompt", id, func(int, work) {})
}

// Reword implements session.QueueEditor.
func (s *Session) Reword(_ context.Context, id, text string) (bool, error) {
	return s.requeue("change a prompt", id, func(i int, w work) {
		w.in.Prompt, w.in.Display = text, ""
		s.waiting = slices.Insert(s.waiting, i, w)
	})
}

// Move implements session.QueueEditor. A position behind the last is the last.
func (s *Session) Move(_ context.Context, id string, to int) (bool, error) {
	return s.requeue("move a prompt", id, func(_ int, w work) {
		at := 0
		for before := 0; at < len(s.waiting) && before < to; at++ {
			if s.waiting[at].prompt() {
				before++
			}
		}
		s.waiting = slices.Insert(s.waiting, at, w)
	})
}

// SendNow implements session.QueueEditor. When no turn runs it is the next
// prompt.
func (s *Session) SendNow(_ context.Context, id string) (bool, error) {
	return s.requeue("send a prompt now", id, func(_ int, w work) {
		if s.stop == nil {
			s.waiting = slices.Insert(s.waiting, 0, w)
			return
		}
		s.steering = append(s.steering, w)
	})
}

// requeue takes a waiting prompt out and hands it over, with where it was. It
// reports false for one that does not wait.
func (s *Session) requeue(what, id string, put func(at int, w work)) (found bool, err error) {
	err = s.change(what, func() error {
		i := slices.IndexFunc(s.waiting, func(w work) bool { return w.prompt() && string(w.id) == id })
		if i < 0 {
			return nil
		}
		w := s.waiting[i]
		s.waiting = slices.Delete(s.waiting, i, i+1)
		put(i, w)
		found = true
		s.out.put(session.PendingMessagesModified{})
		session.TrySignal(s.wake)
		return nil
	})
	return found, err
}
