package session

import "context"

// Store is where an agent that keeps no sessions itself has them kept from one
// run to the next. It is safe for concurrent use.
type Store interface {
	// Begin makes a place for a new session and holds it for this process.
	Begin(s Stored) (Record, error)
	// Take reads a session and holds it for an agent, which answers from now on; one
	// that is held elsewhere is a *HeldError. What it returns has the agent before.
	Take(ctx context.Context, id ID, agent string) (StoredSession, Record, error)
	// Read reads a session without holding it.
	Read(ctx context.Context, id ID) (StoredSession, error)
	// List returns the sessions in which something was said, the one used last
	// first.
	List(ctx context.Context) ([]Stored, error)
	// Remove removes a session for good, unless somebody holds it.
	Remove(ctx context.Context, id ID) error
}

// StoredSession is what a Store has of a session.
type StoredSession struct {
	Stored
	Named  bool    // its title was given by the user
	Events []Event // in order
}

// Record is the place of one session. Events are on it in the order in which
// they were appended; what was appended stays when the process dies.
type Record interface {
	Append(ev Event) error
	// Describe sets the title.
	Describe(title string, named bool) error
	// Close lets go of the session.
	Close() error
}
