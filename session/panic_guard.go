package session

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// PanicError is what a panic becomes: the error of whatever ended because of a
// mistake in the program.
type PanicError struct {
	Value any    // what the panic said; may be anything, also hostile
	Stack []byte // where it was, for whoever reports the mistake
}

// Error implements error.
func (p *PanicError) Error() string { return fmt.Sprintf("the program panicked: %v", p.Value) }

// Guard returns what f does, or a *PanicError if f panics. A goroutine that is
// not guarded ends the process with its panic, and leaves the terminal and the
// processes under it as they are. A panic with a PanicError, or an error around
// one, was caught elsewhere and raised again: it keeps its stack.
func Guard(f func() error) (err error) {
	defer func() {
		value := recover()
		if value == nil {
			return
		}
		var earlier *PanicError
		if before, ok := value.(error); ok && errors.As(before, &earlier) {
			err = before
			return
		}
		err = &PanicError{value, debug.Stack()}
	}()
	return f()
}
