package copilot

import "context"

// Compact implements session.Compacter.
func (s *Session) Compact(ctx context.Context, instructions string) error {
	p := object{}
	optional(p, "customInstructions", instructions)
	err := confirm(ctx, s, "session.history.compact", p, "success", "the runtime kept the history as it was")
	return attempt(err, "compact the history")
}
