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
		return s.infer("", reply{opens: true, say: scenes().Texts["aside"]}, sideMessage(question)).text, nil
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
