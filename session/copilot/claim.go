package copilot

import (
	"context"
	"errors"

	"parley/session"
)

// claim makes this process the one that writes a session, and reports whether it
// was not before. The runtime marks a session that it continues when something is
// said there, so that two could write it which do not know of each other (docs/protocol.md,
// section 9). Where nothing can be claimed, its mark must do.
func (a *Agent) claim(ctx context.Context, id session.ID) (claimed bool, err error) {
	a.mu.Lock()
	_, ours := a.claims[id] // of a session that the runtime was slow to leave
	a.mu.Unlock()
	if a.cfg.Claims == nil || ours {
		return false, nil
	}
	c, err := a.cfg.Claims.Claim(ctx, id)
	var held *session.HeldError
	switch {
	case errors.As(err, &held):
		return false, err
	case err != nil:
		return false, nil // a file system without locks is no reason not to work
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.claims == nil {
		return false, errors.Join(ErrClosed, c.Close())
	}
	a.claims[id] = c
	return true, nil
}

// unclaim gives a session back that the runtime has left.
func (a *Agent) unclaim(id session.ID) {
	a.mu.Lock()
	c := a.claims[id]
	delete(a.claims, id)
	a.mu.Unlock()
	if c != nil {
		_ = c.Close() // what is not given back now is when the process ends
	}
}

// unclaimAll gives all sessions back, when the runtime has ended.
func (a *Agent) unclaimAll() {
	a.mu.Lock()
	all := a.claims
	a.claims = nil
	a.mu.Unlock()
	for _, c := range all {
		_ = c.Close() // likewise
	}
}
