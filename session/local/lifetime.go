package local

import (
	"context"
	"fmt"
	"sync"
	"time"

	"parley/session"
)

// Lifetime is the life of a session whose agent runs in this process: it is asked
// to end, by Close or by a panic, and is over once End was called. It is safe for
// concurrent use.
type Lifetime struct {
	context.Context // done when the session is to end
	cancel          context.CancelFunc
	over            chan struct{}
	err             error // set before over is closed

	mu    sync.Mutex
	crash error // the first panic
}

// NewLifetime begins one. It outlives ctx, whose values it has.
func NewLifetime(ctx context.Context) *Lifetime {
	l := &Lifetime{over: make(chan struct{})}
	l.Context, l.cancel = context.WithCancel(context.WithoutCancel(ctx))
	return l
}

// Guard runs what a goroutine of the session does. A panic in it ends the session.
func (l *Lifetime) Guard(f func()) {
	if err := session.Guard(func() error { f(); return nil }); err != nil {
		l.mu.Lock()
		if l.crash == nil {
			l.crash = err
		}
		l.mu.Unlock()
		l.cancel()
	}
}

// Crash returns the first panic; nil without one.
func (l *Lifetime) Crash() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.crash
}

// Stop asks the session to end, and does not wait until it has.
func (l *Lifetime) Stop() { l.cancel() }

// End says that the session is over, and why: nil on purpose. It is called once.
func (l *Lifetime) End(err error) {
	l.cancel()
	l.err = err
	close(l.over)
}

// Over is closed when the session is over.
func (l *Lifetime) Over() <-chan struct{} { return l.over }

// Ended reports whether the session is over.
func (l *Lifetime) Ended() bool {
	select {
	case <-l.over:
		return true
	default:
		return false
	}
}

// Wait does what Session.Wait promises.
func (l *Lifetime) Wait() error {
	<-l.over
	return l.err
}

// Close does what Session.Close promises.
func (l *Lifetime) Close(ctx context.Context) error {
	l.cancel()
	select {
	case <-l.over:
		return l.err
	case <-ctx.Done():
		return fmt.Errorf("close the session: %w", ctx.Err())
	}
}

// Pause waits, unless ctx is cancelled: then it returns why.
func Pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
