package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"parley/session"
)

// Running is a session that knows whether it is over.
type Running interface {
	session.Session
	Ended() bool
}

// Sessions are the sessions that an agent has opened. The zero value has none.
type Sessions struct {
	mu     sync.Mutex
	all    []Running
	closed bool
}

// Start opens a session, unless the agent was closed.
func (l *Sessions) Start(open func() (Running, error)) (session.Session, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, ErrClosed
	}
	s, err := open()
	if err != nil {
		return nil, err
	}
	l.all = append(slices.DeleteFunc(l.all, Running.Ended), s)
	return s, nil
}

// Close implements session.Agent.
func (l *Sessions) Close(ctx context.Context) error {
	l.mu.Lock()
	l.closed = true
	sessions := slices.Clone(l.all)
	l.mu.Unlock()
	return session.CloseAll(ctx, sessions)
}

// Agent opens sessions that are in a store. It implements session.Agent,
// session.Library and session.Latest.
type Agent struct {
	Name   string // who answers
	Client string // the program that makes new sessions
	Store  session.Store
	Now    func() time.Time
	// Begin makes a session of what is stored of it, with no events for a new one,
	// and lets it live. It lets go of the record when it fails.
	Begin func(ctx context.Context, o session.Options, stored session.StoredSession, r session.Record) (Running, error)

	Sessions
}

// Open implements session.Agent.
func (a *Agent) Open(ctx context.Context, o session.Options) (session.Session, error) {
	s, err := a.Start(func() (Running, error) {
		now := a.Now()
		stored := session.Stored{
			ID: session.ID(uuid.NewString()), Started: now, Used: now, Dir: o.Dir, Client: a.Client, Agent: a.Name,
		}
		record, err := a.Store.Begin(stored)
		if err != nil {
			return nil, err
		}
		return a.Begin(ctx, o, session.StoredSession{Stored: stored}, record)
	})
	if err != nil {
		return nil, fmt.Errorf("open a session: %w", err)
	}
	return s, nil
}

// Resume implements session.Agent.
func (a *Agent) Resume(ctx context.Context, id session.ID, o session.Options) (session.Session, error) {
	s, err := a.Start(func() (Running, error) {
		stored, record, err := a.Store.Take(ctx, id, a.Name)
		if err != nil {
			return nil, err
		}
		return a.Begin(ctx, o, stored, record)
	})
	if err != nil {
		return nil, fmt.Errorf("resume session %s: %w", id, err)
	}
	return s, nil
}

// List implements session.Library.
func (a *Agent) List(ctx context.Context) ([]session.Stored, error) { return a.Store.List(ctx) }

// LatestID implements session.Latest, among the sessions of this agent. It may be open
// elsewhere: then Resume says so.
func (a *Agent) LatestID(ctx context.Context, dir string, except ...session.ID) (session.ID, error) {
	all, err := a.Store.List(ctx)
	if err != nil {
		return "", err
	}
	for _, s := range all {
		if s.Dir == dir && s.Agent == a.Name && !slices.Contains(except, s.ID) {
			return s.ID, nil
		}
	}
	return "", nil
}

// Delete implements session.Library. A session that is open stays.
func (a *Agent) Delete(ctx context.Context, id session.ID) error {
	if err := a.Store.Remove(ctx, id); err != nil {
		return fmt.Errorf("delete session %s: %w", id, err)
	}
	return nil
}

// Fork implements session.Library.
func (a *Agent) Fork(ctx context.Context, id session.ID, before session.EventID) (session.ID, error) {
	fork, err := a.fork(ctx, id, before)
	if err != nil {
		return "", fmt.Errorf("copy session %s: %w", id, err)
	}
	return fork, nil
}

func (a *Agent) fork(ctx context.Context, id session.ID, before session.EventID) (session.ID, error) {
	original, err := a.Store.Read(ctx, id)
	if err != nil {
		return "", err
	}
	events, of := original.Events, agentsID(original.Events)
	if before != "" {
		end := slices.IndexFunc(events, func(ev session.Event) bool { return ev.ID == before })
		if end < 0 {
			return "", fmt.Errorf("it has no event %s", before)
		}
		events, of = events[:end], "" // an agent copies only all of a session
	}
	stored := original.Stored
	stored.ID, stored.Started, stored.Used, stored.InUse = session.ID(uuid.NewString()), a.Now(), a.Now(), false
	stored.AgentSessionID = "" // what is said in the copy is not said in the original
	record, err := a.Store.Begin(stored)
	if err != nil {
		return "", err
	}
	err = record.Describe(stored.Title+" (fork)", true) // as the runtime calls it (docs/protocol.md, section 4.3)
	for _, ev := range events {
		err = errors.Join(err, record.Append(unlinked(ev, of)))
	}
	return stored.ID, errors.Join(err, record.Close())
}

// agentsID is the agent's own id of the session of a log; of a copy that it does not have yet, that of
// what was copied. "" if there is none.
func agentsID(log []session.Event) (id string) {
	for _, ev := range log {
		if b, ok := ev.Body.(session.SessionStart); ok {
			id = b.AgentForkOf
		}
		id = cmp.Or(session.AgentSessionIDOf(ev.Body), id)
	}
	return id
}

// unlinked is an event of a copy, without the agent's own id of the session, which is one to copy now.
func unlinked(ev session.Event, of string) session.Event {
	switch b := ev.Body.(type) {
	case session.SessionStart:
		b.AgentSessionID, b.AgentForkOf = "", of
		ev.Body, ev.Wire = b, nil
	case session.SessionResume:
		b.AgentSessionID = ""
		ev.Body, ev.Wire = b, nil
	}
	return ev
}
