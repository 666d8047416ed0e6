package sessions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"parley/session"
)

// Store keeps the sessions of agents that keep none themselves, in the layout in
// which the Copilot CLI keeps its own (docs/protocol.md, section 9): a folder for
// each, with its events and what there is to know without reading them. It
// implements session.Store.
type Store struct{ folder *Folder }

var _ session.Store = (*Store)(nil)

// StoreIn returns the sessions that are kept in a folder. It is made with the
// first of them.
func StoreIn(dir string) *Store { return &Store{Own(dir)} }

// writer writes a session; an error for what is no name of one.
func (s *Store) writer(about session.Stored) (*recordWriter, error) {
	if !validID(string(about.ID)) {
		return nil, fmt.Errorf("%w: %q", ErrNotFound, string(about.ID))
	}
	return &recordWriter{dir: filepath.Join(s.folder.dir, string(about.ID)), claims: s.folder.claims, about: about}, nil
}

// Begin implements session.Store. Nothing is written until something was said.
func (s *Store) Begin(of session.Stored) (session.Record, error) {
	r, err := s.writer(of)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Take implements session.Store. A last line that was not written whole is cut
// off.
func (s *Store) Take(ctx context.Context, id session.ID, agent string) (session.StoredSession, session.Record, error) {
	r, err := s.writer(session.Stored{ID: id})
	if err == nil {
		_, err = s.folder.Log(id)
	}
	if errors.Is(err, ErrNotFound) {
		err = fmt.Errorf("%w: %w", session.ErrNotStored, err)
	}
	if err == nil {
		err = r.lock(ctx)
	}
	if err != nil {
		return session.StoredSession{}, nil, err
	}
	stored, err := s.Read(ctx, id) // what whoever had it before has written is in it
	if err == nil {
		stored.InUse = false // but here
		r.about, r.named = stored.Stored, stored.Named
		r.about.Agent = agent
		err = r.open()
	}
	if err != nil {
		return session.StoredSession{}, nil, errors.Join(err, r.Close())
	}
	return stored, r, nil
}

// Read implements session.Store. Lines that are no events are left out.
func (s *Store) Read(ctx context.Context, id session.ID) (stored session.StoredSession, err error) {
	log, err := s.folder.Log(id)
	if err != nil {
		return stored, err
	}
	stored = storedSession(log)
	events, err := s.folder.Open(ctx, id)
	if err != nil {
		return stored, err
	}
	defer func() { err = errors.Join(err, events.Close()) }()
	for ev, bad := range session.ReadLog(events) {
		var line *session.LineError
		switch {
		case ctx.Err() != nil:
			return stored, ctx.Err()
		case errors.As(bad, &line):
		case bad != nil:
			return stored, fmt.Errorf("read its events: %w", bad)
		default:
			stored.Events = append(stored.Events, ev)
		}
	}
	return stored, nil
}

// storedSession is what is listed of a session as session.Store has it.
func storedSession(l Log) session.StoredSession {
	s := withTimes(Session{Log: l})
	return session.StoredSession{Named: l.Named, Stored: session.Stored{
		ID: l.ID, Title: l.Name, Started: s.Started, Used: l.Modified, Dir: l.Dir, Repository: l.Repository, Branch: l.Branch,
		InUse: l.InUse, Client: l.Client, Agent: l.Agent, AgentSessionID: l.AgentSessionID,
	}}
}

// List implements session.Store. What cannot be read is left out.
func (s *Store) List(ctx context.Context) ([]session.Stored, error) {
	logs, err := s.folder.List(ctx)
	if logs == nil {
		return nil, err
	}
	all := make([]session.Stored, len(logs))
	for i, l := range logs {
		all[i] = storedSession(l).Stored
	}
	return all, nil
}

// Remove implements session.Store.
func (s *Store) Remove(ctx context.Context, id session.ID) error {
	r, err := s.writer(session.Stored{ID: id})
	if err == nil {
		_, err = s.folder.Log(id)
	}
	if err == nil {
		err = r.lock(ctx)
	}
	if err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(r.dir), r.Close())
}
