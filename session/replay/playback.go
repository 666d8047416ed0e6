package replay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parley/session"
)

// catchUp is how far behind its times a replay may be and still make up for
// it. Whoever reads slowly, or was suspended, continues from where they are.
const catchUp = 100 * time.Millisecond

// run plays the log and keeps the session until it is closed.
func (s *Session) run() {
	s.due = s.cfg.Now()
	err := s.play()
	switch {
	case s.Life.Err() != nil:
		return
	case err != nil:
		s.interrupted()
	default:
		s.ended()
	}
	for {
		select {
		case <-s.wake:
			_ = s.remark(s.Life)
		case <-s.Life.Done():
			return
		}
	}
}

// play delivers the log. Its error says that the playing was stopped.
func (s *Session) play() error {
	for ; s.log.more; s.log.read() {
		ev := s.log.event
		if s.log.err != nil {
			ev = own(s.broken(s.log.err))
		} else if ev.Kind().Noise() {
			continue
		}
		if err := s.wait(s.log.event.Time); err != nil {
			return err
		}
		if err := s.remark(s.playing); err != nil {
			return err
		}
		if err := s.deliver(s.playing, s.stamped(ev)); err != nil {
			return err
		}
	}
	return s.playing.Err()
}

// broken says that a part of the log could not be read.
func (s *Session) broken(err error) session.Body {
	if line := (*session.LineError)(nil); errors.As(err, &line) {
		return session.SessionWarning{
			WarningType: "replay", Message: fmt.Sprintf("Line %d of %s is skipped: %v", line.Line, s.name, line.Err),
		}
	}
	return session.SessionError{ErrorType: "replay", Message: fmt.Sprintf("%s cannot be read any further: %v", s.name, err)}
}

// wait lets the pause before an event of that time pass. Meanwhile remarks are
// said.
func (s *Session) wait(at time.Time) error {
	if !at.IsZero() {
		if !s.last.IsZero() && s.cfg.Speed > 0 {
			pause := min(max(at.Sub(s.last), 0), LongestPause)
			s.due = s.due.Add(time.Duration(float64(pause) / s.cfg.Speed))
		}
		s.last = at
	}
	now := s.cfg.Now()
	if s.cfg.Speed <= 0 || now.Sub(s.due) > catchUp {
		s.due = now
	}
	if !now.Before(s.due) {
		return s.playing.Err()
	}
	over := s.cfg.After(s.due.Sub(now))
	for {
		select {
		case <-over:
			return s.playing.Err()
		case <-s.wake:
			if err := s.remark(s.playing); err != nil {
				return err
			}
		case <-s.playing.Done():
			return s.playing.Err()
		}
	}
}

// stamped gives an event the time it is played at, or any time if it has none.
func (s *Session) stamped(ev session.Event) session.Event {
	switch {
	case s.cfg.Speed > 0:
		ev.Time = s.cfg.Now()
	case ev.Time.IsZero() && !s.last.IsZero():
		ev.Time = s.last
	case ev.Time.IsZero():
		ev.Time = s.cfg.Now()
	}
	return ev
}

// deliver hands an event to the reader.
func (s *Session) deliver(ctx context.Context, ev session.Event) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.follow(ev)
	return s.player.deliver(ctx, ev)
}

// remark says what Respond left to say.
func (s *Session) remark(ctx context.Context) error {
	s.mu.Lock()
	remarks := s.remarks
	s.remarks = nil
	s.mu.Unlock()
	for _, b := range remarks {
		if err := s.deliver(ctx, s.stamped(own(b))); err != nil {
			return err
		}
	}
	return nil
}

// emit delivers events of the replay's own until the session is closed.
func (s *Session) emit(events ...session.Event) {
	for _, ev := range events {
		if s.deliver(s.Life, s.stamped(ev)) != nil {
			return
		}
	}
}

// ended says that the log is over.
func (s *Session) ended() {
	s.emit(s.left()...)
	if s.busy {
		s.emit(own(session.SessionIdle{}))
	}
}

// interrupted says that the playing was stopped, as the runtime does for a turn
// (docs/protocol.md, section 4.5).
func (s *Session) interrupted() {
	left, turn := s.left(), s.turn
	s.emit(own(session.Abort{Reason: "user_initiated"}))
	s.emit(left...)
	if turn != "" {
		s.emit(own(session.AssistantTurnEnd{TurnID: turn}))
	}
	s.emit(own(session.AssistantIdle{Aborted: true}), own(session.SessionIdle{Aborted: true}))
}
