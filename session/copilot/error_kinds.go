package copilot

import (
	"errors"
	"fmt"
)

// The kinds of errors by which a runtime cannot be used, or ends. The errors
// themselves say more: what is the matter with it, and what to do.
var (
	// ErrProtocol is wrapped when it speaks another version of the protocol.
	ErrProtocol = errors.New("the Copilot CLI speaks another version of the protocol")
	// ErrVersion is wrapped when it is too old to be driven at all.
	ErrVersion = errors.New("the Copilot CLI is too old")
	// ErrToken is wrapped when it wants a connection token, another one, or
	// none.
	ErrToken = errors.New("the Copilot CLI refuses the connection token")
	// ErrGarbled is wrapped when what it sends is not the protocol.
	ErrGarbled = errors.New("the Copilot CLI sends what is not the protocol")
	// ErrEnded is wrapped when it has ended, or closed the connection. Where it
	// is known how its process has ended, that is wrapped too.
	ErrEnded = errors.New("the Copilot CLI has ended")
)

// kinded is an error of one of these kinds, which its words do not repeat.
type kinded struct {
	error
	kind error
}

// kindedf is fmt.Errorf for an error of a kind.
func kindedf(kind error, format string, args ...any) error {
	return kinded{fmt.Errorf(format, args...), kind}
}

// Unwrap returns the kind and the error itself.
func (k kinded) Unwrap() []error { return []error{k.kind, k.error} }

// remark is the cause of an end, in brackets behind the words for it; without a
// cause it is "".
type remark struct{ cause error }

// Error implements error.
func (r remark) Error() string {
	if r.cause == nil {
		return ""
	}
	return " (" + r.cause.Error() + ")"
}

// Unwrap returns the cause.
func (r remark) Unwrap() error { return r.cause }
