package headless

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"parley/session"
)

// scriptedLimit is how many events a scriptedSession holds for its reader.
// Pushing more blocks, as any backend does.
const scriptedLimit = 1 << 16

// errScriptedEnded is returned by calls on a scriptedSession that has ended.
var errScriptedEnded = errors.New("the scripted session has ended")

// scriptedAgent is an agent in memory that a test plays itself: it pushes the events
// and looks at what was sent, answered and aborted. It starts no goroutine, so
// that events are there to be read as soon as they were pushed. Ids and times
// are the same in every run.
type scriptedAgent struct {
	// OnOpen is called with every session that is opened or resumed, before
	// its user gets it. It may set the session's hooks and push events.
	OnOpen func(*scriptedSession)

	mu       sync.Mutex
	sessions []*scriptedSession
	stored   map[session.ID]*scriptedLog
	closed   bool
}

// scriptedLog is what is stored of a session.
type scriptedLog struct {
	events []session.Event // not the ephemeral ones
	count  int             // of all events, for ids and times
}

var (
	_ session.Agent  = (*scriptedAgent)(nil)
	_ session.Latest = (*scriptedAgent)(nil)
)

// newScripted returns an agent without sessions.
func newScripted() *scriptedAgent { return &scriptedAgent{stored: map[session.ID]*scriptedLog{}} }

// Open implements session.Agent.
func (a *scriptedAgent) Open(_ context.Context, o session.Options) (session.Session, error) {
	a.mu.Lock()
	if a.closed {
		a.mu.Unlock()
		return nil, errScriptedEnded
	}
	id := session.ID(fmt.Sprintf("scripted-%d", len(a.stored)+1))
	log := &scriptedLog{}
	a.stored[id] = log
	a.mu.Unlock()
	return a.start(id, o, log), nil
}

// Resume implements session.Agent. The history is what was pushed and is not
// ephemeral.
func (a *scriptedAgent) Resume(_ context.Context, id session.ID, o session.Options) (session.Session, error) {
	a.mu.Lock()
	log, known := a.stored[id]
	open := slices.ContainsFunc(a.sessions, func(s *scriptedSession) bool { return s.info.ID == id && !s.ended() })
	a.mu.Unlock()
	switch {
	case !known:
		return nil, fmt.Errorf("resume session %s: no such session", id)
	case open:
		return nil, fmt.Errorf("resume session %s: it is open already", id)
	}
	return a.start(id, o, log), nil
}

func (a *scriptedAgent) start(id session.ID, o session.Options, log *scriptedLog) *scriptedSession {
	mode := o.Mode
	if mode == "" {
		mode = session.Interactive
	}
	s := &scriptedSession{
		info:   session.Info{ID: id, Agent: "scripted", Model: o.Model, Mode: mode, Dir: o.Dir, Demo: true},
		events: make(chan session.Event, scriptedLimit),
		done:   make(chan struct{}),
		open:   map[session.RequestID]session.Ask{},
		log:    log,
	}
	for _, ev := range log.events {
		ev.Replayed = true
		s.events <- ev
	}
	a.mu.Lock()
	a.sessions = append(a.sessions, s)
	a.mu.Unlock()
	if a.OnOpen != nil {
		a.OnOpen(s)
	}
	return s
}

// Sessions returns every session that was opened or resumed, in that order.
func (a *scriptedAgent) Sessions() []*scriptedSession {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.sessions)
}

// LatestID implements session.Latest: the session opened or resumed last in dir.
func (a *scriptedAgent) LatestID(_ context.Context, dir string, _ ...session.ID) (session.ID, error) {
	for _, s := range slices.Backward(a.Sessions()) {
		if s.info.Dir == dir {
			return s.info.ID, nil
		}
	}
	return "", nil
}

// Close implements session.Agent.
func (a *scriptedAgent) Close(ctx context.Context) error {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	for _, s := range a.Sessions() {
		_ = s.Close(ctx) // it cannot fail
	}
	return nil
}

// scriptedSession is one session of a scriptedAgent, without optional capabilities.
// Its fields are set before it is used.
type scriptedSession struct {
	// OnSend plays the agent when a prompt came; nil only records it.
	OnSend func(in session.Input)
	// OnAnswer plays the agent after a question was settled; nil does nothing.
	OnAnswer func(a session.Answer)

	info   session.Info
	events chan session.Event
	done   chan struct{}
	err    error

	mu      sync.Mutex
	over    bool
	log     *scriptedLog // of this session alone while it is open
	parent  session.EventID
	open    map[session.RequestID]session.Ask
	inputs  []session.Input
	answers []session.Answer
	aborts  int
}

var _ session.Session = (*scriptedSession)(nil)

// Push appends events of the root agent that are stored.
func (s *scriptedSession) Push(bodies ...session.Body) {
	for _, b := range bodies {
		s.PushEvent(session.Event{Body: b})
	}
}

// Stream appends ephemeral events of the root agent.
func (s *scriptedSession) Stream(bodies ...session.Body) {
	for _, b := range bodies {
		s.PushEvent(session.Event{Ephemeral: true, Body: b})
	}
}

// PushEvent appends an event. What it lacks of id, parent and time is filled
// in; each comes a second after the one before. After the end it does nothing.
func (s *scriptedSession) PushEvent(ev session.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	s.log.count++
	if ev.ID == "" {
		ev.ID = session.EventID(fmt.Sprintf("%s-e%d", s.info.ID, s.log.count))
	}
	if ev.Parent == "" {
		ev.Parent = s.parent
	}
	if ev.Time.IsZero() {
		ev.Time = time.Date(2026, 1, 2, 10, 0, s.log.count, 0, time.UTC)
	}
	if !ev.Ephemeral {
		s.parent = ev.ID
		s.log.events = append(s.log.events, ev)
	}
	switch b := ev.Body.(type) {
	case session.Ask:
		s.open[b.Request()] = b
	case session.Resolved:
		delete(s.open, b.Resolves())
	case session.Abort:
		clear(s.open)
	}
	s.events <- ev
}

// End ends the session as if the agent had: nil on purpose, otherwise why.
func (s *scriptedSession) End(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	s.over, s.err = true, err
	clear(s.open)
	close(s.events)
	close(s.done)
}

func (s *scriptedSession) ended() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// Inputs returns what was sent.
func (s *scriptedSession) Inputs() []session.Input {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.inputs)
}

// Answers returns the answers that settled something.
func (s *scriptedSession) Answers() []session.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.answers)
}

// Aborts counts the calls of Abort.
func (s *scriptedSession) Aborts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.aborts
}
