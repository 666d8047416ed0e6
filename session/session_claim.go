package session

import (
	"context"
	"fmt"
	"io"
	"time"
)

// Claims say which process writes a session: one at a time. They are safe for
// concurrent use.
type Claims interface {
	// Claim takes a session for this process, until what it returns is closed or
	// the process ends. A session that somebody has is a *HeldError.
	Claim(ctx context.Context, id ID) (io.Closer, error)
}

// HeldError is that somebody else writes a session: it can be read and copied, and
// not continued.
type HeldError struct {
	Who   string    // such as "process 4711"; "" is not known
	Since time.Time // zero is not known
}

// Error implements error.
func (e *HeldError) Error() string {
	if e.Who == "" {
		return "it is open in another window"
	}
	return fmt.Sprintf("it is open in another window (%s)", e.Who)
}
