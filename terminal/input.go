package terminal

import (
	"os"
	"sync/atomic"
	"time"
)

// Input notes when the terminal was read last, keeps pastes exact, and
// the terminal's answers to queries in one piece.
type Input struct {
	*Device
	pastes
	replies
	Now  func() time.Time
	read atomic.Int64 // unix nanoseconds; 0 before the first read
}

// NewInput returns the input of a terminal, by a clock.
func NewInput(file *os.File, now func() time.Time) *Input {
	return &Input{Device: NewDevice(file), Now: now}
}

// LastRead is when the terminal was read last, or now if it was not, or seems to
// have been later.
func (i *Input) LastRead(now time.Time) time.Time {
	if at := i.read.Load(); at != 0 && at < now.UnixNano() {
		return time.Unix(0, at)
	}
	return now
}

// escapeKey is Escape as a terminal writes it that distinguishes it from the start of a
// sequence (sw.kovidgoyal.net/kitty/keyboard-protocol).
const escapeKey = "\x1b[27u"

// Read implements io.Reader. The half of p that is not read into has room for
// the numbers that take the place of pastes, and for what was held back. An Escape
// that nothing follows for keyTime is one that Bubble Tea's reader needs not wait
// for, which takes twice as long.
func (i *Input) Read(p []byte) (int, error) {
	n, err := i.Device.Read(p[:(len(p)+1)/2])
	now := i.Now()
	var out []byte
	if now.UnixNano()-i.read.Swap(now.UnixNano()) > int64(pasteLost) {
		out = i.giveUp()
	}
	out = append(out, i.filter(p[:n], len(p)/keyShare)...)
	if err == nil {
		out, err = i.wholePaste(p, out, now)
	}
	out = i.join(out, i.Now())
	if err == nil && len(out) > 0 && len(i.tail) == 1 && !i.Follows(keyTime) {
		out = append(out[:len(out)-1], escapeKey...)
	}
	return copy(p, out), err
}

// How long what is behind the end of a paste is waited for, which may be more of it.
const (
	pasteGap  = 20 * time.Millisecond  // between two reads of one paste
	pasteTime = 200 * time.Millisecond // in all, while few bytes come, as of a mouse that is moved
	pasteLost = time.Second            // after that, an end that became text was the end
	keyShare  = 8                      // this part of what is read at most are keys behind a paste
)

// wholePaste reads on behind the end of a paste while more comes at once, since that may be
// pasted too, and appends what was read to out. It reads into p.
func (i *Input) wholePaste(p, out []byte, now time.Time) ([]byte, error) {
	room := len(p) / keyShare
	for {
		most := (len(p) - len(out) - room) / 2
		if !i.ended || most <= 0 || !i.overrun(room) && i.Now().Sub(now) > pasteTime || !i.Follows(pasteGap) {
			break
		}
		n, err := i.Device.Read(p[:most])
		if err != nil {
			rest, _ := i.settle(room)
			return append(out, rest...), err
		}
		i.read.Store(i.Now().UnixNano())
		out = append(out, i.filter(p[:n], room)...)
	}
	rest, _ := i.settle(room)
	return append(out, rest...), nil
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
