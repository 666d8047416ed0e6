package sessions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"parley/session"
)

// Config is what a Library is opened with.
type Config struct {
	// Sources are where sessions are stored. Of two with the same id the one of
	// the earlier source counts.
	Sources []Source
	// Index is where the index is kept: an absolute path that ends in ".db", from
	// which the names of its files are made. They hold what was said, and no
	// other user may read them. "" keeps it in memory.
	Index string
	// Marks is the file with what the user noted; "" keeps that in memory.
	Marks string
	// Kept lists the sessions that an agent keeps itself, which may start it; nil is none.
	Kept func(ctx context.Context) ([]Log, error)
	Now  func() time.Time // nil is time.Now
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
	config     Config
	marks      *Marks
	refreshing chan struct{} // whoever refreshes holds what is in it
	// opening has something in it while somebody opens an index, outside of mu.
	opening chan struct{}
	closed  context.Context
	close   context.CancelFunc

	mu       sync.Mutex
	index    openIndex
	listed   *listing // nil before the first list
	kept     []Log    // by the agent
	asked    bool     // the agent was, and has answered or failed
	progress Progress
	warnings map[warningKind]string
	all      *snapshot // what is found now; nil if it has to be put together anew
}

// Open returns the library. It reads nothing yet: that is done by the first call
// that needs it.
func Open(c Config) (*Library, error) {
	if c.Index != "" && (!filepath.IsAbs(c.Index) || filepath.Ext(c.Index) != ".db") {
		return nil, fmt.Errorf("open the library of sessions: the index %q is no absolute path that ends in .db", c.Index)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Location == nil {
		c.Location = time.Local
	}
	l := &Library{
		config: c, marks: OpenMarks(c.Marks), refreshing: make(chan struct{}, 1), opening: make(chan struct{}, 1),
		warnings: map[warningKind]string{},
	}
	l.refreshing <- struct{}{}
	l.closed, l.close = context.WithCancel(context.Background())
	if c.Index != "" {
		l.index.files = indexFiles{strings.TrimSuffix(c.Index, ".db") + "-" + strconv.Itoa(version)}
	}
	return l, nil
}

// Progress is how far the index is. It is cheap, for a status line.
func (l *Library) Progress() Progress {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.progress
}

// Get returns the session with this id, or with the only id that begins so, if
// at least four characters of it are given. Errors: ErrNotFound, *AmbiguousError.
func (l *Library) Get(ctx context.Context, id session.ID) (Session, error) {
	s, err := l.get(ctx, id)
	if !errors.Is(err, ErrNotFound) {
		return s, err
	}
	if _, err := l.listSources(ctx); err != nil { // it may be new
		return Session{}, err
	}
	return l.get(ctx, id)
}

// ShortestID is how many bytes of an id are enough if no other begins with them.
const ShortestID = 4

func (l *Library) get(ctx context.Context, id session.ID) (Session, error) {
	v, err := l.snapshot(ctx)
	if err != nil {
		return Session{}, err
	}
	marks, _ := l.marks.All() // Find says what is wrong with them
	if e := v.byID[id]; e != nil {
		return e.shown(marks[id]), nil
	}
	var candidates []Session
	for _, e := range v.entries {
		if len(id) >= ShortestID && strings.HasPrefix(string(e.ID), string(id)) {
			candidates = append(candidates, e.shown(marks[e.ID]))
		}
	}
	switch len(candidates) {
	case 0:
		return Session{}, fmt.Errorf("%w: %q", ErrNotFound, string(id))
	case 1:
		return candidates[0], nil
	}
	return Session{}, &AmbiguousError{Prefix: id, Candidates: candidates}
}

// Read opens the events of a session, as its source has them: JSON lines.
// Errors: those of Get and of Source.Open.
func (l *Library) Read(ctx context.Context, id session.ID) (io.ReadCloser, error) {
	s, err := l.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	return l.open(ctx, s.Log)
}

// ReadProblem says why the events of a session could not be read, or not all; "" if they
// were. It reads on where the index stopped, so that it is about the log as it is now: a
// last line that was not written to its end counts. Errors: those of Read.
func (l *Library) ReadProblem(ctx context.Context, id session.ID) (string, error) {
	s, err := l.Get(ctx, id)
	if err != nil {
		return "", err
	}
	d := l.indexedDigest(ctx, s.ID)
	if err = l.readOn(ctx, d, s.Log); errors.Is(err, ErrReplaced) {
		d = &Digest{}
		err = l.readOn(ctx, d, s.Log)
	}
	if err != nil {
		return "", err
	}
	if d.half {
		d.Lines, d.Damaged = d.Lines+1, d.Damaged+1
	}
	return d.Unread(), nil
}

// indexedDigest is what the index knows of a log; one that has read nothing if that is
// nothing.
func (l *Library) indexedDigest(ctx context.Context, id session.ID) *Digest {
	v, err := l.snapshot(ctx)
	if err != nil || v.byID[id] == nil || v.byID[id].no == 0 {
		return &Digest{}
	}
	if db := l.indexForReading(ctx); db != nil {
		if d, err := db.digest(ctx, v.byID[id].no); err == nil {
			return d
		}
	}
	return &Digest{}
}

// readOn reads what a digest has not read of a log.
func (l *Library) readOn(ctx context.Context, d *Digest, log Log) error {
	in, err := l.open(ctx, log)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	return d.Read(ctx, in, func(Text) {})
}

// Mark changes what the user noted about a session. Errors: those of Get, and
// that it could not be kept.
func (l *Library) Mark(ctx context.Context, id session.ID, change func(*Mark)) error {
	s, err := l.Get(ctx, id)
	if err != nil {
		return err
	}
	return l.marks.Change(ctx, s.ID, change)
}

// Deleted returns the sessions that are marked as deleted, those in use included. It
// asks for none where no mark says so.
func (l *Library) Deleted(ctx context.Context) ([]Session, error) {
	marks, _ := l.marks.All() // Find says what is wrong with them
	if !slices.ContainsFunc(slices.Collect(maps.Values(marks)), func(m Mark) bool { return !m.Deleted.IsZero() }) {
		return nil, nil
	}
	found, err := l.Find(ctx, Request{Scope: Everywhere, Archived: true, Deleted: true})
	var deleted []Session
	for _, h := range found.Sessions {
		if !h.Deleted.IsZero() {
			deleted = append(deleted, h.Session)
		}
	}
	return deleted, err
}

// IDs are the ids of sessions.
func IDs(all []Session) []session.ID {
	ids := make([]session.ID, len(all))
	for i, s := range all {
		ids[i] = s.ID
	}
	return ids
}

// Close closes the index. A Refresh under way is ended first.
func (l *Library) Close() error {
	l.close()
	<-l.refreshing
	defer func() { l.refreshing <- struct{}{} }()
	l.mu.Lock()
	defer l.mu.Unlock()
	db := l.index.db
	l.index.db, l.index.closed = nil, true
	if db == nil {
		return nil
	}
	return db.close()
}
