package terminal

import (
	"bytes"
	"regexp"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// replies keeps what a terminal answers to queries in one piece. An answer that
// arrives in parts, as over a slow line, would otherwise be decoded part by
// part, and its end typed into the draft. It also counts the answers that are
// still to come, so that leaving can wait for them: what arrives later is typed
// into the shell.
type replies struct {
	held  []byte    // a sequence without its end
	drop  bool      // held is not to be passed on, even when it ends
	tail  []byte    // the end of what was passed on, if a sequence may continue there
	heard time.Time // when the terminal said something last

	mu      sync.Mutex
	open    [len(queries)]int  // answers to come, by query
	asked   time.Time          // when the last of them was asked for
	changed chan struct{}      // closed when an answer comes; nil: nothing waits
	silent  bool               // nothing more is asked: the terminal is given back
	probed  time.Time          // when it was asked for its attributes last
	trips   chan time.Duration // how long the answer to that took
}

// queries are what a window asks a terminal, and how the answers look (xterm's
// control sequences; DECRQM; the kitty keyboard protocol).
var queries = [...]struct {
	ask    string
	answer *regexp.Regexp
}{
	{ansi.RequestBackgroundColor, regexp.MustCompile(`^\x1b\]11;`)},
	{ansi.RequestCursorPositionReport, regexp.MustCompile(`^\x1b\[[0-9]+;[0-9]+R$`)},
	{ansi.RequestModeSynchronizedOutput, regexp.MustCompile(`^\x1b\[\?2026;[0-9]\$y$`)},
	{ansi.RequestModeUnicodeCore, regexp.MustCompile(`^\x1b\[\?2027;[0-9]\$y$`)},
	{ansi.RequestKittyKeyboard, regexp.MustCompile(`^\x1b\[\?[0-9]+u$`)},
	{ansi.RequestNameVersion, regexp.MustCompile(`^\x1bP>\|`)},
	{probe, regexp.MustCompile(`^\x1b\[\?[0-9;]+c$`)},
}

// probe is what every terminal answers (DA1), and only RoundTrip asks.
const probe = ansi.RequestPrimaryDeviceAttributes

const (
	// partTime is how long the next part of a sequence may take.
	partTime = 2 * time.Second
	// keyTime is how long what follows an Escape may take, before that is a key of its own.
	keyTime = 25 * time.Millisecond
	// replyTime is how long after a query leaving waits for the answer.
	replyTime = 2 * time.Second
	// mostHeld bounds what is kept of a sequence; no answer is as long.
	mostHeld = 512
)

// ask notes the queries in what is written to the terminal, and returns what is
// to be written: without them once the terminal is given back.
func (r *replies) ask(output []byte, at time.Time) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, q := range queries {
		n := bytes.Count(output, []byte(q.ask))
		switch {
		case n == 0:
		case r.silent:
			output = bytes.ReplaceAll(output, []byte(q.ask), nil)
		default:
			r.open[i] += n
			r.asked = at
			if q.ask == probe {
				r.probed = at
			}
		}
	}
	return output
}

// Hush says whether nothing more is to be asked.
func (r *replies) Hush(silent bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.silent = silent
}

// answer notes an answer.
func (r *replies) answer(sequence []byte, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, q := range queries {
		if r.open[i] == 0 || !q.answer.Match(sequence) {
			continue
		}
		r.open[i]--
		if q.ask == probe && r.trips != nil {
			r.trips <- at.Sub(r.probed)
			r.trips = nil
		}
		if r.changed != nil {
			close(r.changed)
			r.changed = nil
		}
		return
	}
}

// due returns until when an answer may come, and what is closed when one does.
// The time is zero when no answer is waited for.
func (r *replies) due() (until time.Time, changed <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open == [len(queries)]int{} {
		return time.Time{}, nil
	}
	if r.changed == nil {
		r.changed = make(chan struct{})
	}
	return r.asked.Add(replyTime), r.changed
}

// join returns input with the sequence that the last input began and this one
// ends in one piece. A sequence without its end waits for it. What may be a key
// of its own, Escape above all, never waits: when the rest of an answer follows
// it after all, that is dropped.
func (r *replies) join(input []byte, at time.Time) []byte {
	if len(input) == 0 {
		return nil
	}
	gap := at.Sub(r.heard)
	switch {
	case gap > partTime:
		r.held, r.drop = nil, false
	case len(r.tail) > 0 && gap >= keyTime && len(input) > 1 && replyStart.MatchString(string(r.tail)+string(input)):
		// Input resumes an answer: a user cannot type two characters at once.
		r.held, r.drop = r.tail, true
	}
	r.heard, r.tail = at, nil
	started := len(r.held)
	b := append(r.held, input...)
	r.held = nil
	var out []byte
	for len(b) > 0 {
		plain := bytes.IndexByte(b, ansi.ESC)
		if plain < 0 {
			return append(out, b...)
		}
		out, b = append(out, b[:plain]...), b[plain:]
		n, end := sequence(b)
		switch {
		case end == unended && len(b) < 3:
			r.tail = bytes.Clone(b)
			return append(out, b...)
		case end == unended:
			r.hold(b)
			return out
		case started > 0 && (r.drop || end == broken):
		default:
			out = append(out, b[:n]...)
		}
		r.answer(b[:n], at)
		started, r.drop = 0, false
		b = b[n:]
	}
	return out
}

// hold keeps the start of a sequence. One that is longer than any answer is
// dropped, to its end.
func (r *replies) hold(b []byte) {
	if len(b) > mostHeld {
		b, r.drop = b[:mostHeld], true
	}
	r.held = bytes.Clone(b)
}

// replyStart is how the answers of terminals begin, and no key does.
var replyStart = regexp.MustCompile(`^\x1b(\[[?>][0-9]|\[[0-9;]+[Rnt]|\][0-9]+;|P[0-9>!]|_G)`)

// ending says how a sequence ends.
type ending uint8

const (
	ended   ending = iota // with its last byte
	unended               // not yet
	broken                // by a byte that cannot be part of it
)

// sequence returns the length of the control sequence at the start of b, which
// begins with ESC, and how it ends (ECMA-48, 5.4 and 8.3). Of strings only
// those that terminals answer with count; the others are keys with Alt.
func sequence(b []byte) (int, ending) {
	if len(b) == 1 {
		return 1, unended
	}
	switch b[1] {
	case ansi.ESC:
		return 1, ended
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				return i + 1, ended
			}
			if b[i] < 0x20 || b[i] > 0x3f {
				return i, broken
			}
		}
		return len(b), unended
	case ']', 'P', '_':
		if len(b) > 2 && !bytes.ContainsRune([]byte("0123456789>!G"), rune(b[2])) {
			return 2, ended
		}
		return stringSequence(b)
	}
	return 2, ended
}

// stringSequence is sequence for one that carries text to a terminator.
func stringSequence(b []byte) (int, ending) {
	for i := 2; i < len(b); i++ {
		switch c := b[i]; {
		case c == ansi.BEL:
			return i + 1, ended
		case c == ansi.ESC && i+1 == len(b):
			return len(b), unended
		case c == ansi.ESC && b[i+1] == '\\':
			return i + 2, ended
		case c < 0x20:
			return i, broken
		}
	}
	return len(b), unended
}
