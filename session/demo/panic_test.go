package demo_test

import (
	"errors"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/demo"
	"parley/session/local"
	"parley/session/sessiontest"
)

// A panic in a turn, or in the goroutine that takes in what a command prints,
// ends the session with an error that says so and shows where it was. Nothing
// is left behind.
func TestPanic(t *testing.T) {
	t.Parallel()
	for name, places := range map[string]struct{ in, not string }{
		"in a turn":             {"demo.(*turn).call(", "demo.(*shellOutput)"},
		"in a command's output": {"demo.(*shellOutput).", "testing."},
		"at the end":            {"demo.(*Session).live(", "demo.(*Session).run("},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			temp := t.TempDir()
			a, err := demo.Open(t.Context(), demo.Config{TempDir: temp, Now: func() time.Time {
				if stack := string(debug.Stack()); strings.Contains(stack, places.in) && !strings.Contains(stack, places.not) {
					panic("it is jammed")
				}
				return noon()
			}})
			if err != nil {
				t.Fatal(err)
			}
			s, err := a.Open(t.Context(), session.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := sessiontest.Read(t, s)
			if err := s.Send(t.Context(), session.Input{Prompt: "parallel"}); err != nil {
				t.Fatal(err)
			}
			if name == "at the end" {
				sessiontest.Next[session.SessionIdle](r)
				_ = s.Close(t.Context())
			}
			r.Rest()
			for _, err := range []error{s.Wait(), s.Close(t.Context()), a.Close(t.Context())} {
				var crash *session.PanicError
				if !errors.As(err, &crash) || !strings.Contains(string(crash.Stack), places.in) {
					t.Errorf("ended with %v", err)
					continue
				}
				if want := "the demo has ended: the program panicked: it is jammed; start a new session"; err.Error() != want {
					t.Errorf("ended with %q, want %q", err, want)
				}
			}
			if err := s.Send(t.Context(), session.Input{Prompt: "x"}); !errors.Is(err, local.ErrClosed) {
				t.Errorf("Send: %v", err)
			}
			if left := scratch(temp); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}
