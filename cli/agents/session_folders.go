package agents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/cli/process"
	"parley/history/sessions"
	"parley/session"
	"parley/settings/didyoumean"
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
	return openLibrary(c, sessions.Config{})
}

func openLibrary(c process.Console, config sessions.Config) (*sessions.Library, error) {
	home, _ := os.UserHomeDir()
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

// wholeID is the length of an id in full.
const wholeID = 36

// FindSession completes the id of the session to resume, of which its beginning is enough.
// What no session on this machine begins with is an error, unless the agent may know more:
// it is elsewhere, keeps its own, or is given an id in full.
func (o *Options) FindSession(env []string) error {
	if o.Resume == "" {
		return nil
	}
	var all []session.ID
	folders, _ := stores(env)
	for _, f := range folders {
		all = append(all, f.IDs("")...)
	}
	found := slices.DeleteFunc(slices.Clone(all), func(id session.ID) bool { return !strings.HasPrefix(string(id), o.Resume) })
	elsewhere := o.CopilotURL != "" || o.Agent == Demo || strings.HasPrefix(o.Agent, ReplayPrefix) || o.keepsOwn()
	switch {
	case slices.Contains(all, session.ID(o.Resume)), len(found) == 0 && (elsewhere || len(o.Resume) >= wholeID):
	case len(o.Resume) < sessions.ShortestID:
		return fmt.Errorf("%q is too short for the id of a session: give at least %d characters of it; `parley -r` lists the sessions",
			o.Resume, sessions.ShortestID)
	case len(found) > 1:
		return fmt.Errorf("%d sessions have an id that begins with %q; give more of it", len(found), o.Resume)
	case len(found) == 0:
		return noSession(o.Resume, all)
	default:
		o.Resume = string(found[0])
	}
	return nil
}

// agentsID is how long an id of the agent's own is at least, which may be one that is not stored here.
const agentsID = 20

// keepsOwn reports whether the agent may have a session with the id that is not stored here.
func (o *Options) keepsOwn() bool {
	_, is, _ := acpAgent(o.Agent, nil)
	return is && len(o.Resume) >= agentsID
}

// noSession says that no session has an id that begins so, and which one is near.
func noSession(typed string, all []session.ID) error {
	if len(all) == 0 {
		return fmt.Errorf("no session has the id %q: none is stored on this machine; `parley` alone starts one", typed)
	}
	begins := make([]string, len(all))
	for i, id := range all {
		begins[i] = string(id[:min(len(id), len(typed))])
	}
	like := ""
	if near := didyoumean.Misspelt(typed, begins); near != "" {
		id := all[slices.Index(begins, near)]
		like = fmt.Sprintf("; did you mean %s?", id[:min(len(id), max(8, len(typed)))])
	}
	return fmt.Errorf("no session on this machine has an id that begins with %q%s `parley -r` lists the sessions, and "+
		"`parley sessions search %s` looks in what was said", typed, cmp.Or(like, ";"), typed)
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
// keeps while it lives, or those that are kept on this machine and, once asked for, by its agent. It is nil for an
// agent that has neither.
func PastSessions(c process.Console, b Backend) (*sessions.Library, error) {
	switch {
	case b.Stored != nil:
		return sessions.Open(sessions.Config{Sources: []sessions.Source{b.Stored}})
	case b.Keeper != "":
		return openLibrary(c, sessions.Config{Kept: b.Kept})
	}
	return nil, nil
}
