package sessions

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/session"
)

// midday is when the tests are.
var midday = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// shelf is a source in memory.
type shelf struct {
	mu     sync.Mutex
	logs   map[session.ID]Log
	events map[session.ID][]byte
	closed map[session.ID]error // those that cannot be opened
	failed error                // of List
	opened int                  // how often a log was opened
	made   int                  // how many logs there ever were
	// reads is called before each piece that is read; nil for nothing.
	reads func(id session.ID)
}

func newShelf() *shelf {
	return &shelf{logs: map[session.ID]Log{}, events: map[session.ID][]byte{}, closed: map[session.ID]error{}}
}

func (s *shelf) Keeper() string { return "copilot" }

func (s *shelf) List(context.Context) ([]Log, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	logs := slices.Collect(maps.Values(s.logs))
	slices.SortFunc(logs, func(a, b Log) int { return b.Modified.Compare(a.Modified) })
	return logs, s.failed
}

func (s *shelf) Open(_ context.Context, id session.ID) (io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened++
	if err := s.closed[id]; err != nil {
		return nil, err
	}
	events, ok := s.events[id]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(&watched{bytes.NewReader(events), func() {
		if s.reads != nil {
			s.reads(id)
		}
	}}), nil
}

type watched struct {
	*bytes.Reader
	reads func()
}

func (w *watched) Read(p []byte) (int, error) {
	w.reads()
	return w.Reader.Read(p)
}

// put stores a session, or adds to one.
func (s *shelf) put(id session.ID, lines ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	log, ok := s.logs[id]
	if !ok {
		log = Log{ID: id, Keeper: "copilot", Agent: "copilot", Path: "/w/" + string(id), Dir: "/w/shore", Root: "/w/shore", Repository: "ada/shore", Branch: "main", Created: midday}
		log.Modified = midday.Add(time.Duration(s.made) * time.Minute)
		s.made++
	}
	s.events[id] = append(slices.Clip(s.events[id]), strings.Join(lines, "")...)
	log.Size, log.Modified = int64(len(s.events[id])), log.Modified.Add(time.Second)
	s.logs[id] = log
}

// change changes what is listed of a session.
func (s *shelf) change(id session.ID, change func(*Log)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.logs[id]
	change(&log)
	s.logs[id] = log
}

func (s *shelf) remove(id session.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.logs, id)
	delete(s.events, id)
}

// eventLine is an event as a log has it.
func eventLine(kind, data string) string {
	return fmt.Sprintf(`{"type":%q,"data":%s,"id":"e","timestamp":"2026-11-20T10:00:00.000Z","parentId":null}`, kind, data) + "\n"
}

func asked(text string) string {
	return eventLine("user.message", `{"content":`+strconv.Quote(text)+`,"messageId":"m"}`)
}

func answered(text string) string {
	return eventLine("assistant.message", `{"messageId":"a","content":`+strconv.Quote(text)+`}`)
}

// testOrCheck is a test, or one check of a property. What a check opens is closed
// at its end.
type testOrCheck interface {
	rapid.TB
	Cleanup(f func())
	Context() context.Context
}

// openedIn opens a library of a shelf, in a folder of the test.
func openedIn(t testOrCheck, dir string, sources ...Source) *Library {
	t.Helper()
	c := Config{Sources: sources, Now: func() time.Time { return midday }, Location: time.UTC}
	if dir != "" {
		c.Index, c.Marks = filepath.Join(dir, "sessions.db"), filepath.Join(dir, "marks.json")
	}
	l, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func mustRefresh(t testOrCheck, l *Library) {
	t.Helper()
	if err := l.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if p := l.Progress(); p.Busy() {
		t.Fatalf("after a refresh: %+v", p)
	}
}

func mustFind(t testOrCheck, l *Library, query string) Found {
	t.Helper()
	q, err := ParseQuery(query, midday)
	if err != nil {
		t.Fatalf("%q: %v", query, err)
	}
	found, err := l.Find(t.Context(), Request{Query: q, Scope: Everywhere})
	if err != nil {
		t.Fatalf("%q: %v", query, err)
	}
	return found
}

// ids are those that a query finds, sorted.
func ids(t testing.TB, l *Library, query string) string {
	t.Helper()
	var all []string
	for _, h := range mustFind(t, l, query).Sessions {
		all = append(all, string(h.ID))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}
