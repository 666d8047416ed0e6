package replay

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"parley/session"
)

// ahead is how many events the reader may leave untaken before the replay
// waits for it.
const ahead = 64

// Session is one playing of a log. It implements session.Session and none of
// the optional interfaces.
//
// Its events are those of the log in their order, without the runtime's noise
// and not marked as replayed, so that they are shown as they were lived
// through. With a speed, an event has the time at which it is played, so that
// what is running counts from its start; at once, it keeps the log's. A line
// that is no event is a session.warning in its place. At the end of the log
// what was left open is settled, a session.idle follows if the log did not end
// idle, and the session stays until it is closed.
type Session struct {
	cfg    Config
	name   string
	info   session.Info
	log    *log
	events chan session.Event
	wake   chan struct{} // there is something in remarks

	// ending is cancelled by Close; playing, below it, by Abort.
	ending, playing context.Context
	end, stop       context.CancelFunc
	done            chan struct{} // closed when run has ended
	err             error         // of a panic, or of closing the log; set before done is closed

	// Of run alone.
	last time.Time // of the log's latest event with a time
	due  time.Time // when it had to be played
	made int       // events of the replay's own
	turn string    // that has begun and not ended; "" is none
	busy bool      // the log did not say that the agent is idle

	mu      sync.Mutex
	over    bool // the log has been played, or Abort was called
	open    map[session.RequestID]*question
	told    bool           // that answers have no effect
	remarks []session.Body // of Respond, to be said next
}

// question is one that the log has not settled yet.
type question struct {
	ask      session.Ask
	agent    session.AgentID
	answered bool // its card was closed by an answer
}

var _ session.Session = (*Session)(nil)

// Info implements session.Session.
func (s *Session) Info() session.Info { return s.info }

// Events implements session.Session. What was not taken when the session is
// closed may be lost.
func (s *Session) Events() <-chan session.Event { return s.events }

// Wait implements session.Session.
func (s *Session) Wait() error {
	<-s.done
	return s.err
}

// Close implements session.Session.
func (s *Session) Close(ctx context.Context) error {
	s.end()
	select {
	case <-s.done:
		return s.err
	case <-ctx.Done():
		return fmt.Errorf("close a replay: %w", ctx.Err())
	}
}

// Send implements session.Session. It always fails.
func (s *Session) Send(context.Context, session.Input) error {
	if s.ending.Err() != nil {
		return fmt.Errorf("send a prompt: %w", ErrClosed)
	}
	return ErrNoPrompts
}

// Abort implements session.Session: it stops the playing for good, with the
// events of a turn that is interrupted. When nothing plays it reports nothing.
func (s *Session) Abort(context.Context) error {
	if s.ending.Err() != nil {
		return fmt.Errorf("stop the replay: %w", ErrClosed)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		s.over = true
		s.stop()
	}
	return nil
}

// Respond implements session.Session. The first answer to a question that the
// log has not settled yet is taken and has no effect: the log reports how the
// question ended. The first time a user tries, a session.info says so.
func (s *Session) Respond(_ context.Context, a session.Answer) error {
	if s.ending.Err() != nil {
		return fmt.Errorf("answer %s: %w", a.Request(), ErrClosed)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.open[a.Request()]
	if q == nil || q.answered {
		return fmt.Errorf("answer %s: %w", a.Request(), session.ErrResolved)
	}
	q.answered = true
	if _, refusal := a.(session.Refusal); !refusal && !s.told {
		s.told = true
		s.remarks = append(s.remarks, session.SessionInfo{
			InfoType: "replay",
			Message:  "This is a replay: your answer closed the card and changed nothing. What follows is what the log holds.",
		})
		session.TrySignal(s.wake)
	}
	return nil
}

// follow keeps track of what a log leaves open, before ev is played.
func (s *Session) follow(ev session.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch b := ev.Body.(type) {
	case session.Ask:
		s.open[b.Request()] = &question{ask: b, agent: ev.Agent}
	case session.Resolved:
		delete(s.open, b.Resolves())
	}
	if ev.Agent != "" {
		return
	}
	switch b := ev.Body.(type) {
	case session.UserMessage, session.ToolExecutionStart, session.PermissionRequested, session.SessionCompactionStart:
		s.busy = true
	case session.AssistantTurnStart:
		s.busy, s.turn = true, b.TurnID
	case session.AssistantTurnEnd:
		s.turn = ""
	case session.Abort:
		clear(s.open)
	case session.SessionIdle, session.SessionShutdown:
		s.busy, s.turn = false, ""
		clear(s.open)
	}
}

// left ends the questions that are open, and returns what says so, in the
// order of their ids.
func (s *Session) left() []session.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	var events []session.Event
	for _, id := range slices.Sorted(maps.Keys(s.open)) {
		q := s.open[id]
		if b := q.ask.Withdrawn(unsettled); b != nil {
			events = append(events, session.Event{Agent: q.agent, Ephemeral: true, Body: b})
		}
	}
	clear(s.open)
	s.over = true
	return events
}

// unsettled is why a question is withdrawn.
const unsettled = "The replay ended before the log settled it"
