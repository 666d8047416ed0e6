package copilot

import (
	"context"

	"parley/session"
)

// Send implements session.Session.
func (s *Session) Send(ctx context.Context, in session.Input) error {
	p := object{"prompt": in.Prompt}
	optional(p, "mode", in.Delivery)
	optional(p, "agentMode", in.Mode)
	optional(p, "displayPrompt", in.Display)
	if len(in.Attachments) > 0 {
		p["attachments"] = in.Attachments
	}
	err := s.call(ctx, "session.send", p, nil)
	if err == nil && in.Delivery != session.Immediate {
		s.starter.waits.Store(true)
		go s.agent.guard(s.starter.start)
	}
	return attempt(err, "send the prompt")
}

// Abort implements session.Session. Without an answer it returns at the end of
// ctx; whether the turn was stopped is not known then.
func (s *Session) Abort(ctx context.Context) error {
	return attempt(s.call(ctx, "session.abort", nil, nil), "stop the turn")
}
