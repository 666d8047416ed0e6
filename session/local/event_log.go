package local

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"parley/session"
	"parley/session/modelview"
)

// How many events a session is ahead of its reader before Stream waits, and how
// many a reader can still take when the session has ended.
const (
	ahead  = 64
	unread = 256
)

// Log puts the events of a session in their order, has a record store those that
// are not ephemeral, folds them into what the model sees, and hands all of them to
// the reader. It is safe for concurrent use.
type Log struct {
	*EventBuffer
	now       func() time.Time
	ephemeral func(session.Body) bool

	mu      sync.Mutex
	last    session.EventID // that was stored
	view    *modelview.View
	record  session.Record
	failing bool // something could not be stored, and the user was informed
}

// Put adds events of the root agent at once.
func (l *Log) Put(bodies ...session.Body) { l.PutAs("", bodies...) }

// PutAs adds events of an agent at once.
func (l *Log) PutAs(agent session.AgentID, bodies ...session.Body) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range bodies {
		l.add(agent, b, l.ephemeral(b))
	}
}

// PutUnstored adds an event that is not stored, nor seen by the model: it is, as
// another event.
func (l *Log) PutUnstored(b session.Body) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.EventBuffer.Put(l.event("", b, true))
}

// Store stores an event that the reader does not get.
func (l *Log) Store(b session.Body) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.check(l.store(l.event("", b, false)))
}

// Stream adds an event when the reader is near enough. It gives up when ctx is
// cancelled; then there was no such event.
func (l *Log) Stream(ctx context.Context, agent session.AgentID, b session.Body) error {
	for ctx.Err() == nil {
		if l.putIfRoom(agent, b) {
			return nil
		}
		l.Room(ctx)
	}
	return context.Cause(ctx)
}

func (l *Log) putIfRoom(agent session.AgentID, b session.Body) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	room := l.Ahead() < ahead
	if room {
		l.add(agent, b, l.ephemeral(b))
	}
	return room
}

// event is the next event. The caller holds mu, as those of the methods below do.
func (l *Log) event(agent session.AgentID, b session.Body, ephemeral bool) session.Event {
	return session.Event{
		ID: session.EventID(uuid.NewString()), Parent: l.last, Time: l.now(), Agent: agent, Ephemeral: ephemeral, Body: b,
	}
}

func (l *Log) add(agent session.AgentID, b session.Body, ephemeral bool) {
	l.addEvent(l.event(agent, b, ephemeral))
}

func (l *Log) addEvent(ev session.Event) {
	l.view.Apply(ev)
	var err error
	if !ev.Ephemeral {
		err = l.store(ev)
	}
	l.EventBuffer.Put(ev)
	l.check(err)
}

func (l *Log) store(ev session.Event) error {
	l.last = ev.ID
	return l.record.Append(ev)
}

// check informs the user once that the session cannot be stored.
func (l *Log) check(err error) {
	if err != nil && !l.failing {
		l.failing = true
		l.add("", session.SessionWarning{WarningType: "history", Message: fmt.Sprintf("This session is not kept any more: %v", err)}, true)
	}
}

// Describe stores the title.
func (l *Log) Describe(title string, named bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.check(l.record.Describe(title, named))
}

// Replay begins with what was said in an earlier life of the session.
func (l *Log) Replay(history []session.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, ev := range history {
		ev.Replayed = true
		l.last = ev.ID
		l.view.Apply(ev)
		l.EventBuffer.Put(ev)
	}
}

// PutPast adds what was said at a time before this session was stored, but for what is ephemeral,
// and returns how many events that are.
func (l *Log) PutPast(at time.Time, bodies ...session.Body) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range bodies {
		if l.ephemeral(b) {
			continue
		}
		ev := l.event("", b, false)
		ev.Time, ev.Replayed = at, true
		l.addEvent(ev)
		n++
	}
	return n
}

// Cut reports that the events after that one are not stored any more.
func (l *Log) Cut(last session.EventID, cut session.SessionSnapshotRewind) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = last
	l.add("", cut, true)
}

// Messages is what the model of an agent sees.
func (l *Log) Messages(agent session.AgentID) []modelview.Message {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.view.Of(agent))
}

// Stored reports whether the runtime stores events with such a body
// (docs/protocol.md, section 13), or, of those that only chat agents send, Parley.
func Stored(b session.Body) bool {
	switch b.(type) {
	case session.SessionStart, session.SessionResume, session.SessionContextChanged, session.SessionShutdown,
		session.SessionError, session.SessionModeChanged, session.SessionModelChange, session.SessionPermissionsChanged,
		session.SessionPlanChanged, session.SessionModeNoticeDelivered, session.SessionAutoModeResolved,
		session.SystemMessage, session.SystemNotification, session.Abort,
		session.UserMessage, session.AssistantMessage, session.AssistantTurnStart, session.AssistantTurnEnd,
		session.ToolExecutionStart, session.ToolExecutionComplete, session.ToolUserRequested,
		session.PermissionRequested, session.PermissionCompleted, session.SkillInvoked,
		session.SubagentStarted, session.SubagentConfigured, session.SubagentCompleted, session.SubagentFailed,
		session.SubagentSelected, session.SubagentDeselected,
		session.SessionCompactionStart, session.SessionCompactionComplete,
		session.ConfirmationRequested, session.ConfirmationCompleted, session.References, session.AgentError:
		return true
	default:
		return false
	}
}
