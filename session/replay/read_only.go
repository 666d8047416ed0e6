package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"parley/session"
	"parley/session/local"
)

// ErrReadOnly is returned by what would change a session that is only read.
var ErrReadOnly = errors.New("this session is read-only here; continue it to write")

// Reader is an agent whose sessions are stored ones, to be read and not to be
// continued: nothing runs behind them. It implements session.Agent.
type Reader struct {
	open func(ctx context.Context, id session.ID) (io.ReadCloser, error)

	local.Sessions
}

var (
	_ session.Agent   = (*Reader)(nil)
	_ session.Session = (*Reading)(nil)
)

// NewReader returns an agent that reads the logs which open opens: JSON lines,
// as session.ReadLog reads them. What open returns may be read until the context
// ends that it got. The agent must be closed.
func NewReader(open func(ctx context.Context, id session.ID) (io.ReadCloser, error)) *Reader {
	return &Reader{open: open}
}

// Open implements session.Agent. It always fails: there is nothing to begin.
func (r *Reader) Open(context.Context, session.Options) (session.Session, error) {
	return nil, fmt.Errorf("open a session: %w", ErrReadOnly)
}

// Resume implements session.Agent: it opens the log of a session. Options are
// not used: what they would choose was chosen when the log was written.
func (r *Reader) Resume(ctx context.Context, id session.ID, _ session.Options) (session.Session, error) {
	s, err := r.start(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read session %s: %w", id, err)
	}
	return s, nil
}

func (r *Reader) start(ctx context.Context, id session.ID) (session.Session, error) {
	life := local.NewLifetime(ctx)
	reading, end := context.WithCancel(life)
	begun := context.AfterFunc(ctx, end) // until it is open
	file, err := r.open(reading, id)
	if err != nil {
		end()
		return nil, err
	}
	s := &Reading{player: newPlayer(life, session.Info{ID: id, Agent: "read only", ReadOnly: true}, newLog(file))}
	opened, err := r.Start(func() (local.Running, error) {
		if !begun() {
			return nil, context.Cause(ctx)
		}
		go s.live("reading", func() { defer end(); s.read() })
		return s, nil
	})
	if err != nil {
		end()
		s.log.close()
	}
	return opened, err
}

// Reading is a stored session that is read from its start to where its log ends
// now. It implements session.Session and none of the optional interfaces: it
// takes no prompts and no answers.
//
// Its events are those of the log in their order, without the runtime's noise,
// each marked as replayed, so that nothing of it is taken for news (docs/decisions.md 10).
// Lines that are no events are one session.warning in their place. At the end, an
// ephemeral session.shutdown closes what the log left open, as its process has
// ended or is not ours. The session stays until it is closed. It holds one line at a
// time, and waits while its events are not taken.
type Reading struct {
	*player

	// Of live alone, once it runs.
	last      time.Time            // of the latest event with a time
	delivered bool                 // an event was delivered
	bad       []*session.LineError // the first and the last of the lines just skipped
}

// Send implements session.Session. It always fails.
func (s *Reading) Send(context.Context, session.Input) error {
	return fmt.Errorf("send a prompt: %w", ErrReadOnly)
}

// Respond implements session.Session. It always fails: whatever was asked, its
// time is over.
func (s *Reading) Respond(context.Context, session.Answer) error {
	return fmt.Errorf("answer a question of the past: %w", session.ErrResolved)
}

// Abort implements session.Session. Nothing runs that it could stop.
func (s *Reading) Abort(context.Context) error {
	if s.Life.Err() != nil {
		return fmt.Errorf("stop: %w", local.ErrClosed)
	}
	return nil
}

// read delivers the log, and keeps the session until it is closed.
func (s *Reading) read() {
	for s.log.more && s.deliverNext() {
		s.log.read()
	}
	if s.log.more || !s.skipped(true) {
		return // it was closed meanwhile
	}
	if !s.delivered && !s.deliver(own(session.SessionInfo{Message: "The log of this session is empty."})) {
		return
	}
	if !s.deliver(own(session.SessionShutdown{})) {
		return
	}
	<-s.Life.Done()
}

// deliverNext delivers what was read; false says that the session was closed.
func (s *Reading) deliverNext() bool {
	line := (*session.LineError)(nil)
	switch {
	case errors.As(s.log.err, &line):
		if len(s.bad) < 2 {
			s.bad = append(s.bad, line)
		} else {
			s.bad[1] = line
		}
		return s.Life.Err() == nil
	case s.log.err != nil:
		return s.skipped(false) && s.deliver(own(session.SessionError{
			ErrorType: "reading", Message: fmt.Sprintf("The log cannot be read any further: %v", s.log.err),
		}))
	case s.log.event.Kind().Noise():
		return s.Life.Err() == nil
	}
	return s.skipped(false) && s.deliver(s.log.event)
}

// skipped says which lines just before could not be read; last is true at the
// end of the log.
func (s *Reading) skipped(last bool) bool {
	if len(s.bad) == 0 {
		return true
	}
	from, to := s.bad[0], s.bad[len(s.bad)-1]
	s.bad = s.bad[:0]
	text := fmt.Sprintf("Line %d of the log is skipped: %v", from.Line, from.Err)
	switch {
	case from != to:
		text = fmt.Sprintf("Lines %d to %d of the log are skipped; of the first: %v", from.Line, to.Line, from.Err)
	case last:
		text = fmt.Sprintf("The last line of the log, %d, is not whole: it was not written to its end, or still is.", from.Line)
	}
	return s.deliver(own(session.SessionWarning{WarningType: "reading", Message: text}))
}

// deliver hands an event to the reader as one of the past. One without a time gets
// that of the event before.
func (s *Reading) deliver(ev session.Event) bool {
	s.delivered = true
	ev.Replayed = true
	if ev.Time.IsZero() {
		ev.Time = s.last
	}
	s.last = ev.Time
	return s.player.deliver(s.Life, ev) == nil
}
