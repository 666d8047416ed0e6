package demo

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"parley/session"
	"parley/session/modelview"
)

// How many events the demo is ahead of its reader before it waits, and how many
// a reader can still take when the session has ended.
const (
	ahead  = 64
	unread = 256
)

// outbox puts events in their order and into the buffer, and holds what is stored
// of them.
type outbox struct {
	*session.EventBuffer

	now func() time.Time

	mu   sync.Mutex
	log  []session.Event // all that is not ephemeral
	view *modelview.View // of all that was put in
	told string          // the instructions that the log holds
}

func newOutbox(now func() time.Time) *outbox {
	return &outbox{
		EventBuffer: session.NewEventBuffer(unread), now: now,
		view: modelview.New(),
	}
}

// put adds an event of the root agent at once.
func (o *outbox) put(b session.Body) { o.putAs("", b) }

// putAs adds an event of an agent at once.
func (o *outbox) putAs(agent session.AgentID, b session.Body) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.add(agent, b)
}

// putWithRoom adds an event when the reader is near enough. It gives up when
// ctx is cancelled; then there was no such event.
func (o *outbox) putWithRoom(ctx context.Context, agent session.AgentID, b session.Body) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if o.putIfRoom(agent, b) {
			return nil
		}
		o.Room(ctx)
	}
}

func (o *outbox) putIfRoom(agent session.AgentID, b session.Body) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	room := o.Ahead() < ahead
	if room {
		o.add(agent, b)
	}
	return room
}

// add is putAs for who holds mu.
func (o *outbox) add(agent session.AgentID, b session.Body) {
	ev := session.Event{
		ID: session.EventID(uuid.NewString()), Time: o.now(), Agent: agent, Ephemeral: ephemeral(b), Body: b,
	}
	if n := len(o.log); n > 0 {
		ev.Parent = o.log[n-1].ID
	}
	if !ev.Ephemeral {
		o.log = append(o.log, ev)
	} else if u, ok := b.(session.AssistantUsage); ok {
		o.record(ev, u)
	}
	o.apply(ev)
	o.Put(ev)
}

// record keeps what a call of the model used. As in the runtime it is stored in
// another form than the one that is sent (docs/protocol.md, section 9).
func (o *outbox) record(ev session.Event, u session.AssistantUsage) {
	ev.ID, ev.Ephemeral, ev.Body = session.EventID(uuid.NewString()), false, usageRecord(u)
	o.log = append(o.log, ev)
}

func usageRecord(u session.AssistantUsage) session.SessionUsageRecord {
	raw, _ := json.Marshal(u) // it is numbers and names
	return session.SessionUsageRecord{Usage: raw}
}

// apply folds an event into what the model sees.
func (o *outbox) apply(ev session.Event) {
	o.view.Apply(ev)
	if b, ok := ev.Body.(session.SystemMessage); ok && ev.Agent == "" {
		o.told = b.Content
	}
}

// instructed is the instructions that the log holds; "" after a rewind, which
// may have taken them out of it.
func (o *outbox) instructed() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.told
}

// messages is what the model of an agent sees.
func (o *outbox) messages(agent session.AgentID) []modelview.Message {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.view.Of(agent)
}

// after is what the model would see after something else.
func (o *outbox) after(b session.Body) []modelview.Message {
	view := modelview.New()
	for _, ev := range o.stored() {
		view.Apply(ev)
	}
	view.Apply(session.Event{Body: b})
	return view.Messages()
}

// replay begins with what was said in an earlier life of the session.
func (o *outbox) replay(history []session.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.log = slices.Clone(history)
	for _, ev := range history {
		ev.Replayed = true
		o.apply(ev)
		o.Put(ev)
	}
}

// stored returns what is kept of the events: those that are not ephemeral.
func (o *outbox) stored() []session.Event {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.log)
}

// size is how many events are stored.
func (o *outbox) size() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.log)
}

// cut removes the stored events from the one at that index on, and says so as
// the runtime does (docs/protocol.md, section 8.3).
func (o *outbox) cut(index int) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	gone := session.SessionSnapshotRewind{UpToEventID: o.log[index].ID, EventsRemoved: len(o.log) - index}
	for _, ev := range o.log[index:] {
		gone.EventIDs = append(gone.EventIDs, ev.ID)
	}
	o.log, o.told = slices.Clone(o.log[:index]), ""
	o.add("", gone)
	return gone.EventsRemoved
}

// ephemeral reports whether the runtime streams b without storing it (docs/protocol.md,
// section 13).
func ephemeral(b session.Body) bool {
	switch b.(type) {
	case session.SessionStart, session.SessionResume, session.SessionContextChanged, session.SessionShutdown,
		session.SessionError, session.SessionModeChanged, session.SessionModelChange, session.SessionPermissionsChanged,
		session.SessionPlanChanged, session.SessionModeNoticeDelivered, session.SystemMessage, session.SystemNotification, session.Abort,
		session.UserMessage, session.AssistantMessage, session.AssistantTurnStart, session.AssistantTurnEnd,
		session.ToolExecutionStart, session.ToolExecutionComplete, session.ToolUserRequested,
		session.PermissionRequested, session.PermissionCompleted, session.SkillInvoked,
		session.SubagentStarted, session.SubagentConfigured, session.SubagentCompleted, session.SubagentFailed,
		session.SubagentSelected, session.SubagentDeselected,
		session.SessionCompactionStart, session.SessionCompactionComplete:
		return false
	default:
		return true
	}
}
