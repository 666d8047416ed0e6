package sessions

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/session"
)

// Store keeps the sessions of agents that keep none themselves, in the layout in
// which the Copilot CLI keeps its own (docs/protocol.md, section 9): a folder for
// each, with its events and what there is to know without reading them. It
// implements session.Store.
type Store struct {
	dir    string
	claims *Claims
}

var _ session.Store = (*Store)(nil)

// StoreIn returns the sessions that are kept in a folder. It is made with the
// first of them.
func StoreIn(dir string) *Store { return &Store{dir, storeClaims(dir)} }

// storeClaims are the claims to the sessions in the folder of a Keeper.
func storeClaims(dir string) *Claims { return ClaimsIn(filepath.Join(dir, ".locks")) }

// folder is where a session is; an error for what is no name of one.
func (s *Store) folder(id session.ID) (string, error) {
	if !validID(string(id)) {
		return "", fmt.Errorf("there is no session %q", string(id))
	}
	return filepath.Join(s.dir, string(id)), nil
}

// Begin implements session.Store. Nothing is written until something was said.
func (s *Store) Begin(of session.Stored) (session.Record, error) {
	dir, err := s.folder(of.ID)
	if err != nil {
		return nil, err
	}
	return &recordWriter{dir: dir, claims: s.claims, about: of}, nil
}

// Take implements session.Store. A last line that was not written whole is cut
// off.
func (s *Store) Take(ctx context.Context, id session.ID, agent string) (session.StoredSession, session.Record, error) {
	dir, err := s.folder(id)
	if err != nil {
		return session.StoredSession{}, nil, err
	}
	if _, err := look(dir); err != nil {
		return session.StoredSession{}, nil, err
	}
	r := &recordWriter{dir: dir, claims: s.claims, about: session.Stored{ID: id}}
	if err := r.lock(ctx); err != nil {
		return session.StoredSession{}, nil, err
	}
	kept, err := s.read(ctx, dir) // what whoever had it before has written is in it
	if err == nil {
		r.about, r.named = kept.Stored, kept.Named
		r.about.Agent = agent
		err = r.open()
	}
	if err != nil {
		return session.StoredSession{}, nil, errors.Join(err, r.Close())
	}
	return kept, r, nil
}

// Read implements session.Store. Lines that are no events are left out.
func (s *Store) Read(ctx context.Context, id session.ID) (session.StoredSession, error) {
	dir, err := s.folder(id)
	if err != nil {
		return session.StoredSession{}, err
	}
	held, err := s.claims.held(ctx)
	if err != nil {
		return session.StoredSession{}, err
	}
	kept, err := s.read(ctx, dir)
	kept.InUse = held[id]
	return kept, err
}

func (s *Store) read(ctx context.Context, dir string) (kept session.StoredSession, err error) {
	kept, err = look(dir)
	if err != nil {
		return kept, err
	}
	f, err := os.Open(filepath.Join(dir, eventsFile))
	if err != nil {
		return kept, fmt.Errorf("read its events: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for ev, bad := range session.ReadLog(f) {
		var line *session.LineError
		switch {
		case ctx.Err() != nil:
			return kept, ctx.Err()
		case errors.As(bad, &line):
		case bad != nil:
			return kept, fmt.Errorf("read its events: %w", bad)
		default:
			kept.Events = append(kept.Events, ev)
		}
	}
	return kept, nil
}

// List implements session.Store. What cannot be read is left out.
func (s *Store) List(ctx context.Context) ([]session.Stored, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the sessions: %w", err)
	}
	held, err := s.claims.held(ctx)
	if err != nil {
		return nil, err
	}
	var all []session.Stored
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		dir, bad := s.folder(session.ID(e.Name()))
		if bad != nil || !e.IsDir() {
			continue
		}
		if kept, err := look(dir); err == nil {
			kept.InUse = held[kept.ID]
			all = append(all, kept.Stored)
		}
	}
	slices.SortFunc(all, func(a, b session.Stored) int {
		return cmp.Or(b.Used.Compare(a.Used), strings.Compare(string(a.ID), string(b.ID)))
	})
	return all, nil
}

// Remove implements session.Store.
func (s *Store) Remove(ctx context.Context, id session.ID) error {
	dir, err := s.folder(id)
	if err != nil {
		return err
	}
	if _, err := look(dir); err != nil {
		return err
	}
	claim, err := s.claims.Claim(ctx, id)
	if err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(dir), claim.Close())
}

// look is what there is to know of a session without its events, but for who has it
// open.
func look(dir string) (session.StoredSession, error) {
	kept := session.StoredSession{Stored: session.Stored{ID: session.ID(filepath.Base(dir))}}
	info, err := os.Lstat(filepath.Join(dir, eventsFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return kept, errors.New("there is no such session")
	case err != nil:
		return kept, err
	case !info.Mode().IsRegular():
		return kept, errors.New("its log is no regular file")
	}
	kept.Used = info.ModTime()
	about, err := os.ReadFile(filepath.Join(dir, workspaceFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return kept, err
	}
	var w workspace
	w.read(about)
	kept.Dir, kept.Repository, kept.Branch, kept.Client, kept.Agent = w.Dir, w.Repository, w.Branch, w.Client, w.Agent
	kept.Title, kept.Named = w.Name, w.Named
	kept.Started, _ = time.Parse(time.RFC3339, w.Created) // zero if it is damaged
	if kept.Started.IsZero() {
		kept.Started = kept.Used
	}
	return kept, nil
}

// keptTime is how a time is written.
const keptTime = time.RFC3339Nano
