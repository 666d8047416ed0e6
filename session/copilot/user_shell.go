package copilot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"parley/session"
)

const (
	// stopPause is waited between two tries to stop a command: the runtime may
	// hear that it is to stop before it has begun with it.
	stopPause = 20 * time.Millisecond
	// stopGrace is how long to try.
	stopGrace = 5 * time.Second
)

// RunShell implements session.ShellRunner. It must not be called by who reads
// the events: it ends when they were read. What ignores the signal to end is
// killed by the runtime five seconds later; RunShell does not wait for that.
func (s *Session) RunShell(ctx context.Context, command string) error {
	err := cmp.Or(s.closed(), ctx.Err())
	if err != nil {
		return attempt(err, "run the command")
	}
	id := uuid.NewString()
	done := make(chan error, 1)
	go s.agent.guard(func() {
		defer close(done)
		done <- s.execute(context.WithoutCancel(ctx), id, command)
	})
	select {
	case err = <-done:
	case <-ctx.Done():
		err = context.Cause(ctx)
		if stuck := s.stopShell(ctx, id, done); stuck != nil {
			err = fmt.Errorf("stop it, which may still run: %w", stuck)
		}
	}
	return attempt(err, "run the command")
}

// execute runs a command to its end. With call, all that it says would be read
// meanwhile, however slow the reader of the events is.
func (s *Session) execute(ctx context.Context, id, command string) error {
	var ran struct {
		ToolCallID session.CallID `json:"toolCallId"`
		Error      string         `json:"error"`
	}
	p := object{"sessionId": s.info.ID, "requestId": id, "command": command}
	err := s.agent.request(ctx, "session.shell.executeUserRequested", p, &ran)
	// A command that failed, or could not be started, has events that say so.
	if err == nil && ran.ToolCallID == "" {
		err = errors.New(ran.Error)
	}
	return err
}

// stopShell stops a command that was asked for with a request id, unless it is
// done.
func (s *Session) stopShell(ctx context.Context, id string, done <-chan error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopGrace)
	defer cancel()
	for {
		stopped, err := ask[bool](ctx, s, "session.shell.cancelUserRequested", object{"requestId": id}, "cancelled")
		if err != nil || stopped {
			return err
		}
		select {
		case err := <-done:
			return err
		case <-time.After(stopPause):
		}
	}
}
