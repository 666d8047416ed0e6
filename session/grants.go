package session

import "context"

// GrantScope is how far what was allowed once and for longer reaches.
type GrantScope string

// The scopes of a grant, from the shortest to the longest.
const (
	GrantSession    GrantScope = "session"    // until the session ends
	GrantLocation   GrantScope = "location"   // in later sessions of the same repository or folder too
	GrantEverywhere GrantScope = "everywhere" // in every session
)

// Grant is one thing that the agent may do without asking, because somebody
// allowed it for longer than once.
type Grant struct {
	// ID names the grant among those of one call of Grants.
	ID    string
	Scope GrantScope
	// What is the thing in words ready for a user, such as "`git push`",
	// "every file change" or "reading in `/tmp`". Names in it come from agents
	// and files, and must be made safe like everything else that does.
	What string
	// Where is the repository or folder that a GrantLocation holds for; "" for
	// the others.
	Where string
	// Revocable says that Revoke can take exactly this grant back.
	Revocable bool
	// Reason says why it cannot, or what else is to know of the grant: that it
	// was granted before this session and is not in effect in it, say. It may
	// be "" when Revocable.
	Reason string
}

// GrantManager is a Session that reports what is allowed for longer than once, and
// takes it back.
type GrantManager interface {
	// Grants lists what is allowed now, shortest scope first. With an error it
	// may list a part; errors.ErrUnsupported means that the agent does not
	// report it.
	Grants(ctx context.Context) ([]Grant, error)
	// Revoke takes back one grant that Grants has listed, and no other: the
	// agent asks again from the next time on. What already runs continues.
	// Revoking what is not granted any more is no error.
	Revoke(ctx context.Context, g Grant) error
}
