package tui

import (
	"errors"
	"os"
	"testing"
	"time"

	"parley/terminal"

	tea "charm.land/bubbletea/v2"

	"parley/tui/conversation"
)

// TestLate: a key that the loop takes long after it was read is late. The wait of
// Bubble Tea's reader, which must see whether more follows an Escape, does not
// count.
func TestLate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key  string
		wait time.Duration
		late bool
	}{
		{"y", lateInput, false},
		{"y", lateInput + time.Millisecond, true},
		{"esc", lateInput + escapeWait, false},
		{"esc", lateInput + escapeWait + time.Millisecond, true},
		{"up", lateInput + time.Millisecond, true},
	} {
		now := started
		in := terminal.NewInput(typed(t, "x"), func() time.Time { return now })
		if _, err := in.Read(make([]byte, 8)); err != nil {
			t.Fatal(err)
		}
		now = now.Add(c.wait)
		msg, ok := stamp(in, press(t, c.key)).(conversation.InputMsg)
		if _, key := msg.Msg.(tea.KeyPressMsg); !ok || !key || msg.Late != c.late || !msg.At.Equal(started) {
			t.Errorf("%s after %v: %+v", c.key, c.wait, msg)
		}
	}
}

// The return of a program that had the terminal gets the time at which it came.
func TestReturnIsStamped(t *testing.T) {
	t.Parallel()
	in := terminal.NewInput(nil, func() time.Time { return started })
	if back, ok := stamp(in, conversation.ReturnedMsg{}).(conversation.ReturnedMsg); !ok || !back.At.Equal(started) {
		t.Errorf("it came at %v, want %v", back.At, started)
	}
}

// typed is a terminal on which something was typed.
func typed(t *testing.T, text string) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = errors.Join(r.Close(), w.Close()) })
	if _, err := w.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return r
}
