package demo

import (
	"context"
	"fmt"

	"parley/session/local"
)

// AskAside implements session.SideQuestionAsker.
func (s *Session) AskAside(ctx context.Context, question string) (string, error) {
	ctx, cancel := s.until(ctx)
	defer cancel()
	err := s.wait(ctx, 20)
	switch {
	case s.Life.Err() != nil:
		err = local.ErrClosed
	case err == nil:
		r := s.infer("", reply{opens: true, compose: func(h modelInput) string {
			return fmt.Sprintf("You asked on the side: *%s*. No model is behind the demo, so it cannot know. A real agent answers "+
				"here, and does not remember it in the conversation.", local.FirstLine(h.prompt))
		}}, sideMessage(question))
		return r.text, nil
	}
	return "", fmt.Errorf("ask on the side: %w", err)
}

// until is a context that ends with the session too.
func (s *Session) until(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(s.Life, cancel)
	return ctx, func() {
		stop()
		cancel()
	}
}
