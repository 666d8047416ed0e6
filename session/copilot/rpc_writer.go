package copilot

import (
	"errors"
	"io"
	"os"
	"sync"

	"parley/session"
)

// rpcWriterLimit is how much may wait for a runtime that does not read. One
// message, however long, always may.
const rpcWriterLimit = 64 << 20

// errNotReading is returned once as much waits as may.
var errNotReading = errors.New("the Copilot CLI has stopped reading what it is sent; end it and resume the session")

// rpcWriter writes messages in a goroutine of its own, so that no sender of
// one waits for a runtime that does not read.
type rpcWriter struct {
	w io.WriteCloser

	mu      sync.Mutex
	changed *sync.Cond
	waiting [][]byte
	limit   int   // of size: rpcWriterLimit
	size    int   // of waiting and of what is being written
	err     error // why nothing is taken any more
}

// newRPCWriter starts to write to w. When that fails, broken is called once, and
// everything sent afterwards fails too. A panic of w is such a failure.
func newRPCWriter(w io.WriteCloser, broken func(error)) *rpcWriter {
	o := &rpcWriter{w: w, limit: rpcWriterLimit}
	o.changed = sync.NewCond(&o.mu)
	go func() {
		if err := session.Guard(o.run); err != nil && o.fail(err) {
			broken(err)
		}
	}()
	return o
}

// send hands over one frame, which is kept.
func (o *rpcWriter) send(frame []byte) error {
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

// take waits for the next frame; nil means that it was closed.
func (o *rpcWriter) take() []byte {
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

// run writes until it is closed or its writer fails.
func (o *rpcWriter) run() error {
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

// fail ends writing and reports whether it had not ended before.
func (o *rpcWriter) fail(err error) bool {
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
func (o *rpcWriter) close() error {
	o.fail(os.ErrClosed)
	return o.w.Close()
}
