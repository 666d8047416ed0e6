package session

import (
	"context"
	"time"
)

// Latest is an Agent that knows which stored session was used last in a
// directory, of those that are not in except; "" means that there is no such session.
type Latest interface {
	LatestID(ctx context.Context, dir string, except ...ID) (ID, error)
}

// Library is an Agent that keeps sessions and can list and copy them.
type Library interface {
	// List returns the stored sessions, the one used last first.
	List(ctx context.Context) ([]Stored, error)
	// Fork copies a stored session; the copy is complete. An event id other
	// than "" ends the copy before that event.
	Fork(ctx context.Context, id ID, before EventID) (ID, error)
	// Delete removes a stored session for good.
	Delete(ctx context.Context, id ID) error
}

// Stored is a session that can be resumed.
type Stored struct {
	ID ID
	// Title is its name, or the beginning of its first prompt.
	Title         string
	Started, Used time.Time
	Dir           string // working directory
	Repository    string // such as "owner/name", or the root of the checkout
	Branch        string
	InUse         bool   // another process has it open
	Client        string // the program that made it
	Agent         string // who answered, as --agent names it; "" where that is plain
	// AgentSessionID is the agent's own id of it, where it has one apart.
	AgentSessionID string
}

// Renamer is a Session whose name can be changed; the session.title_changed
// event reports that it was.
type Renamer interface {
	Rename(ctx context.Context, name string) error
}

// WorkdirChanger is a Session that can work in another directory; the
// session.context_changed event reports that it does.
type WorkdirChanger interface {
	SetDir(ctx context.Context, dir string) error
}
