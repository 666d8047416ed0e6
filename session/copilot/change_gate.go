package copilot

import (
	"context"
	"fmt"
)

// gate has room for one change at a time, of a session's folder or of what is
// loaded from it.
type gate chan struct{}

func newGate() gate { return make(gate, 1) }

// enter waits until no change is being made, and begins one.
func (g gate) enter(ctx context.Context) error {
	select {
	case g <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait until the folder's skills and servers are loaded: %w", context.Cause(ctx))
	}
}

// leave ends a change.
func (g gate) leave() { <-g }

// settled waits until no change is being made.
func (l *link) settled(ctx context.Context) error {
	err := l.moving.enter(ctx)
	if err == nil {
		l.moving.leave()
	}
	return err
}

// begins reports whether a call begins a turn, or asks the model something. It is
// for the folder with all that the user has allowed to be loaded.
func begins(method string) bool {
	switch method {
	case "session.send", "session.commands.invoke", "session.ui.ephemeralQuery":
		return true
	}
	return false
}
