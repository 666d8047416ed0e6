package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"
	"time"

	"parley/session"
)

// ErrReadOnly is returned by what would change a session that is only read.
var ErrReadOnly = errors.New("this session is read-only here; continue it to write")

// Reader is an agent whose sessions are stored ones, to be read and not to be
// continued: nothing runs behind them. It implements session.Agent.
type Reader struct {
	open func(ctx context.Context, id session.ID) (io.ReadCloser, error)

	mu       sync.Mutex
	sessions []*Reading
	closed   bool
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

func (r *Reader) start(ctx context.Context, id session.ID) (*Reading, error) {
	s := &Reading{
		info:   session.Info{ID: id, Agent: "read only", ReadOnly: true},
		events: make(chan session.Event, ahead), done: make(chan struct{}),
	}
	s.gone = func() { r.forget(s) }
	s.ending, s.end = context.WithCancel(context.WithoutCancel(ctx))
	begun := context.AfterFunc(ctx, s.end) // until it is open
	log, err := r.open(s.ending, id)
	if err != nil {
		s.end()
		return nil, err
	}
	s.log = log
	s.next, s.stop = iter.Pull2(session.ReadLog(log))
	s.ahead, s.err, s.more = s.next()
	s.describe()
	r.mu.Lock()
	defer r.mu.Unlock()
	if !begun() || r.closed {
		s.end()
		s.stop()
		return nil, errors.Join(context.Cause(ctx), closedError(r.closed), log.Close())
	}
	r.sessions = append(r.sessions, s)
	go s.live()
	return s, nil
}

// forget drops a session that has ended.
func (r *Reader) forget(s *Reading) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sessions = slices.DeleteFunc(r.sessions, func(o *Reading) bool { return o == s })
}

func closedError(closed bool) error {
	if closed {
		return ErrClosed
	}
	return nil
}

// Close implements session.Agent.
func (r *Reader) Close(ctx context.Context) error {
	r.mu.Lock()
	r.closed = true
	sessions := slices.Clone(r.sessions)
	r.mu.Unlock()
	return session.CloseAll(ctx, sessions)
}

// Reading is a stored session that is read from its start to where its log ends
// now. It implements session.Session and none of the optional interfaces: it
// takes no prompts and no answers.
//
// Its events are those of the log in their order, without the runtime's noise,
// each marked as replayed, so that nothing of it is taken for news (decision 10).
// Lines that are no events are one session.warning in their place. At the end, an
// ephemeral session.shutdown closes what the log left open, as its process is
// gone or not ours. The session stays until it is closed. It holds one line at a
// time, and waits while nobody takes its events.
type Reading struct {
	info   session.Info
	log    io.Closer
	gone   func() // forgets it
	next   func() (session.Event, error, bool)
	stop   func()
	events chan session.Event

	ending context.Context
	end    context.CancelFunc
	done   chan struct{}
	over   error // set before done is closed

	// Of live alone, once it runs.
	ahead session.Event // what was read and not told
	err   error         // in the place of ahead
	more  bool          // there is something in ahead, or in err
	last  time.Time     // of the latest event with a time
	told  int
	bad   []*session.LineError // the first and the last of the lines just skipped
}

// describe takes what the first event says about the session.
func (s *Reading) describe() {
	start, ok := s.ahead.Body.(session.SessionStart)
	if !ok {
		return
	}
	s.info.Model = start.SelectedModel
	if start.Context != nil {
		s.info.Dir = start.Context.Cwd
	}
}

// Info implements session.Session.
func (s *Reading) Info() session.Info { return s.info }

// Events implements session.Session. What was not taken when the session is
// closed may be lost.
func (s *Reading) Events() <-chan session.Event { return s.events }

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
	if s.ending.Err() != nil {
		return fmt.Errorf("stop: %w", ErrClosed)
	}
	return nil
}

// Wait implements session.Session.
func (s *Reading) Wait() error {
	<-s.done
	return s.over
}

// Close implements session.Session.
func (s *Reading) Close(ctx context.Context) error {
	s.end()
	select {
	case <-s.done:
		return s.over
	case <-ctx.Done():
		return fmt.Errorf("close a session that is read: %w", ctx.Err())
	}
}

// live runs the session, which also ends with a panic in it.
func (s *Reading) live() {
	defer close(s.done)
	defer close(s.events)
	defer s.end()
	defer s.gone()
	if err := session.Guard(func() error { s.read(); return nil }); err != nil {
		s.over = fmt.Errorf("reading has ended: %w", err)
	}
	s.stop()
	if err := s.log.Close(); err != nil && s.ending.Err() == nil {
		s.over = errors.Join(s.over, fmt.Errorf("close the log: %w", err))
	}
}

// read delivers the log, and keeps the session until it is closed.
func (s *Reading) read() {
	for s.more && s.deliverNext() {
		s.ahead, s.err, s.more = s.next()
	}
	if s.more || !s.skipped(true) {
		return // it was closed meanwhile
	}
	if s.told == 0 && !s.deliver(s.own(session.SessionInfo{Message: "The log of this session is empty."})) {
		return
	}
	if !s.deliver(s.own(session.SessionShutdown{})) {
		return
	}
	<-s.ending.Done()
}

// deliverNext delivers what was read; false says that the session was closed.
func (s *Reading) deliverNext() bool {
	line := (*session.LineError)(nil)
	switch {
	case errors.As(s.err, &line):
		if len(s.bad) < 2 {
			s.bad = append(s.bad, line)
		} else {
			s.bad[1] = line
		}
		return s.ending.Err() == nil
	case s.err != nil:
		return s.skipped(false) && s.deliver(s.own(session.SessionError{
			ErrorType: "reading", Message: fmt.Sprintf("The log cannot be read any further: %v", s.err),
		}))
	case s.ahead.Kind().Noise():
		return s.ending.Err() == nil
	}
	return s.skipped(false) && s.deliver(s.ahead)
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
	return s.deliver(s.own(session.SessionWarning{WarningType: "reading", Message: text}))
}

// own is an event that is not in the log.
func (s *Reading) own(b session.Body) session.Event { return session.Event{Ephemeral: true, Body: b} }

// deliver hands an event to the reader as one of the past. One without an id or
// a time gets them.
func (s *Reading) deliver(ev session.Event) bool {
	s.told++
	ev.Replayed = true
	if ev.ID == "" {
		ev.ID = session.EventID(fmt.Sprintf("%s-%d", s.info.ID, s.told))
	}
	if ev.Time.IsZero() {
		ev.Time = s.last
	}
	s.last = ev.Time
	if s.ending.Err() != nil {
		return false
	}
	select {
	case s.events <- ev:
		return true
	case <-s.ending.Done():
		return false
	}
}
