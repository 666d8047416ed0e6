package sse

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

// How many events a session is ahead of its reader before it reads no more from
// the agent, and how many a reader can still take when the session has ended.
const (
	ahead  = 64
	unread = 256
)

// outbox puts events in their order, keeps those that are not ephemeral, and puts
// all of them into the buffer.
type outbox struct {
	*session.EventBuffer

	now func() time.Time

	mu     sync.Mutex
	last   session.EventID // that was kept
	view   *modelview.View
	record session.Record
	lost   bool // something could not be kept, and that was told
}

func newOutbox(now func() time.Time, record session.Record) *outbox {
	return &outbox{
		EventBuffer: session.NewEventBuffer(unread), now: now,
		view: modelview.New(), record: record,
	}
}

// put adds events at once.
func (o *outbox) put(bodies ...session.Body) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, b := range bodies {
		o.add(b, ephemeral(b))
	}
}

// stream adds an event that is not kept, when the reader is near enough. It
// gives up when ctx is cancelled.
func (o *outbox) stream(ctx context.Context, b session.Body) error {
	for {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if o.putIfRoom(b) {
			return nil
		}
		o.Room(ctx)
	}
}

func (o *outbox) putIfRoom(b session.Body) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	room := o.Ahead() < ahead
	if room {
		o.add(b, true)
	}
	return room
}

// again adds an event that the record has already.
func (o *outbox) again(b session.Body) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.add(b, true)
}

// add is put for who holds mu.
func (o *outbox) add(b session.Body, passing bool) {
	ev := session.Event{
		ID: session.EventID(uuid.NewString()), Parent: o.last, Time: o.now(), Ephemeral: passing, Body: b,
	}
	var err error
	if !passing {
		o.last = ev.ID
		o.view.Apply(ev)
		err = o.record.Append(ev)
	}
	o.Put(ev)
	o.keep(err)
}

// keep reports once that the session cannot be kept.
func (o *outbox) keep(err error) {
	if err == nil || o.lost {
		return
	}
	o.lost = true
	o.add(session.SessionWarning{WarningType: "history", Message: fmt.Sprintf("This session is not kept any more: %v", err)}, true)
}

// describe keeps the title.
func (o *outbox) describe(title string, named bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.keep(o.record.Describe(title, named))
}

// replay begins with what was said in an earlier life of the session.
func (o *outbox) replay(history []session.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, ev := range history {
		ev.Replayed = true
		o.last = ev.ID
		o.view.Apply(ev)
		o.Put(ev)
	}
}

// messages is the conversation as the agent gets it.
func (o *outbox) messages() []modelview.Message {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.view.Messages())
}

// ephemeral reports whether an event is not kept, as the runtime keeps it
// (docs/protocol.md, section 13). A wait for another attempt is over when it is read
// again.
func ephemeral(b session.Body) bool {
	switch b := b.(type) {
	case session.SessionInfo:
		return b.InfoType == infoRetry
	case session.SessionStart, session.SessionResume, session.SessionContextChanged, session.SessionShutdown,
		session.SessionError, session.SessionWarning, session.SessionModelChange, session.SessionAutoModeResolved, session.Abort,
		session.UserMessage, session.AssistantMessage, session.ToolExecutionComplete, session.AssistantTurnStart, session.AssistantTurnEnd,
		session.ConfirmationRequested, session.ConfirmationCompleted, session.References, session.AgentError:
		return false
	default:
		return true
	}
}
