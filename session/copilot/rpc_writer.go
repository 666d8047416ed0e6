package copilot

import (
	"errors"
	"io"
	"os"
	"sync"

	"parley/session"
)

// outboxLimit is how much may wait for a runtime that does not read. One
// message, however long, always may.
const outboxLimit = 64 << 20

// errNotReading is returned once as much waits as may.
var errNotReading = errors.New("the Copilot CLI has stopped reading what it is sent; end it and resume the session")

// outbox writes messages in a goroutine of its own, so that nobody who sends
// one waits for a runtime that does not read.
type outbox struct {
	w io.WriteCloser

	mu      sync.Mutex
	changed *sync.Cond
	waiting [][]byte
	limit   int   // of size: outboxLimit
	size    int   // of waiting and of what is being written
	err     error // why nothing is taken any more
}

// newOutbox starts to write to w. When that fails, broken is told once, and
// everything sent afterwards fails too. A panic of w is such a failure.
func newOutbox(w io.WriteCloser, broken func(error)) *outbox {
	o := &outbox{w: w, limit: outboxLimit}
	o.changed = sync.NewCond(&o.mu)
	go func() {
		if err := session.Guard(o.run); err != nil && o.fail(err) {
			broken(err)
		}
	}()
	return o
}

// send hands over one frame, which is kept.
func (o *outbox) send(frame []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.err != nil:
		return o.err
	case o.size > 0 && o.size+len(frame) > o.limit:
		return errNotReading
	}
	o.waiting = append(o.waiting, frame)
	o.size += len(frame)
	o.changed.Signal()
	return nil
}

// take waits for the next frame; nil means that the outbox was closed.
func (o *outbox) take() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.waiting) == 0 && o.err == nil {
		o.changed.Wait()
	}
	if o.err != nil {
		return nil
	}
	next := o.waiting[0]
	o.waiting = o.waiting[1:]
	return next
}

// run writes until the outbox is closed or its writer fails.
func (o *outbox) run() error {
	for next := o.take(); next != nil; next = o.take() {
		if _, err := o.w.Write(next); err != nil {
			return err
		}
		o.mu.Lock()
		o.size -= len(next)
		o.mu.Unlock()
	}
	return nil
}

// fail ends the outbox and reports whether it had not ended before.
func (o *outbox) fail(err error) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	first := o.err == nil
	if first {
		o.err, o.waiting = err, nil
		o.changed.Signal()
	}
	return first
}

// close drops what was not written and closes the writer, which ends a write
// that hangs.
func (o *outbox) close() error {
	o.fail(os.ErrClosed)
	return o.w.Close()
}
