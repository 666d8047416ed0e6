package agents

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"

	"parley/cli/process"
	"parley/history/sessions"
	"parley/session"
	"parley/settings/environ"
)

// stores are where sessions are kept on this machine: by the Copilot CLI, and by
// Parley for agents that keep none themselves.
func stores(env []string) (all []*sessions.Folder, dirs []string) {
	home, _ := os.UserHomeDir()
	if dir := sessions.Home(env, home); dir != "" {
		all, dirs = append(all, sessions.Copilot(dir, copilotClaims(env))), append(dirs, dir)
	}
	if dir := environ.StateDir(env, home); dir != "" {
		dir = OwnSessions(dir)
		all, dirs = append(all, sessions.Own(dir)), append(dirs, dir)
	}
	return all, dirs
}

// copilotClaims say which sessions of the Copilot CLI windows of Parley have open;
// nil where there is no folder for that.
func copilotClaims(env []string) *sessions.Claims {
	home, _ := os.UserHomeDir()
	dir := environ.StateDir(env, home)
	if dir == "" {
		return nil
	}
	return sessions.ClaimsIn(filepath.Join(dir, "locks", Copilot))
}

// OwnSessions is the folder of the sessions that Parley keeps.
func OwnSessions(state string) string { return filepath.Join(state, "sessions") }

// OpenLibrary is the library of the sessions that are kept on this machine. It
// reads nothing yet.
func OpenLibrary(c process.Console) (*sessions.Library, error) {
	home, _ := os.UserHomeDir()
	var config sessions.Config
	folders, dirs := stores(c.Env)
	for _, f := range folders {
		config.Sources = append(config.Sources, f)
	}
	if dir := environ.CacheDir(c.Env, home); dir != "" {
		config.Index = filepath.Join(dir, indexName(dirs...))
	}
	if dir := environ.StateDir(c.Env, home); dir != "" {
		config.Marks = filepath.Join(dir, "marks.json")
	}
	l, err := sessions.Open(config)
	if err != nil {
		return nil, fmt.Errorf("open the past sessions: %w", err)
	}
	return l, nil
}

// FindSession completes the id of the session to resume, of which its beginning is enough.
// One that is not stored on this machine is left as it is: the agent may know it.
func (o *Options) FindSession(env []string) error {
	if len(o.Resume) < sessions.ShortestID {
		return nil
	}
	var ids []session.ID
	folders, _ := stores(env)
	for _, f := range folders {
		ids = append(ids, f.IDs(o.Resume)...)
	}
	switch {
	case len(ids) == 0, slices.Contains(ids, session.ID(o.Resume)):
		return nil
	case len(ids) > 1:
		return fmt.Errorf("%d sessions have an id that begins with %q; give more of it", len(ids), o.Resume)
	}
	o.Resume = string(ids[0])
	return nil
}

// DeletedSessions are the sessions that the user deleted and that are not removed yet.
func DeletedSessions(ctx context.Context, c process.Console) ([]session.ID, error) {
	l, err := OpenLibrary(c)
	if err != nil {
		return nil, err
	}
	marked, err := l.Deleted(ctx)
	return sessions.IDs(marked), errors.Join(err, l.Close())
}

// indexName is the file of the index of the sessions in some folders. What is stored
// in these was not deleted because it is not in others, which have an index of their own.
func indexName(dirs ...string) string {
	h := fnv.New64a()
	for _, dir := range dirs {
		_, _ = h.Write(append([]byte(filepath.Clean(dir)), 0))
	}
	return fmt.Sprintf("sessions-%016x.db", h.Sum64())
}

// PastSessions are the sessions that a chat can look back at: those that its agent
// keeps while it lives, or those that are kept on this machine. It is nil for an
// agent that has neither.
func PastSessions(c process.Console, b Backend) (*sessions.Library, error) {
	switch {
	case b.Stored != nil:
		return sessions.Open(sessions.Config{Sources: []sessions.Source{b.Stored}})
	case b.Keeper != "":
		return OpenLibrary(c)
	}
	return nil, nil
}
