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

	"github.com/gofrs/flock"

	"parley/session"
)

// Keeper keeps the sessions of agents that keep none themselves, in the layout in
// which the Copilot CLI keeps its own (protocol note, section 9): a folder for
// each, with its events and what there is to know without reading them. It
// implements session.Keeper.
type Keeper struct{ dir string }

var _ session.Keeper = (*Keeper)(nil)

// KeeperIn returns the sessions that are kept in a folder. It is made with the
// first of them.
func KeeperIn(dir string) *Keeper { return &Keeper{dir: dir} }

// holdFiles are the files of who holds a session.
const holdFiles = "inuse.*.lock"

// errHeld is why a session cannot be taken.
var errHeld = errors.New("it is open in another window")

// folder is where a session is; an error for what is no name of one.
func (s *Keeper) folder(id session.ID) (string, error) {
	if name := string(id); name == "" || name != filepath.Base(name) || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\`) {
		return "", fmt.Errorf("there is no session %q", name)
	}
	return filepath.Join(s.dir, string(id)), nil
}

// Begin implements session.Keeper. Nothing is written until something was said.
func (s *Keeper) Begin(of session.Stored) (session.Record, error) {
	dir, err := s.folder(of.ID)
	if err != nil {
		return nil, err
	}
	return &keptRecord{dir: dir, about: of}, nil
}

// Take implements session.Keeper. A last line that was not written whole is cut
// off.
func (s *Keeper) Take(ctx context.Context, id session.ID, agent string) (session.Kept, session.Record, error) {
	kept, err := s.Read(ctx, id)
	if err != nil {
		return session.Kept{}, nil, err
	}
	dir, err := s.folder(id)
	if err != nil {
		return session.Kept{}, nil, err
	}
	r := &keptRecord{dir: dir, about: kept.Stored, named: kept.Named}
	r.about.Agent = agent
	if err := r.open(); err != nil {
		return session.Kept{}, nil, errors.Join(err, r.Close())
	}
	return kept, r, nil
}

// Read implements session.Keeper. Lines that are no events are left out.
func (s *Keeper) Read(ctx context.Context, id session.ID) (kept session.Kept, err error) {
	dir, err := s.folder(id)
	if err != nil {
		return kept, err
	}
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

// List implements session.Keeper. What cannot be read is left out.
func (s *Keeper) List(ctx context.Context) ([]session.Stored, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the sessions: %w", err)
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
			all = append(all, kept.Stored)
		}
	}
	slices.SortFunc(all, func(a, b session.Stored) int {
		return cmp.Or(b.Used.Compare(a.Used), strings.Compare(string(a.ID), string(b.ID)))
	})
	return all, nil
}

// Remove implements session.Keeper.
func (s *Keeper) Remove(_ context.Context, id session.ID) error {
	dir, err := s.folder(id)
	if err != nil {
		return err
	}
	kept, err := look(dir)
	switch {
	case err != nil:
		return err
	case kept.InUse:
		return errHeld
	}
	return os.RemoveAll(dir)
}

// look is what there is to know of a session without its events.
func look(dir string) (session.Kept, error) {
	kept := session.Kept{Stored: session.Stored{ID: session.ID(filepath.Base(dir))}}
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
	kept.Started, _ = time.Parse(time.RFC3339, w.Created) // zero where it is damaged
	if kept.Started.IsZero() {
		kept.Started = kept.Used
	}
	kept.InUse = held(dir)
	return kept, nil
}

// held reports whether a process that lives holds a session.
func held(dir string) bool {
	locks, _ := filepath.Glob(filepath.Join(escaped(dir), holdFiles)) // the pattern is none that could be wrong
	for _, name := range locks {
		lock := flock.New(name, flock.SetFlag(os.O_RDWR))
		free, err := lock.TryLock()
		_ = lock.Close()
		if err == nil && !free {
			return true
		}
	}
	return false
}

// escaped is a path as a pattern that matches it alone.
func escaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// keptTime is how a time is written.
const keptTime = time.RFC3339Nano
