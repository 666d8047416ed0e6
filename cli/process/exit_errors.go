package process

import "errors"

// ErrSilent ends a command with ExitFailure and without a message: the exit code is
// the answer, as grep's is.
var ErrSilent = errors.New("the exit code is the answer")

// failure is an error of a command that was understood. Every other error of
// the command line is one of usage.
type failure struct{ error }

// Unwrap returns the cause.
func (f failure) Unwrap() error { return f.error }

// Fail marks an error as a failure.
func Fail(err error) error {
	if err == nil {
		return nil
	}
	return failure{err}
}
