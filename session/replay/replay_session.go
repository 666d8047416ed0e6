package replay

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"parley/session"
	"parley/session/local"
)

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
	*player
	cfg  Config
	name string
	wake chan struct{} // there is something in remarks

	playing context.Context // cancelled by Abort, and by Close
	stop    context.CancelFunc

	// Of run alone.
	last time.Time // of the log's latest event with a time
	due  time.Time // when it had to be played
	turn string    // that has begun and not ended; "" is none
	busy bool      // the log did not say that the agent is idle

	mu       sync.Mutex
	over     bool // the log has been played, or Abort was called
	open     map[session.RequestID]*question
	remarked bool           // on answers that have no effect
	remarks  []session.Body // of Respond, to be said next
}

// question is one that the log has not settled yet.
type question struct {
	ask      session.Ask
	agent    session.AgentID
	answered bool // its card was closed by an answer
}

var _ session.Session = (*Session)(nil)

// Send implements session.Session. It always fails.
func (s *Session) Send(context.Context, session.Input) error {
	if s.Life.Err() != nil {
		return fmt.Errorf("send a prompt: %w", local.ErrClosed)
	}
	return ErrNoPrompts
}

// Abort implements session.Session: it stops the playing for good, with the
// events of a turn that is interrupted. When nothing plays it reports nothing.
func (s *Session) Abort(context.Context) error {
	if s.Life.Err() != nil {
		return fmt.Errorf("stop the replay: %w", local.ErrClosed)
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
	if s.Life.Err() != nil {
		return fmt.Errorf("answer %s: %w", a.Request(), local.ErrClosed)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	q := s.open[a.Request()]
	if q == nil || q.answered {
		return fmt.Errorf("answer %s: %w", a.Request(), session.ErrResolved)
	}
	q.answered = true
	if _, refusal := a.(session.Refusal); !refusal && !s.remarked {
		s.remarked = true
		s.remarks = append(s.remarks, session.SessionInfo{
			InfoType: "replay",
			Message:  "This is a replay: your answer closed the card and changed nothing. What follows is what the log holds.",
		})
		local.TrySignal(s.wake)
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
