package copilot

import (
	"context"
	"fmt"

	"parley/session"
)

// Send implements session.Session.
func (s *Session) Send(ctx context.Context, in session.Input) error {
	p := object{"prompt": in.Prompt}
	if in.Delivery != "" {
		p["mode"] = in.Delivery
	}
	if in.Mode != "" {
		p["agentMode"] = in.Mode
	}
	if in.Display != "" {
		p["displayPrompt"] = in.Display
	}
	if len(in.Attachments) > 0 {
		p["attachments"] = in.Attachments
	}
	if err := s.call(ctx, "session.send", p, nil); err != nil {
		return fmt.Errorf("send the prompt: %w", err)
	}
	return nil
}

// Abort implements session.Session. Without an answer it returns at the end of
// ctx; whether the turn was stopped is not known then.
func (s *Session) Abort(ctx context.Context) error {
	if err := s.call(ctx, "session.abort", object{}, nil); err != nil {
		return fmt.Errorf("stop the turn: %w", err)
	}
	return nil
}
