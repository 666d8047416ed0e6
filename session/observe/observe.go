// Package observe is the decorator of agents: it passes on the calls and the
// events of an agent and its sessions, and reports them to observers, such as a
// log and telemetry. session.As finds the capabilities of the agent and of its
// sessions behind it, and no others.
package observe

import (
	"context"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"parley/session"
	"parley/session/trace"
)

// Call is a call of an agent or a session, without what was said in it.
type Call struct {
	Name  string // such as "send" or "set mode"
	Took  time.Duration
	Err   error
	Attrs []any // pairs of a key and a value, as log/slog has them
}

// Observer observes an agent. Its methods are called from any goroutine.
type Observer interface {
	// Called reports a call that has returned.
	Called(c Call)
	// Opened reports the call that opens or resumes a session, which is nil if
	// the call failed. It returns who observes the session, or nil.
	Opened(c Call, s session.Session) SessionObserver
}

// SessionObserver observes a session.
type SessionObserver interface {
	// Called reports a call that has returned, from any goroutine.
	Called(c Call)
	// Event reports an event before the reader of the session gets it. An error
	// ends the session, with that error.
	Event(ev session.Event) error
	// Ended reports, after the last event, why the session has ended: nil on
	// purpose.
	Ended(err error)
}

// Agent returns an agent with its calls, and those of its sessions, reported.
func Agent(agent session.Agent, observers ...Observer) session.Agent {
	return &observedAgent{Agent: agent, observers: observers, unread: make(chan struct{})}
}

type observedAgent struct {
	session.Agent
	observers []Observer
	unread    chan struct{} // closed when nothing reads any session any more
	leave     sync.Once

	mu    sync.Mutex
	pumps []<-chan struct{} // each closed when a session's last event was reported
}

// Open implements session.Agent.
func (a *observedAgent) Open(ctx context.Context, o session.Options) (session.Session, error) {
	return a.opened("open", o, func() (session.Session, error) { return a.Agent.Open(ctx, o) })
}

// Resume implements session.Agent.
func (a *observedAgent) Resume(ctx context.Context, id session.ID, o session.Options) (session.Session, error) {
	return a.opened("resume", o, func() (session.Session, error) { return a.Agent.Resume(ctx, id, o) })
}

func (a *observedAgent) opened(what string, o session.Options, open func() (session.Session, error)) (session.Session, error) {
	var s session.Session
	var call Call
	folder := "" // without what is above it
	if o.Dir != "" {
		folder = filepath.Base(o.Dir)
	}
	err := timed(func(c Call) { call = c }, what, func() (err error) { s, err = open(); return err },
		"mode", string(knownMode(o.Mode)), "folder", folder)
	if err != nil {
		for _, by := range a.observers {
			by.Opened(call, nil)
		}
		return s, err
	}
	w := &observedSession{
		Session: s, events: make(chan session.Event, ahead), unread: make(chan struct{}), closed: a.unread, over: make(chan struct{}),
	}
	for _, by := range a.observers {
		if of := by.Opened(call, s); of != nil {
			w.observers = append(w.observers, of)
		}
	}
	a.mu.Lock()
	a.pumps = append(a.pumps, w.over)
	a.mu.Unlock()
	go w.live()
	return w, nil
}

// Close implements session.Agent.
func (a *observedAgent) Close(ctx context.Context) error {
	a.leave.Do(func() { close(a.unread) })
	err := timed(a.called, "end", func() error { return a.Agent.Close(ctx) })
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, over := range a.pumps {
		select {
		case <-over:
		case <-ctx.Done():
		}
	}
	return err
}

// called reports a call.
func (a *observedAgent) called(c Call) {
	for _, by := range a.observers {
		by.Called(c)
	}
}

// ahead is how many events are passed on before the reader takes the first, so that it is
// not waited for at each.
const ahead = 64

// timed makes a call and reports it.
func timed(called func(Call), what string, call func() error, attrs ...any) error {
	begin := time.Now()
	err := call()
	called(Call{Name: what, Took: time.Since(begin), Err: err, Attrs: attrs})
	return err
}

// observedSession is a session whose calls and events are reported.
type observedSession struct {
	session.Session
	observers []SessionObserver
	events    chan session.Event
	unread    chan struct{}   // closed when nothing reads this session any more
	closed    <-chan struct{} // closed when nothing reads any session of the agent
	leave     sync.Once
	over      chan struct{}         // closed when the end was reported
	crash     atomic.Pointer[error] // of an observer; set before events is closed

	commands atomic.Pointer[[]session.SlashCommand] // as they were listed last
}

// Events implements session.Session.
func (s *observedSession) Events() <-chan session.Event { return s.events }

// Wait implements session.Session.
func (s *observedSession) Wait() error {
	err := s.Session.Wait()
	if crash := s.crash.Load(); crash != nil {
		return *crash
	}
	return err
}

// closeGrace is how long a session may take to close that an observer has ended.
const closeGrace = 10 * time.Second

// live passes the events on. An observer that fails, or panics, ends the session.
func (s *observedSession) live() {
	defer close(s.over)
	defer close(s.events)
	err := session.Guard(s.pump)
	if err == nil {
		return
	}
	s.crash.Store(&err)
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	_ = session.Guard(func() error { return s.Session.Close(ctx) }) // the agent's end ends what this does not
	_ = session.Guard(func() error { s.ended(err); return nil })
}

// pump passes the events on, one by one and in order, and reports each.
func (s *observedSession) pump() error {
	for ev := range s.Session.Events() {
		for _, by := range s.observers {
			if err := by.Event(ev); err != nil {
				return err
			}
		}
		select {
		case s.events <- ev:
		case <-s.unread:
		case <-s.closed:
		}
	}
	s.ended(s.Session.Wait())
	return nil
}

// ended reports the end of the session.
func (s *observedSession) ended(err error) {
	for _, by := range s.observers {
		by.Ended(err)
	}
}

// called reports a call.
func (s *observedSession) called(c Call) {
	for _, by := range s.observers {
		by.Called(c)
	}
}

// Send implements session.Session.
func (s *observedSession) Send(ctx context.Context, in session.Input) error {
	return timed(s.called, "send", func() error { return s.Session.Send(ctx, in) },
		"bytes", len(in.Prompt), "attachments", len(in.Attachments), "immediate", in.Delivery == session.Immediate,
		"mode", string(knownMode(in.Mode)))
}

// Respond implements session.Session.
func (s *observedSession) Respond(ctx context.Context, a session.Answer) error {
	return timed(s.called, "respond", func() error { return s.Session.Respond(ctx, a) },
		"request", trace.ID(string(a.Request())), "answer", a.Summary())
}

// Abort implements session.Session.
func (s *observedSession) Abort(ctx context.Context) error {
	return timed(s.called, "abort", func() error { return s.Session.Abort(ctx) })
}

// Close implements session.Session.
func (s *observedSession) Close(ctx context.Context) error {
	s.leave.Do(func() { close(s.unread) })
	return timed(s.called, "close", func() error { return s.Session.Close(ctx) })
}

func knownMode(m session.Mode) session.Mode {
	switch m {
	case session.Interactive, session.Plan, session.Autopilot, session.Shell, "":
		return m
	}
	return "(odd)"
}
