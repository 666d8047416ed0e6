package copilot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/creachadair/jrpc2"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// object is the parameters of a call.
type object = map[string]any

// optional adds a member to parameters unless it is empty.
func optional[T comparable](params object, member string, value T) {
	if value != *new(T) {
		params[member] = value
	}
}

// caller makes calls: those of a session, or of the runtime as a whole.
type caller interface {
	call(ctx context.Context, method string, params object, result any) error
}

// ask makes a call and returns one member of its result; the zero value if the
// result has none.
func ask[T any](ctx context.Context, c caller, method string, params object, member string) (T, error) {
	var result map[string]jsontext.Value
	var value T
	err := c.call(ctx, method, params, &result)
	if raw := result[member]; err == nil && raw != nil {
		if err = session.Unmarshal(raw, &value); err != nil {
			err = fmt.Errorf("read the answer to %s: %w", method, err)
		}
	}
	return value, err
}

// confirm makes a call whose result says in a member whether it had an effect. If it
// had none, that is the error otherwise.
func confirm(ctx context.Context, c caller, method string, params object, member, otherwise string) error {
	done, err := ask[bool](ctx, c, method, params, member)
	if err == nil && !done {
		err = errors.New(otherwise)
	}
	return err
}

// attempt adds to an error what was attempted; nil stays nil.
func attempt(err error, what string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(what, args...), err)
}

// put sets a key of a map that is made when it is needed.
func put[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}

// attach makes the connection to the runtime p.
func attach(ctx context.Context, cfg Config, p peer) (*Agent, error) {
	a := &Agent{
		cfg: cfg, peer: p, valve: newValve(),
		read: make(chan struct{}), down: make(chan struct{}),
		sessions: map[session.ID]*Session{}, claims: map[session.ID]io.Closer{},
		trusted: map[string]string{},
	}
	// What cannot be written to is of no use any more.
	a.out = newRPCWriter(p, func(err error) { a.guard(func() { a.leave(err) }) })
	a.client = jrpc2.NewClient(
		&rpcChannel{in: newFrames(p), out: a.out, deliver: a.deliver},
		&jrpc2.ClientOptions{OnCallback: refuseCallback, OnStop: a.disconnected},
	)
	go a.watch()
	if err := a.connect(ctx); err != nil {
		_ = a.Close(ctx)
		return nil, err
	}
	return a, nil
}

// disconnected is called once, when the connection has ended.
func (a *Agent) disconnected(_ *jrpc2.Client, err error) {
	a.mu.Lock()
	if a.wire == nil {
		a.wire = err
	}
	a.mu.Unlock()
	close(a.read)
	a.guard(func() { a.leave(err) })
}

// call makes one request and decodes the result, which may be nil. It returns
// when ctx ends, or the runtime has had its time (see patience), whatever that does.
func (a *Agent) call(ctx context.Context, method string, params object, result any) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: %w", method, err) // it would be sent all the same
	}
	defer a.valve.call()()
	return a.request(ctx, method, params, result)
}

// request is call without the right of way (see valve): its answer can wait
// until somebody has read the events before it.
func (a *Agent) request(ctx context.Context, method string, params object, result any) error {
	raw, err := jsonv2.Marshal(params)
	if err != nil {
		return fmt.Errorf("encode %s: %w", method, err)
	}
	if d, bounded := patience(method); bounded {
		limited, cancel := within(ctx, d)
		defer cancel()
		ctx = limited
	}
	rsp, err := a.client.Call(ctx, method, json.RawMessage(raw))
	if err != nil {
		return a.failed(ctx, method, err)
	}
	if result == nil {
		return nil
	}
	if err := rsp.UnmarshalResult(&uncopied{result}); err != nil {
		return fmt.Errorf("read the answer to %s: %w", method, err)
	}
	return nil
}

// uncopied decodes a result where it is: the client has no other way to it that makes no
// copy, and a history may be of a hundred megabytes.
type uncopied struct{ into any }

// UnmarshalJSON implements json.Unmarshaler.
func (u *uncopied) UnmarshalJSON(text []byte) error { return session.Unmarshal(text, u.into) }

// callError is a call that the runtime answered with an error.
type callError struct {
	code    jrpc2.Code
	message string
}

// Error implements error. The code says nothing to a user: nearly every
// failure has the same one (docs/protocol.md, section 2).
func (e *callError) Error() string { return e.message }

// failed turns the error of a call into one to show. The runtime repeats the
// method in its messages.
func (a *Agent) failed(ctx context.Context, method string, err error) error {
	stopped := a.client.IsStopped() // then the client makes up an internal error
	var e *jrpc2.Error
	if errors.As(err, &e) && (!stopped || e.Code != jrpc2.InternalError) {
		return &callError{e.Code, strings.TrimPrefix(e.Message, "Request "+method+" failed with message: ")}
	}
	late := silence(0)
	switch {
	case errors.Is(err, errNotReading):
		return err
	case stopped || !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled):
		return kindedf(session.ErrUnanswered, "the connection to the Copilot CLI has ended: %w", ErrClosed)
	case errors.As(context.Cause(ctx), &late):
		return late
	}
	return kindedf(session.ErrUnanswered, "the Copilot CLI has not answered %s: %w", method, err)
}

// deliver routes one event. Events of sessions we do not hold are dropped.
func (a *Agent) deliver(id session.ID, event jsontext.Value) {
	a.mu.Lock()
	s := a.sessions[id]
	a.mu.Unlock()
	if s != nil {
		s.receive(event)
	}
}

// explained explains why a session cannot be resumed: it is not there, or the runtime does not
// accept what is. The runtime writes a new one down some hundred milliseconds after its first prompt only.
func explained(err error) error {
	var failed *callError
	if !errors.As(err, &failed) {
		return err
	}
	switch said := func(what string) bool { return strings.Contains(failed.message, what) }; {
	case said("Session file is corrupted"):
		return fmt.Errorf("%w: %w", session.ErrDamaged, err)
	case slices.ContainsFunc([]string{"Session not found", "Session file not found", "no persisted or in-memory events"}, said):
		return fmt.Errorf("%w: it was deleted, its runtime was killed before it had written anything down, "+
			"or it is kept in another COPILOT_HOME; start a new one", session.ErrNotStored)
	}
	return err
}
