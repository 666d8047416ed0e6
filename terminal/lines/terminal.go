package lines

import (
	"io"
	"sync"
	"time"

	"parley/render/text"
)

// patience is how long what is to be said waits for a user who types.
const patience = 3 * time.Second

// Terminal says lines, and reads those of the user. While the user types nothing is said
// between their letters; if they stop in the middle of a line, what was to be said is, and
// then what they had typed.
type Terminal struct {
	out   io.Writer
	clock Clock
	echo  bool

	mu     sync.Mutex
	input  Input
	before uint64 // said when the line was begun
	said   uint64 // how many times something was said
	held   []string
	asked  uint64 // how many times something was to be said
	timed  bool   // release is called later
}

// Clock is the time of a terminal: what it is, and what is done later.
type Clock struct {
	Now   func() time.Time
	After func(d time.Duration, do func())
}

// Real is the clock of a program, which has the time from now.
func Real(now func() time.Time) Clock {
	return Clock{Now: now, After: func(d time.Duration, do func()) { time.AfterFunc(d, do) }}
}

// NewTerminal returns one that writes to out. It echoes what is typed where the terminal
// does not.
func NewTerminal(out io.Writer, echo bool, clock Clock) *Terminal {
	return &Terminal{out: out, echo: echo, clock: clock}
}

// Say says lines, which it makes safe, at once or as soon as the user does not type.
func (t *Terminal) Say(lines ...string) {
	if len(lines) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asked++
	for _, l := range lines {
		t.held = append(t.held, text.Sanitize(l))
	}
	t.release()
}

// Ring rings the bell.
func (t *Terminal) Ring() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.write("\a")
}

// Asked is the number of the last Say: Heard of a line that was begun after it was said is
// as high.
func (t *Terminal) Asked() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.asked
}

// Said is the number of the last Say that is on the terminal.
func (t *Terminal) Said() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.said
}

// release says what waits, unless the user types.
func (t *Terminal) release() {
	if len(t.held) == 0 {
		return
	}
	typed, last := t.input.Typing()
	if wait := patience - t.clock.Now().Sub(last); typed != "" && wait > 0 {
		if !t.timed {
			t.timed = true
			t.clock.After(wait, t.later)
		}
		return
	}
	if typed != "" {
		t.write("\n")
	}
	for _, line := range t.held {
		t.write(line + "\n")
	}
	t.held, t.said = nil, t.asked
	if typed != "" {
		t.write("You were typing: " + text.SanitizeLine(typed))
	}
}

// later is release once the user may have stopped.
func (t *Terminal) later() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timed = false
	t.release()
}

// write writes to the terminal. One that is gone ends the window by what is read of it.
func (t *Terminal) write(s string) { _, _ = io.WriteString(t.out, s) }

// Take takes a byte that the user typed. It returns the line that it ends, and the key that
// it is.
func (t *Terminal) Take(b byte) (*Line, Key) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if typed, _ := t.input.Typing(); typed == "" {
		t.before = t.said
	}
	echo, line, key := t.input.Read(b, t.clock.Now())
	if t.echo {
		t.write(echo)
	}
	if line != nil {
		line.Heard = t.before
	}
	if line != nil || key != NoKey {
		t.release()
	}
	return line, key
}

// Typed takes what the user types.
type Typed struct {
	Line  func(Line)
	Key   func(Key)
	Ended func() // there is no more, for the terminal is gone
}

// Read has what is read of in given to to, on a goroutine of its own, until it ends.
func (t *Terminal) Read(in io.Reader, to Typed) {
	go func() {
		defer to.Ended()
		buffer := make([]byte, 1<<10)
		for {
			n, err := in.Read(buffer)
			for _, b := range buffer[:n] {
				line, key := t.Take(b)
				if line != nil {
					to.Line(*line)
				}
				if key != NoKey {
					to.Key(key)
				}
			}
			if err != nil {
				return
			}
		}
	}()
}
