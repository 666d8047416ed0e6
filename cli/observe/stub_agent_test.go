package observe

import (
	"context"
	"errors"
	"fmt"

	"parley/session"
)

// errUnknown is returned for a session that the stub has not opened.
var errUnknown = errors.New("there is no such session")

// stubAgent is an agent that does nothing. It implements session.Latest.
type stubAgent struct{ sessions []*stubSession }

// Open implements session.Agent.
func (a *stubAgent) Open(_ context.Context, o session.Options) (session.Session, error) {
	s := &stubSession{
		info:   session.Info{ID: session.ID(fmt.Sprint("stub-", len(a.sessions))), Agent: "stub", Model: o.Model, Mode: o.Mode, Dir: o.Dir},
		events: make(chan session.Event, 1),
		done:   make(chan struct{}),
	}
	a.sessions = append(a.sessions, s)
	return s, nil
}

// Resume implements session.Agent. It always fails.
func (*stubAgent) Resume(context.Context, session.ID, session.Options) (session.Session, error) {
	return nil, errUnknown
}

// LatestID implements session.Latest.
func (a *stubAgent) LatestID(context.Context, string, ...session.ID) (session.ID, error) {
	return a.sessions[len(a.sessions)-1].info.ID, nil
}

// Close implements session.Agent.
func (a *stubAgent) Close(context.Context) error {
	for _, s := range a.sessions {
		s.end(nil)
	}
	return nil
}

// stubSession is a session whose events a test sends. It takes every prompt, and
// knows no question.
type stubSession struct {
	info   session.Info
	events chan session.Event
	done   chan struct{}
	err    error
}

// end ends the session, once: nil on purpose, otherwise why.
func (s *stubSession) end(err error) {
	select {
	case <-s.done:
	default:
		s.err = err
		close(s.events)
		close(s.done)
	}
}

// Info implements session.Session.
func (s *stubSession) Info() session.Info { return s.info }

// Events implements session.Session.
func (s *stubSession) Events() <-chan session.Event { return s.events }

// Send implements session.Session.
func (*stubSession) Send(context.Context, session.Input) error { return nil }

// Respond implements session.Session.
func (*stubSession) Respond(context.Context, session.Answer) error { return session.ErrResolved }

// Abort implements session.Session.
func (*stubSession) Abort(context.Context) error { return nil }

// Wait implements session.Session.
func (s *stubSession) Wait() error {
	<-s.done
	return s.err
}

// Close implements session.Session.
func (s *stubSession) Close(context.Context) error {
	s.end(nil)
	return nil
}
