package terminal

import (
	"os"
	"sync/atomic"
	"time"
)

// Input notes when the terminal was read last, keeps pastes exact, and
// the terminal's answers to queries in one piece.
type Input struct {
	*os.File
	pastes
	replies
	Now  func() time.Time
	read atomic.Int64 // unix nanoseconds; 0 before the first read
}

// NewInput returns the input of a terminal, by a clock.
func NewInput(file *os.File, now func() time.Time) *Input {
	return &Input{File: file, Now: now}
}

// LastRead is when the terminal was read last, or now if it was not, or seems to
// have been later.
func (i *Input) LastRead(now time.Time) time.Time {
	if at := i.read.Load(); at != 0 && at < now.UnixNano() {
		return time.Unix(0, at)
	}
	return now
}

// Read implements io.Reader. The half of p that is not read into has room for
// the numbers that take the place of pastes, and for what was held back.
func (i *Input) Read(p []byte) (int, error) {
	n, err := i.File.Read(p[:(len(p)+1)/2])
	now := i.Now()
	i.read.Store(now.UnixNano())
	return copy(p, i.join(i.filter(p[:n]), now)), err
}

// Settle asks nothing more and waits until the terminal has answered all it was
// asked, as long as an answer is to be expected at all.
func (i *Input) Settle() {
	i.Hush(true)
	for {
		until, changed := i.due()
		left := until.Sub(i.Now())
		if left <= 0 {
			return
		}
		select {
		case <-changed:
		case <-time.After(left):
			return
		}
	}
}
