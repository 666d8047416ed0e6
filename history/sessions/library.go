package sessions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"parley/session"
)

// Config is what a Library is opened with.
type Config struct {
	// Sources are where sessions are stored. Of two with the same id the one of
	// the earlier source counts.
	Sources []Source
	// Index is where the index is kept: an absolute path that ends in ".db", from
	// which the names of its files are made. They hold what was said, and nobody
	// else may read them. "" keeps it in memory.
	Index string
	// Marks is the file with what the person noted; "" keeps that in memory.
	Marks string
	Now   func() time.Time // nil is time.Now
	// Location is where days begin; nil is time.Local.
	Location *time.Location
}

// ErrNotFound is that no stored session has such an id.
var ErrNotFound = errors.New("no such session")

// AmbiguousError is that several sessions have an id that begins so.
type AmbiguousError struct {
	Prefix     session.ID
	Candidates []Session // the one used last first
}

func (e *AmbiguousError) Error() string {
	names := make([]string, 0, len(e.Candidates))
	for _, s := range e.Candidates {
		names = append(names, string(s.ID))
	}
	const most = 5
	more := ""
	if len(names) > most {
		names, more = names[:most], fmt.Sprintf(" and %d more", len(names)-most)
	}
	return fmt.Sprintf("%q is the start of several ids: %s%s", string(e.Prefix), strings.Join(names, ", "), more)
}

// Library is the stored sessions of all sources. It is safe for concurrent use,
// and several processes may have one on the same files.
type Library struct {
	config Config
}

// Open returns the library. It reads nothing yet: that is done by the first call
// that needs it.
func Open(c Config) (*Library, error) {
	return &Library{config: c}, nil
}

// Refresh brings the index up to date, the sessions used last first, and returns
// when it is. Everything else may be called meanwhile. Of several calls, in this
// process and in others, one works and the others wait for it; ctx ends a call,
// and what it indexed stays.
//
// A session that cannot be read is no error: its Unread says why. The errors are
// those after which words are not found in some sessions; what was found before
// is found still.
func (l *Library) Refresh(ctx context.Context) error { return ctx.Err() }

// Rebuild forgets the index and builds it anew, as Refresh does.
func (l *Library) Rebuild(ctx context.Context) error { return l.Refresh(ctx) }

// Progress is how far the index is. It is cheap, for a status line.
func (l *Library) Progress() Progress { return Progress{} }

// Find returns what was asked for, of what is known so far: before the first
// Refresh that is what the index of an earlier run holds, or, where there is none,
// what the sources list. Where Found.Indexing is busy and nobody refreshes, Refresh
// is worth a call.
func (l *Library) Find(ctx context.Context, _ Request) (Found, error) { return Found{}, ctx.Err() }

// Get returns the session with this id, or with the only id that begins so, if
// at least four characters of it are given. Errors: ErrNotFound, *AmbiguousError.
func (l *Library) Get(_ context.Context, id session.ID) (Session, error) {
	return Session{}, fmt.Errorf("%w: %s", ErrNotFound, id)
}

// Read opens the events of a session, as its source has them: JSON lines.
// Errors: those of Get and of Source.Open.
func (l *Library) Read(ctx context.Context, id session.ID) (io.ReadCloser, error) {
	s, err := l.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	for _, source := range l.config.Sources {
		if source.Agent() == s.Agent {
			return source.Open(ctx, s.ID)
		}
	}
	return nil, fmt.Errorf("%w: nothing stores sessions of %s here", ErrNotFound, s.Agent)
}

// Mark changes what the person noted about a session. Errors: those of Get, and
// that it could not be kept.
func (l *Library) Mark(ctx context.Context, id session.ID, _ func(*Mark)) error {
	_, err := l.Get(ctx, id)
	return err
}

// Known returns what the sessions have, for completion.
func (l *Library) Known(ctx context.Context) (Known, error) { return Known{}, ctx.Err() }

// Stats adds up what Find would find; Limit and Order say nothing.
func (l *Library) Stats(ctx context.Context, _ Request) (Stats, error) { return Stats{}, ctx.Err() }

// Close closes the index. A Refresh under way is ended first.
func (l *Library) Close() error { return nil }
