package replay_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/local"
	"parley/session/replay"
	"parley/session/sessiontest"
)

// A panic while the log is played ends the session with an error that says so
// and says where it was, after what was played.
func TestPanic(t *testing.T) {
	t.Parallel()
	path := write(t, "log",
		line{0, session.SessionStart{SessionID: "s"}}, line{0, session.UserMessage{Content: "go"}}, line{500, session.SessionIdle{}})
	a, err := replay.Open(t.Context(), replay.Config{
		Path: path, Speed: 1, Now: newClock().Now,
		After: func(time.Duration) <-chan time.Time { panic("it is jammed") },
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := a.Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	played := sessiontest.Read(t, s).Rest()
	if got := kinds(played); got != "session.start\nuser.message\n" {
		t.Errorf("played %s", got)
	}
	for _, err := range []error{s.Wait(), s.Close(t.Context()), a.Close(t.Context())} {
		var crash *session.PanicError
		if !errors.As(err, &crash) || !strings.Contains(string(crash.Stack), "panic_test.go") {
			t.Errorf("ended with %v", err)
			continue
		}
		if want := "the replay has ended: the program panicked: it is jammed; open it anew"; !strings.Contains(err.Error(), want) {
			t.Errorf("ended with %q, want %q", err, want)
		}
	}
	if err := s.Send(t.Context(), session.Input{Prompt: "x"}); !errors.Is(err, local.ErrClosed) {
		t.Errorf("Send: %v", err)
	}
}
