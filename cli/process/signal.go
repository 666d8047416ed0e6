package process

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
)

// SignalError is the cause of a context that a signal ended.
type SignalError struct {
	syscall.Signal
	trace string // what every goroutine did, where the signal asks for that
}

// Error implements error.
func (s SignalError) Error() string { return "ended by signal: " + s.String() }

// Code is the exit code that shells expect of a process ended by the signal.
func (s SignalError) Code() int { return 128 + int(s.Signal) }

// UntilSignal returns a context that ends with the first signal that asks the
// process to leave; a second one has its default effect. stop releases it.
func UntilSignal(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGABRT)
	go func() {
		select {
		case s := <-signals:
			signal.Stop(signals)
			if s, ok := s.(syscall.Signal); ok {
				cancel(SignalError{s, traceFor(s)})
			}
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(signals); cancel(nil) }
}

// traceBytes bounds the trace of all goroutines.
const traceBytes = 1 << 20

// traceFor is what every goroutine does, for the signals that ask for it. The
// runtime writes it too, but does not give the terminal back before.
func traceFor(s syscall.Signal) string {
	if s != syscall.SIGQUIT && s != syscall.SIGABRT {
		return ""
	}
	buf := make([]byte, traceBytes)
	return fmt.Sprintf("parley: %v\n%s\n", s, buf[:runtime.Stack(buf, true)])
}
