package session

import (
	"context"
	"sync"
)

// Outlet hands the events of a session to its reader, in the order in which they
// were put in, so that nobody who tells something waits for whoever reads it. An
// agent runs it on a goroutine of its own. It is safe for concurrent use.
type Outlet struct {
	events chan Event
	more   chan struct{} // something was put in
	room   chan struct{} // something was taken out

	mu    sync.Mutex
	queue []Event
}

// NewOutlet makes one from which a reader can still take so many events when the
// session has ended.
func NewOutlet(unread int) *Outlet {
	return &Outlet{events: make(chan Event, unread), more: make(chan struct{}, 1), room: make(chan struct{}, 1)}
}

// Events are those that were put in. They end with Finish.
func (o *Outlet) Events() <-chan Event { return o.events }

// Put puts events in at once.
func (o *Outlet) Put(events ...Event) {
	o.mu.Lock()
	o.queue = append(o.queue, events...)
	o.mu.Unlock()
	Nudge(o.more)
}

// Ahead is how many events wait to be handed over.
func (o *Outlet) Ahead() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.queue)
}

// Room waits until fewer events wait than before, or ctx ends. It may return
// sooner: ask Ahead.
func (o *Outlet) Room(ctx context.Context) {
	select {
	case <-o.room:
	case <-ctx.Done():
	}
}

// Run hands over events until ctx ends.
func (o *Outlet) Run(ctx context.Context) {
	for {
		next, waiting := o.next()
		if !waiting {
			select {
			case <-o.more:
				continue
			case <-ctx.Done():
				return
			}
		}
		select {
		case o.events <- next:
		case <-ctx.Done():
			return
		}
		o.mu.Lock()
		o.queue = o.queue[1:]
		o.mu.Unlock()
		Nudge(o.room)
	}
}

func (o *Outlet) next() (ev Event, waiting bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.queue) == 0 {
		return Event{}, false
	}
	return o.queue[0], true
}

// Finish ends the events, after Run. What does not fit any more, because nobody
// reads, is lost to the reader.
func (o *Outlet) Finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer close(o.events)
	for _, ev := range o.queue {
		select {
		case o.events <- ev:
		default:
			return
		}
	}
}

// Nudge wakes who waits on c, a channel that holds one, now or next.
func Nudge(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
