package session_test

import (
	"context"
	"errors"
	"testing"

	"parley/session"
)

type closing func(context.Context) error

func (c closing) Close(ctx context.Context) error { return c(ctx) }

// TestCloseAll: one that hangs does not keep the others from closing in time, and
// every error is reported.
func TestCloseAll(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	hung := errors.New("hung")
	closed := false
	err := session.CloseAll(ctx, []closing{
		func(ctx context.Context) error { <-ctx.Done(); return hung },
		func(ctx context.Context) error { closed = ctx.Err() == nil; cancel(); return nil },
		func(context.Context) error { panic("mistake") },
	})
	var panicked *session.PanicError
	if !closed || !errors.Is(err, hung) || !errors.As(err, &panicked) {
		t.Errorf("closed in time: %t, %v", closed, err)
	}
	if err := session.CloseAll(ctx, []closing(nil)); err != nil {
		t.Error(err)
	}
}
