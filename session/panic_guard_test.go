package session_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"parley/session"
)

func TestGuard(t *testing.T) {
	t.Parallel()
	if err := session.Guard(func() error { return nil }); err != nil {
		t.Errorf("nothing happened, got %v", err)
	}
	if err := session.Guard(func() error { return io.EOF }); !errors.Is(err, io.EOF) {
		t.Errorf("an error, got %v", err)
	}
	var none map[string]int
	for name, f := range map[string]func() error{
		"a text":    func() error { panic("it is jammed") },
		"an error":  func() error { panic(io.EOF) },
		"a mistake": func() error { none["x"] = 1; return nil },
		"nil":       func() error { panic(nil) },
	} {
		err := session.Guard(f)
		var crash *session.PanicError
		if !errors.As(err, &crash) {
			t.Errorf("%s: got %v", name, err)
			continue
		}
		if errors.Is(err, io.EOF) {
			t.Errorf("%s: taken for the end of something", name)
		}
		if want := "the program panicked: " + fmt.Sprint(crash.Value); err.Error() != want {
			t.Errorf("%s: says %q, want %q", name, err, want)
		}
		if !strings.Contains(string(crash.Stack), "TestGuard") {
			t.Errorf("%s: the stack does not say where: %s", name, crash.Stack)
		}
	}
}

// A panic that is passed on is reported as it was first caught.
func TestGuardPassesOn(t *testing.T) {
	t.Parallel()
	first := session.Guard(func() error { panic("it is jammed") })
	wrapped := fmt.Errorf("run the tool: %w", first)
	for _, value := range []error{first, wrapped} {
		if err := session.Guard(func() error { panic(value) }); !errors.Is(err, value) || err.Error() != value.Error() {
			t.Errorf("got %v, want %v", err, value)
		}
	}
}
