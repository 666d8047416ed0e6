package copilot

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestShellWaitsForTheReader: while a command runs, a slow reader of the events
// still makes the runtime wait, so that what the command says is not all held.
func TestShellWaitsForTheReader(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := can(t, map[string]string{"session.shell.cancelUserRequested": `{"cancelled":true}`})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- a.RunShell(ctx, "yes") }()
		synctest.Wait()
		asked := a.called("session.shell.executeUserRequested")
		if asked["command"] != "yes" || asked["sessionId"] != "s" {
			t.Errorf("asked for %v", asked)
		}
		if n := a.agent.valve.calls; n != 0 {
			t.Errorf("%d calls let everything be read", n)
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("ended with %v", err)
		}
		if stopped := a.called("session.shell.cancelUserRequested"); stopped["requestId"] != asked["requestId"] {
			t.Errorf("stopped %v", stopped)
		}
	})
}

// TestStopShellFails does not know whether the command was stopped.
func TestStopShellFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for name, answers := range map[string]map[string]string{
			"no answer":   nil,
			"never known": {"session.shell.cancelUserRequested": `{"cancelled":false}`},
		} {
			a := can(t, answers)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- a.RunShell(ctx, "sleep 9") }()
			synctest.Wait()
			cancel()
			start := time.Now()
			if err := <-done; err == nil || !strings.HasPrefix(err.Error(), "run the command: stop it, which may still run: ") {
				t.Errorf("%s: %v", name, err)
			}
			// The last pause may end in the same moment as the grace.
			if waited := time.Since(start); waited < stopGrace || waited > stopGrace+stopPause {
				t.Errorf("%s: waited %v", name, waited)
			}
		}
	})
}

// TestStopShellTooLate stops a command that has ended in the meantime.
func TestStopShellTooLate(t *testing.T) {
	t.Parallel()
	done := make(chan error, 1)
	done <- nil
	a := can(t, map[string]string{"session.shell.cancelUserRequested": `{"cancelled":false}`})
	if err := a.stopShell(t.Context(), "r", done); err != nil {
		t.Error(err)
	}
}
