package drafts

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session/sessiontest"
)

// timed is how long f takes.
func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

// BenchmarkSave10MB saves a state with ten large pastes while a letter is typed
// beside them, and for the first time.
func BenchmarkSave10MB(b *testing.B) {
	var took, first sessiontest.Samples
	for b.Loop() {
		j, err := Open(b.TempDir(), time.Unix(0, 0))
		if err != nil {
			b.Fatal(err)
		}
		d := Draft{Text: strings.Repeat("x", 1000)}
		for i := range 10 {
			d.Chips = append(d.Chips, Chip{At: i, Paste: strings.Repeat(fmt.Sprintf("line %d of a paste\n", i), 1<<20/18)})
		}
		save := func(seq uint64) func() {
			return func() {
				if err := j.Save(seq, State{Draft: d}); err != nil {
					b.Fatal(err)
				}
			}
		}
		first = append(first, timed(save(1)))
		d.Text += "y"
		took = append(took, timed(save(2)))
		if err := j.Close(); err != nil {
			b.Fatal(err)
		}
	}
	sessiontest.Figure(b, sessiontest.Milliseconds(first.Median()), "ms-first", 500)
	sessiontest.Figure(b, sessiontest.Milliseconds(took.Median()), "ms-again", 100)
}
