package copilot_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
)

// crashed checks that an error is one of a panic, and says where it was.
func crashed(t *testing.T, err error, want ...string) {
	t.Helper()
	says(t, err, append(want, "the program panicked: it is jammed")...)
	var crash *session.PanicError
	if !errors.As(err, &crash) || !strings.Contains(string(crash.Stack), "panic_test.go") {
		t.Errorf("the error does not say where it was: %+v", crash)
	}
}

// jam is a tap that panics once, in the call it is set to.
type jam struct{ call atomic.Pointer[string] }

func (j *jam) set(call string) { j.call.Store(&call) }

func (j *jam) tap(call string) {
	if c := j.call.Load(); c != nil && *c == call && j.call.CompareAndSwap(c, nil) {
		panic("it is jammed")
	}
}

// TestPanic has each goroutine of an agent panic in the middle of a session:
// the session and the agent end with an error that says so, and so does the
// runtime.
func TestPanic(t *testing.T) {
	t.Parallel()
	for call, cause := range map[string]func(*copilot.Agent, session.Session){
		"read":  func(_ *copilot.Agent, s session.Session) { _ = s.Send(t.Context(), session.Input{Prompt: "nothing"}) },
		"write": func(_ *copilot.Agent, s session.Session) { _ = s.Send(t.Context(), session.Input{Prompt: "nothing"}) },
		"said":  func(a *copilot.Agent, _ session.Session) { _ = sessiontest.Signal(a.Pid(), syscall.SIGKILL) },
		"none":  func(a *copilot.Agent, _ session.Session) { copilot.Guard(a, func() { panic("it is jammed") }) },
	} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			var j jam
			agent, err := copilot.OpenTapped(t.Context(), pretend(t, "faulty"), j.tap)
			if err != nil {
				t.Fatal(err)
			}
			s, err := agent.Open(t.Context(), session.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := sessiontest.Read(t, s)
			j.set(call)
			cause(agent, s)
			r.Rest()
			if call == "said" { // while it hears how the runtime ended: it has
				crashed(t, s.Wait())
			} else {
				crashed(t, s.Wait(), "the connection to the Copilot CLI was given up", "resume the session to continue")
				crashed(t, agent.Close(t.Context()))
			}
			if err := s.Abort(t.Context()); !errors.Is(err, copilot.ErrClosed) {
				t.Errorf("Abort: %v", err)
			}
			if err := s.Close(t.Context()); err != nil {
				t.Errorf("close the session: %v", err)
			}
			_ = agent.Close(t.Context())
			gone(t, agent.Pid())
		})
	}
}

// TestPanicWhileEnding has the goroutines panic that deal with the end of a
// connection: everything ends all the same.
func TestPanicWhileEnding(t *testing.T) {
	t.Parallel()
	for _, call := range []string{"finished", "stop", "close"} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			var j jam
			if call == "finished" { // it is waited for from the start
				j.set(call)
			}
			agent, err := copilot.OpenTapped(t.Context(), pretend(t, "faulty"), j.tap)
			if call == "finished" && err != nil {
				crashed(t, err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			s, err := agent.Open(t.Context(), session.Options{})
			if err == nil {
				j.set(call)
				_ = s.Send(t.Context(), session.Input{Prompt: "a line of text"})
				sessiontest.Read(t, s).Rest()
				says(t, s.Wait(), "resume the session to continue")
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_ = agent.Close(ctx)
			gone(t, agent.Pid())
		})
	}
}

// TestPanicWhileConnecting has the reader panic before the runtime has answered.
func TestPanicWhileConnecting(t *testing.T) {
	t.Parallel()
	var j jam
	j.set("read")
	_, err := copilot.OpenTapped(t.Context(), pretend(t, "faulty"), j.tap)
	crashed(t, err, "the connection to the Copilot CLI was given up")
}

// TestPanicOfTheWaiter has the goroutine panic that waits for the process.
func TestPanicOfTheWaiter(t *testing.T) {
	t.Parallel()
	pid, err := copilot.StartJammed(pretend(t, "sleeps"))
	if crash := (*session.PanicError)(nil); !errors.As(err, &crash) {
		t.Errorf("got %v", err)
	}
	gone(t, pid)
}
