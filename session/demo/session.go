package demo

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/google/uuid"

	"parley/session"
)

// Session is one session of the demo. It implements session.Session and the
// optional interfaces ModeSetter, ModelSetter, Compacter, Queuer and
// GrantKeeper.
//
// One goroutine, run, does all that takes time, and another hands its events to
// the reader. The methods change what waits for run, or answer or stop what it
// does, and wait for neither.
type Session struct {
	cfg     Config
	info    session.Info
	scratch string
	out     *outbox
	wake    chan struct{} // something waits

	// ending is cancelled by Close, and by a panic, and stops everything.
	ending     context.Context
	cancel     context.CancelFunc
	delivering sync.WaitGroup
	done       chan struct{} // closed when run has ended
	err        error         // of a panic or the clean-up; set before done is closed

	mu       sync.Mutex
	crash    error // of a goroutine: the first panic
	mode     session.Mode
	model    string
	waiting  []work // in order
	steering []work
	stop     context.CancelFunc // stops what runs; nil: nothing does
	asks     map[session.RequestID]*ask
	granted  map[grant]bool // for the session
	tokens   int            // of the conversation, roughly
	messages int
}

// work is something for run to do: a prompt, or a compaction.
type work struct {
	id      session.MessageID
	in      session.Input
	compact *compaction
}

var (
	_ session.Session     = (*Session)(nil)
	_ session.ModeSetter  = (*Session)(nil)
	_ session.ModelSetter = (*Session)(nil)
	_ session.Compacter   = (*Session)(nil)
	_ session.Queuer      = (*Session)(nil)
	_ session.GrantKeeper = (*Session)(nil)
)

func newSession(ctx context.Context, cfg Config, scratch string, info session.Info) *Session {
	s := &Session{
		cfg: cfg, info: info, scratch: scratch, mode: info.Mode, model: info.Model,
		out: newOutbox(cfg.Now), wake: make(chan struct{}, 1), done: make(chan struct{}),
		asks: map[session.RequestID]*ask{}, granted: map[grant]bool{},
	}
	s.ending, s.cancel = context.WithCancel(ctx)
	return s
}

// Info implements session.Session.
func (s *Session) Info() session.Info { return s.info }

// Events implements session.Session. What a reader that has stopped reading
// has not taken when the session is closed is lost.
func (s *Session) Events() <-chan session.Event { return s.out.events }

// Wait implements session.Session.
func (s *Session) Wait() error {
	<-s.done
	return s.err
}

// Close implements session.Session. The session cannot be resumed; its scratch
// folder is removed.
func (s *Session) Close(ctx context.Context) error {
	s.cancel()
	select {
	case <-s.done:
		return s.err
	case <-ctx.Done():
		return fmt.Errorf("close a demo session: %w", ctx.Err())
	}
}

// Send implements session.Session.
func (s *Session) Send(_ context.Context, in session.Input) error {
	w := work{id: session.MessageID(uuid.NewString()), in: in}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending.Err() != nil {
		return fmt.Errorf("send a prompt: %w", ErrClosed)
	}
	if in.Delivery == session.Immediate && s.stop != nil {
		s.steering = append(s.steering, w)
	} else {
		s.waiting = append(s.waiting, w)
	}
	s.out.put(session.PendingMessagesModified{})
	nudge(s.wake)
	return nil
}

// Pending implements session.Queuer.
func (s *Session) Pending(context.Context) ([]session.Pending, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var pending []session.Pending
	for _, w := range s.steering {
		pending = append(pending, session.Pending{ID: string(w.id), Text: w.content(), Steering: true})
	}
	for _, w := range s.waiting {
		if w.compact == nil {
			pending = append(pending, session.Pending{ID: string(w.id), Text: w.content()})
		}
	}
	return pending, nil
}

// Abort implements session.Session. As in the runtime it also empties the
// queue, and tells nothing when nothing runs.
func (s *Session) Abort(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending.Err() != nil {
		return fmt.Errorf("abort the turn: %w", ErrClosed)
	}
	if s.stop != nil {
		s.stop()
	} else if len(s.waiting) > 0 {
		s.out.put(session.PendingMessagesModified{})
	}
	s.clear()
	return nil
}

// clear empties the queue. The caller holds mu.
func (s *Session) clear() {
	for _, w := range s.waiting {
		if w.compact != nil {
			w.compact.done <- errCompactionCancelled
		}
	}
	s.waiting, s.steering = nil, nil
}

// SetMode implements session.ModeSetter. The demo does nothing by itself in any
// mode; it only shows that the mode has changed.
func (s *Session) SetMode(_ context.Context, m session.Mode) error {
	if m != session.Interactive && m != session.Plan && m != session.Autopilot {
		return fmt.Errorf("set the mode: there is no mode %q; the modes are interactive, plan and autopilot", m)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mode != m {
		s.out.put(session.SessionModeChanged{PreviousMode: s.mode, NewMode: m})
		s.mode = m
	}
	return nil
}

// Models implements session.ModelSetter.
func (s *Session) Models(context.Context) ([]session.Model, error) {
	return []session.Model{{ID: Fast, Name: "Demo, fast"}, {ID: Slow, Name: "Demo, slow"}}, nil
}

// SetModel implements session.ModelSetter.
func (s *Session) SetModel(_ context.Context, id, _ string) error {
	if id != Fast && id != Slow {
		return fmt.Errorf("set the model: the demo has no model %q; its models are %s and %s", id, Fast, Slow)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.model != id {
		s.out.put(session.SessionModelChange{NewModel: id, PreviousModel: s.model, Source: "sdk"})
		s.model = id
	}
	return nil
}

// content is what is shown of a prompt.
func (w work) content() string {
	if w.in.Display != "" {
		return w.in.Display
	}
	return w.in.Prompt
}

// guard runs what a goroutine does. With a panic in it the session ends.
func (s *Session) guard(f func()) {
	if err := session.Guard(func() error { f(); return nil }); err != nil {
		s.mu.Lock()
		if s.crash == nil {
			s.crash = err
		}
		s.mu.Unlock()
		s.cancel()
	}
}

// live runs the session and leaves nothing behind.
func (s *Session) live() {
	defer close(s.done)
	s.guard(func() {
		s.run()
		s.out.put(session.SessionShutdown{ShutdownType: "routine"})
	})
	s.delivering.Wait()
	s.out.finish()
	if err := removeScratch(s.scratch); err != nil {
		s.err = fmt.Errorf("remove the demo's scratch folder: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.crash != nil {
		s.err = errors.Join(fmt.Errorf("the demo has ended: %w; start a new session", s.crash), s.err)
	}
}
