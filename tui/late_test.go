package tui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
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
		in := &stampedInput{now: func() time.Time { return started.Add(c.wait) }}
		in.read.Store(started.UnixNano())
		msg, ok := in.stamp(nil, press(t, c.key)).(inputMsg)
		if _, key := msg.Msg.(tea.KeyPressMsg); !ok || !key || msg.Late != c.late || !msg.At.Equal(started) {
			t.Errorf("%s after %v: %+v", c.key, c.wait, msg)
		}
	}
}

// The return of a program that had the terminal is news of its conversation. It
// gets the time at which it came.
func TestReturnIsStamped(t *testing.T) {
	t.Parallel()
	in := &stampedInput{now: func() time.Time { return started }}
	c := &conversation{}
	cmd := c.tagged(func() tea.Msg { return returnedMsg{} })
	of, ok := in.stamp(nil, cmd()).(inMsg)
	back, returned := of.msg.(returnedMsg)
	if !ok || !returned || of.in != c || !back.at.Equal(started) {
		t.Errorf("%+v came at %v, want %v", of, back.at, started)
	}
}
