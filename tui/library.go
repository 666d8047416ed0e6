package tui

import (
	"context"

	"parley/history/sessions"
	"parley/session"
	"parley/tui/browser"
)

// Library is what the window uses of a sessions.Library. It is safe for concurrent
// use. All of it may block, and is called outside the loop.
type Library interface {
	browser.Library
	Get(ctx context.Context, id session.ID) (sessions.Session, error)
	Deleted(ctx context.Context) ([]sessions.Session, error)
}
