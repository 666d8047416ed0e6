package copilot

import (
	"runtime/debug"
	"sync"

	"parley/session"
)

// queueLimit is how many events a session may hold for a slow reader before
// the runtime's output is left unread.
const queueLimit = 4096

// callLimit is how many it may hold while a call waits for its response. A call
// may take minutes, or hang: without a limit memory would grow with it.
const callLimit = 16 * queueLimit

// longHistory is how many events at once take memory that is worth giving back.
const longHistory = 20_000

// valve decides when the runtime's output is read. It is shared by the sessions
// of one agent. Reading stops while a session's reader lags behind, so that
// memory stays bounded and nothing is dropped; it stops later while a call waits
// for its response, which comes behind the events, so that a caller who is also
// the reader gets it.
type valve struct {
	mu      sync.Mutex
	changed *sync.Cond
	calls   int
	shut    bool     // nothing is delivered any more: never wait
	heap    leanHeap // of the process that they are in
}

func newValve() *valve {
	v := &valve{}
	v.changed = sync.NewCond(&v.mu)
	return v
}

// call marks the time of one call; the returned function ends it.
func (v *valve) call() (done func()) {
	v.mu.Lock()
	v.calls++
	v.changed.Broadcast()
	v.mu.Unlock()
	return func() {
		v.mu.Lock()
		v.calls--
		v.mu.Unlock()
	}
}

// limit is how many events a session may hold now. v.mu is held.
func (v *valve) limit() int {
	if v.calls > 0 {
		return callLimit
	}
	return queueLimit
}

// release lets the reader run on for good.
func (v *valve) release() {
	v.mu.Lock()
	v.shut = true
	v.changed.Broadcast()
	v.mu.Unlock()
}

// queue holds the events of one session in order. Its pump goroutine gives
// them to the reader.
type queue struct {
	valve  *valve
	out    chan session.Event
	unread chan struct{} // closed when the events are not read any more
	events []session.Event
	known  map[session.EventID]struct{} // of the history: not to be repeated
	copies copies                       // nor increments of what is not complete
	recent recent                       // nor what else has come just before
	order  order                        // of the pieces of a response
	asked  map[session.RequestID]bool   // asked anew by replay: not to be repeated
	held   bool                         // nothing leaves: the history comes first
	ended  bool                         // nothing comes any more
}

// ahead is how many events the pump hands over before the reader takes the first, so that
// the two do not wait for each other at each event.
const ahead = 64

// newQueue starts the pump under guard.
func newQueue(v *valve, guard func(func())) *queue {
	q := &queue{valve: v, out: make(chan session.Event, ahead), unread: make(chan struct{})}
	go guard(q.pump)
	return q
}

// put appends an event that came from the runtime, and what waited for it, and
// blocks while the queue is full.
func (q *queue) put(ev session.Event) {
	v := q.valve
	v.mu.Lock()
	defer v.mu.Unlock()
	for len(q.events) >= v.limit() && !q.held && !v.shut && !q.ended {
		v.changed.Wait()
	}
	if _, twice := q.known[ev.ID]; twice || q.asked[request(ev)] || q.repeats(ev) {
		return
	}
	q.order.put(ev, q.append)
}

// repeats reports whether an event came before.
func (q *queue) repeats(ev session.Event) bool {
	return q.copies.repeats(ev) || !ev.Kind().Increment() && q.recent.repeats(ev.ID)
}

// request is the question an event asks, or "".
func request(ev session.Event) session.RequestID {
	if ask, ok := ev.Body.(session.Ask); ok {
		return ask.Request()
	}
	return ""
}

// add appends an event of our own. It does not block.
func (q *queue) add(ev session.Event) {
	q.valve.mu.Lock()
	defer q.valve.mu.Unlock()
	q.append(ev)
}

func (q *queue) append(ev session.Event) {
	if !q.ended {
		q.events = append(q.events, ev)
		q.valve.changed.Broadcast()
	}
}

// hold keeps events back until replay.
func (q *queue) hold() {
	q.valve.mu.Lock()
	q.held = true
	q.valve.mu.Unlock()
}

// replay puts the stored events before those held back, then the questions
// that are open and were not held back, and lets all go. It returns them.
func (q *queue) replay(stored, open []session.Event) []session.Event {
	v := q.valve
	v.mu.Lock()
	defer v.mu.Unlock()
	live := map[session.RequestID]bool{}
	for _, ev := range q.events {
		live[request(ev)] = true
	}
	q.events, q.known = merge(stored, q.events)
	q.asked = map[session.RequestID]bool{}
	for _, ev := range open {
		if r := request(ev); !live[r] {
			q.asked[r] = true
			q.events = append(q.events, ev)
		}
	}
	q.held = false
	v.changed.Broadcast()
	return q.events
}

// end closes the reader's channel once what is queued was read.
func (q *queue) end() {
	q.valve.mu.Lock()
	q.order.endAll(q.append)
	q.ended, q.held = true, false
	q.valve.changed.Broadcast()
	q.valve.mu.Unlock()
}

// take waits for events; none means that the queue has ended.
func (q *queue) take() []session.Event {
	v := q.valve
	v.mu.Lock()
	defer v.mu.Unlock()
	for (len(q.events) == 0 || q.held) && !q.ended {
		v.changed.Wait()
	}
	batch := q.events
	q.events = nil
	v.changed.Broadcast()
	return batch
}

func (q *queue) pump() {
	defer close(q.out)
	for batch := q.take(); len(batch) > 0; batch = q.take() {
		if !q.deliver(batch) {
			return
		}
	}
}

// deliver gives events to the reader, and reports whether it takes more.
func (q *queue) deliver(batch []session.Event) bool {
	if len(batch) > longHistory {
		defer debug.FreeOSMemory() // what it took to read is several times what it is
	}
	for _, ev := range batch {
		select {
		case q.out <- ev:
		case <-q.unread:
			return false
		}
	}
	return true
}

// recentLimit is how many events back one that comes twice is known; increments do
// not count.
const recentLimit = 1024

// recent remembers the last events by their ids.
type recent struct {
	ids  map[session.EventID]struct{}
	ring []session.EventID
	next int // in the ring, once it is full
}

// repeats reports whether an event came before, and remembers it. An event
// without an id is always new.
func (r *recent) repeats(id session.EventID) bool {
	if id == "" {
		return false
	}
	if _, twice := r.ids[id]; twice {
		return true
	}
	if r.ids == nil {
		r.ids = make(map[session.EventID]struct{}, recentLimit)
	}
	r.ids[id] = struct{}{}
	if len(r.ring) < recentLimit {
		r.ring = append(r.ring, id)
		return false
	}
	delete(r.ids, r.ring[r.next])
	r.ring[r.next] = id
	r.next = (r.next + 1) % recentLimit
	return false
}
