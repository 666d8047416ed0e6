package session

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// LineError says which line of a log could not be read. The lines after it are
// not affected.
type LineError struct {
	Line int // counted from 1
	Err  error
}

// Error implements error.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the cause.
func (e *LineError) Unwrap() error { return e.Err }

const byteOrderMark = "\uFEFF"

// ReadLog reads a stored log: JSON lines of any length, one event each (docs/protocol.md,
// section 9). It holds one line at a time. Blank lines are skipped; a
// line that is no event, such as one half written when a process died, is
// reported as a *LineError in its place, and reading continues. An error of r is
// the last thing yielded. With an error, the event is the zero Event.
func ReadLog(r io.Reader) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		var env envelope
		eachLine(r, func(line []byte, n int, err error) bool {
			if err != nil {
				return yield(Event{}, err)
			}
			ev := env.decode(line)
			if u, ok := ev.Body.(Unknown); ok && errors.Is(u.Reason, ErrEnvelope) {
				return yield(Event{}, &LineError{Line: n, Err: u.Reason})
			}
			return yield(ev, nil)
		})
	}
}

// ReadLines reads the lines of a stored log as they are, without their ends and
// the blank ones. A line is good until the next is asked for. An error of r is the
// last thing yielded.
func ReadLines(r io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		eachLine(r, func(line []byte, _ int, err error) bool { return yield(line, err) })
	}
}

// eachLine gives the lines of a log that are not blank to do, with their number,
// until that has enough.
func eachLine(r io.Reader, do func(line []byte, n int, err error) bool) {
	in := bufio.NewReaderSize(r, 64<<10)
	var buf []byte
	for n := 1; ; n++ {
		line, readErr := readLine(in, buf[:0])
		buf = line
		if readErr != nil && !errors.Is(readErr, io.EOF) {
			do(nil, n, fmt.Errorf("read line %d: %w", n, readErr))
			return
		}
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte(byteOrderMark))
		}
		if line = bytes.TrimSpace(line); len(line) > 0 && !do(line, n, nil) {
			return
		}
		if readErr != nil {
			return
		}
	}
}

// readLine appends to buf as far as the next line end, which it includes.
func readLine(in *bufio.Reader, buf []byte) ([]byte, error) {
	for {
		part, err := in.ReadSlice('\n')
		buf = append(buf, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return buf, err
		}
	}
}
