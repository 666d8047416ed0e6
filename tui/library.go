package tui

import (
	"context"
	"errors"
	"io"
	"sync"

	"parley/history/sessions"
	"parley/session"
)

// Library is what the window wants of the past sessions: those of package
// history/sessions, which says what each method does. It is safe for concurrent
// use; all of it may block, and is called outside the loop.
type Library interface {
	Refresh(ctx context.Context) error
	Rebuild(ctx context.Context) error
	Progress() sessions.Progress
	Find(ctx context.Context, r sessions.Request) (sessions.Found, error)
	Get(ctx context.Context, id session.ID) (sessions.Session, error)
	Read(ctx context.Context, id session.ID) (io.ReadCloser, error)
	Mark(ctx context.Context, id session.ID, change func(*sessions.Mark)) error
	Known(ctx context.Context) (sessions.Known, error)
	Stats(ctx context.Context, r sessions.Request) (sessions.Stats, error)
	Close() error
}

// errNoSessions is what there is without a library.
var errNoSessions = errors.New("past sessions are not kept here")

// shelf opens the library of past sessions when it is needed first, which is
// never before the first frame, and only once.
type shelf struct {
	start func(ctx context.Context) (Library, error)
	mu    sync.Mutex
	lib   Library
	ended bool
}

// known reports whether there is a library to open.
func (s *shelf) known() bool { return s.start != nil }

// open is the library. It blocks.
func (s *shelf) open(ctx context.Context) (Library, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.start == nil || s.ended:
		return nil, errNoSessions
	case s.lib != nil:
		return s.lib, nil
	}
	lib, err := s.start(ctx)
	if err == nil {
		s.lib = lib
	}
	return lib, err
}

// opened is the library if anybody has opened it; nil if nobody has.
func (s *shelf) opened() Library {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lib
}

// close closes what was opened, for good.
func (s *shelf) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	if s.lib == nil {
		return nil
	}
	lib := s.lib
	s.lib = nil
	return lib.Close()
}
