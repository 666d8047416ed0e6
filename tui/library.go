package tui

import (
	"context"
	"io"

	"parley/history/sessions"
	"parley/session"
)

// Library is what the window wants of the past sessions: those of package
// history/sessions, which says what each method does. It is safe for concurrent
// use. All of it may block, and is called outside the loop.
type Library interface {
	Refresh(ctx context.Context) error
	Find(ctx context.Context, r sessions.Request) (sessions.Found, error)
	Get(ctx context.Context, id session.ID) (sessions.Session, error)
	Read(ctx context.Context, id session.ID) (io.ReadCloser, error)
	Mark(ctx context.Context, id session.ID, change func(*sessions.Mark)) error
	Known(ctx context.Context) (sessions.Known, error)
	Deleted(ctx context.Context) ([]sessions.Session, error)
}
