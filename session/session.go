package session

import (
	"context"
	"errors"
)

// FolderError is that the folder in which an agent is to work does not exist.
type FolderError struct{ Dir string }

// Error implements error.
func (e *FolderError) Error() string { return "the folder " + e.Dir + " does not exist any more" }

// ErrUnanswered is wrapped by the error of a call that the agent did not answer: in
// time, or before it ended. It may have done what it was asked for, or do it later.
var ErrUnanswered = errors.New("the agent did not answer")

// ErrSignedOut is wrapped by the end of a session whose agent wants the user to sign in.
var ErrSignedOut = errors.New("not signed in")

// ErrNotStored is wrapped by the error of resuming a session of which nothing is stored:
// it cannot be resumed later either.
var ErrNotStored = errors.New("nothing of it is stored")

// ErrDamaged is wrapped by the error of resuming a session whose stored log the agent does
// not accept. It can be read.
var ErrDamaged = errors.New("its log is damaged")

// Agent is a program that can hold sessions: the Copilot CLI runtime, the
// embedded demo, a replayed log. One Agent serves one window (docs/decisions.md 13).
type Agent interface {
	// Open starts a new session.
	Open(ctx context.Context, o Options) (Session, error)
	// Resume continues a stored session. Its history arrives first on
	// Events, marked Replayed, then live events follow.
	Resume(ctx context.Context, id ID, o Options) (Session, error)
	// Close ends every session and the agent itself, gracefully if ctx
	// allows it. Nothing that is still asked is ever approved by it.
	Close(ctx context.Context) error
}

// Options are what a session starts with. Zero values leave the choice to the
// agent; on Resume they leave what the session had.
type Options struct {
	Model string
	Mode  Mode
	// Dir is the absolute working directory.
	Dir string
}

// Session is one conversation with an agent. Its methods may be called from
// any goroutine; none of them is called from the user interface's own.
type Session interface {
	Info() Info
	// Events delivers every event of the session in order, none dropped. The
	// sender blocks while the reader is slow. It is closed when the session
	// ends; Wait then says why.
	Events() <-chan Event
	// Send hands over what the user wrote. It returns when the agent has
	// taken it, not when it was processed: that is a user.message event. An
	// agent has a bounded time to take it; then it is ErrUnanswered.
	Send(ctx context.Context, in Input) error
	// Respond answers a question. Answering one that is already resolved is
	// ErrResolved and changes nothing.
	Respond(ctx context.Context, a Answer) error
	// Abort stops the running turn and keeps the session.
	Abort(ctx context.Context) error
	// Wait blocks until the session has ended. Nil means it was closed on
	// purpose.
	Wait() error
	// Close leaves the session so that it can be resumed later.
	Close(ctx context.Context) error
}

// Info is what is known of a session when it is opened; events change it
// afterwards.
type Info struct {
	ID    ID
	Agent string // who answers, such as "Copilot CLI 1.0.102" or "demo"
	Model string
	Mode  Mode
	Dir   string
	// Demo is true when nothing behind the session is a real model.
	Demo bool
	// InUse is true when another process has this session open.
	InUse bool
	// Remote is true when the agent is not this program's child: it continues
	// when the window has left it.
	Remote bool
	// ReadOnly is true when the session is a past one that is only read: it takes
	// no prompts and no answers.
	ReadOnly bool
}

// Mode is how much an agent does by itself (user.message agentMode).
type Mode string

// The modes of the runtime (user.message agentMode).
const (
	Interactive Mode = "interactive"
	Plan        Mode = "plan"
	Autopilot   Mode = "autopilot"
	Shell       Mode = "shell" // a label of single messages, never a session's mode
)

// Input is one prompt.
type Input struct {
	Prompt      string
	Display     string // shown instead of Prompt in the timeline; "" shows Prompt
	Attachments []Attachment
	Delivery    Delivery
	Mode        Mode // for this message only; "" is the session's
}

// Delivery says when a prompt sent during a turn reaches the model.
type Delivery string

// The two deliveries of session.send.
const (
	Enqueue   Delivery = "enqueue"   // after the running turn
	Immediate Delivery = "immediate" // steers the running turn
)

// ModeSetter is a Session whose mode can be changed.
type ModeSetter interface {
	SetMode(ctx context.Context, m Mode) error
}

// Compacter is a Session whose history can be summarised on request. Compact
// returns when the summary replaced the history or failed; the compaction
// events report the rest.
type Compacter interface {
	Compact(ctx context.Context, instructions string) error
}

// Decorator is a Session or an Agent around another one. It may have methods of
// optional capabilities, such as ModeSetter; they are used only if the inner one
// has them too.
type Decorator interface{ Inner() any }

// As returns v, a Session or an Agent, as the capability T, an interface such
// as ModeSetter; ok is false if v, or what it decorates, has it not.
func As[T any](v any) (capability T, ok bool) {
	d, decorates := v.(Decorator)
	if !decorates {
		capability, ok = v.(T)
		return capability, ok
	}
	if capability, ok = As[T](d.Inner()); !ok {
		return capability, false
	}
	if own, has := v.(T); has {
		return own, true
	}
	return capability, true
}
