package local

import (
	"context"
	"sync"

	"parley/session"
)

// EventBuffer hands the events of a session to its reader, in the order in which
// they were put in, so that a sender does not wait for the reader. An agent runs
// it on a goroutine of its own. It is safe for concurrent use.
type EventBuffer struct {
	events chan session.Event
	more   chan struct{} // something was put in
	room   chan struct{} // something was taken out

	mu    sync.Mutex
	queue []session.Event
	ended bool // events is closed
}

// NewEventBuffer returns a buffer from which a reader can still take that many
// events when the session has ended.
func NewEventBuffer(unread int) *EventBuffer {
	return &EventBuffer{events: make(chan session.Event, unread), more: make(chan struct{}, 1), room: make(chan struct{}, 1)}
}

// Events are those that were put in. They end with Finish.
func (b *EventBuffer) Events() <-chan session.Event { return b.events }

// Put puts events in at once. As long as the reader keeps up they are handed over here:
// waking Run for each word of an answer would cost more than the word does.
func (b *EventBuffer) Put(events ...session.Event) {
	if b.put(events) {
		TrySignal(b.more)
	}
}

// put reports whether something is left to Run.
func (b *EventBuffer) put(events []session.Event) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(events) > 0 && len(b.queue) == 0 && !b.ended {
		select {
		case b.events <- events[0]:
		default:
			b.queue = append(b.queue, events[0])
		}
		events = events[1:]
	}
	b.queue = append(b.queue, events...)
	return len(b.queue) > 0
}

// Ahead is how many events wait to be handed over.
func (b *EventBuffer) Ahead() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.queue)
}

// Room waits until fewer events wait than before, or ctx ends. It may return
// sooner: ask Ahead.
func (b *EventBuffer) Room(ctx context.Context) {
	select {
	case <-b.room:
	case <-ctx.Done():
	}
}

// Run hands over events until ctx ends.
func (b *EventBuffer) Run(ctx context.Context) {
	for {
		next, waiting := b.next()
		if !waiting {
			select {
			case <-b.more:
				continue
			case <-ctx.Done():
				return
			}
		}
		select {
		case b.events <- next:
		case <-ctx.Done():
			return
		}
		b.mu.Lock()
		b.queue = b.queue[1:]
		b.mu.Unlock()
		TrySignal(b.room)
	}
}

func (b *EventBuffer) next() (ev session.Event, waiting bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.queue) == 0 {
		return session.Event{}, false
	}
	return b.queue[0], true
}

// Finish ends the events, after Run. What does not fit any more, because nothing
// reads, is lost to the reader.
func (b *EventBuffer) Finish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	defer close(b.events)
	for _, ev := range b.queue {
		select {
		case b.events <- ev:
		default:
			return
		}
	}
}

// TrySignal sends on c, a channel that holds one, unless a signal is pending
// already.
func TrySignal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
