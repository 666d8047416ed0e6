package terminal

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"parley/settings"
)

// TestRoundTrip: the shortest of the times counts, a quick answer is enough, and a terminal
// that does not answer is not known.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		takes []time.Duration
		want  time.Duration
		asked int
	}{
		"quick":           {[]time.Duration{20 * ms}, 20 * ms, 1},
		"slow":            {[]time.Duration{700 * ms, 600 * ms, 650 * ms}, 600 * ms, 3},
		"a busy machine":  {[]time.Duration{700 * ms, 20 * ms}, 20 * ms, 2},
		"silent":          {nil, 0, 1},
		"silent later on": {[]time.Duration{700 * ms}, 700 * ms, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer read.Close()
			var mu sync.Mutex
			now := readAt
			in := NewInput(nil, func() time.Time { mu.Lock(); defer mu.Unlock(); return now })
			ctx, cancel := context.WithCancel(t.Context())
			asked := make(chan int)
			go func() { // the terminal
				b, n := make([]byte, 64), 0
				for {
					k, err := read.Read(b)
					if err != nil {
						asked <- n
						return
					}
					if n++; string(b[:k]) != probe {
						t.Errorf("%q is written", b[:k])
					}
					if n > len(c.takes) {
						cancel() // as time does
						continue
					}
					mu.Lock()
					now = now.Add(c.takes[n-1])
					at := now
					mu.Unlock()
					if got := string(in.join([]byte("x\x1b[?62;22cy"), at)); got != "x\x1b[?62;22cy" {
						t.Errorf("of the input %q is left", got)
					}
				}
			}()
			got := NewOutput(write, in).RoundTrip(ctx)
			_ = write.Close()
			if n := <-asked; got != c.want || n != c.asked {
				t.Errorf("%v, asked %d times; want %v, %d times", got, n, c.want, c.asked)
			}
			cancel()
		})
	}
}

// TestLowBandwidth: which terminal is spared.
func TestLowBandwidth(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		setting   string
		roundTrip time.Duration
		want      bool
	}{
		{"auto", 0, false},
		{"auto", SlowAnswer, false},
		{"auto", SlowAnswer + 1, true},
		{"on", 0, true},
		{"off", time.Hour, false},
		{"", time.Hour, false},
	} {
		e := Environment{Prefer: settings.Terminal{LowBandwidth: c.setting}}
		if got := e.LowBandwidth(c.roundTrip); got != c.want {
			t.Errorf("%q, %v: %t", c.setting, c.roundTrip, got)
		}
	}
}
