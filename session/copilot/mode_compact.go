package copilot

import (
	"context"

	"parley/session"
)

// SetMode implements session.ModeSetter.
func (ms models) SetMode(ctx context.Context, m session.Mode) error {
	err := confirm(ctx, ms, "session.mode.set", object{"mode": m}, "modeApplied", "the runtime did not change it")
	return attempt(err, "set the mode to %s", m)
}

// Compact implements session.Compacter.
func (s *Session) Compact(ctx context.Context, instructions string) error {
	p := object{}
	optional(p, "customInstructions", instructions)
	err := confirm(ctx, s, "session.history.compact", p, "success", "the runtime kept the history as it was")
	return attempt(err, "compact the history")
}
