package headless

import (
	"errors"
	"os"
	"syscall"
	"time"

	"parley/cli/process"
	"parley/render/text"
	"parley/session"
)

const (
	// outputQueue is how many pieces of output may wait for their reader. Then
	// the turn reads no more events, so that the agent waits as well.
	outputQueue = 64
	// outputGrace is how long a turn that is left at once waits for what is
	// still to be written.
	outputGrace = 250 * time.Millisecond
)

// outputError is the failure to write something.
type outputError struct{ error }

// Unwrap returns the cause.
func (e outputError) Unwrap() error { return e.error }

// writer writes to the standard output and the standard error in order, beside
// the loop of a turn: whoever reads them may be slow, or not read at all.
type writer struct {
	queue  chan func() error
	failed chan error    // the first failure; nothing is written after it
	done   chan struct{} // closed when the queue was closed and is written
}

func newWriter() *writer {
	o := &writer{queue: make(chan func() error, outputQueue), failed: make(chan error, 1), done: make(chan struct{})}
	go o.run()
	return o
}

func (o *writer) run() {
	defer close(o.done)
	var failure error
	for write := range o.queue {
		if failure != nil {
			continue
		}
		if failure = session.Guard(write); failure != nil {
			o.failed <- outputError{failure}
		}
	}
}

// put has something written after what is to be written already.
func (t *turn) put(write func() error) { t.backlog = append(t.backlog, write) }

// say has a line of Parley's own written to the standard error.
func (t *turn) say(format string, args ...any) {
	t.put(func() error { t.activity.say(format, args...); return nil })
}

// flush waits until everything is written. A signal ends that, and where the
// turn is left at once it does not take long.
func (t *turn) flush() error {
	var hurry <-chan time.Time
	if t.hurried {
		hurry = t.after(outputGrace)
	}
	// err is an unexpected end of it; nil continues.
	wait := func(queue chan<- func() error, next func() error, done <-chan struct{}) (over bool, err error) {
		select {
		case queue <- next:
			return false, nil
		case <-done:
		case err = <-t.output.failed:
		case s := <-t.signals:
			t.hurried, err = true, ended(s)
		case <-hurry:
		}
		return true, err
	}
	for _, write := range t.backlog {
		if over, err := wait(t.output.queue, write, nil); over {
			return err
		}
	}
	close(t.output.queue)
	if _, err := wait(nil, nil, t.output.done); err != nil {
		return err
	}
	select {
	case err := <-t.output.failed:
		return err
	default:
		return nil
	}
}

// settle is how a turn ends that the loop has ended with err. Whoever read the
// writer may have had enough, as of any program; that is no failure to report.
func (t *turn) settle(err error) error {
	if err == nil && t.errors > 0 {
		t.say("the answer is complete, but the agent reported %s", text.Count(t.errors, "error"))
	}
	var failed outputError
	if ferr := t.flush(); ferr != nil && !errors.As(err, &failed) {
		err = ferr
	}
	if errors.As(err, &failed) && errors.Is(err, syscall.EPIPE) {
		return process.SignalError{Signal: syscall.SIGPIPE}
	}
	return err
}

// ended is the error of a process that a signal ends.
func ended(s os.Signal) error {
	if number, ok := s.(syscall.Signal); ok {
		return process.SignalError{Signal: number}
	}
	return errors.New("ended by " + s.String())
}
