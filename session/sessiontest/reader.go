package sessiontest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/session"
)

// patience is how long a Reader waits for the next event before it fails the
// test. It bounds broken tests only; nothing that works comes near it.
const patience = 30 * time.Second

// Reader takes the events of a session for a test, records them, and fails the
// test when what it waits for does not come. It must be used on the test's own
// goroutine.
type Reader struct {
	t        testing.TB
	events   <-chan session.Event
	seen     []session.Event
	progress func() int64
}

// Read reads a session from now on. No other reader may read its events.
func Read(t testing.TB, s session.Session) *Reader {
	t.Helper()
	return &Reader{t: t, events: s.Events(), progress: func() int64 { return 0 }}
}

// While has the Reader wait for an event for as long as progress grows, where an
// agent has much to do before it says anything. What it returns must not grow
// when the agent does nothing.
func (r *Reader) While(progress func() int64) { r.progress = progress }

// Seen returns every event read so far.
func (r *Reader) Seen() []session.Event { return r.seen }

// Until reads up to the first event that matches and returns it. The words say
// what is waited for.
func (r *Reader) Until(what string, match func(session.Event) bool) session.Event {
	r.t.Helper()
	for {
		ev, open := r.next(what)
		if !open {
			r.t.Fatalf("the session ended before %s; events:\n%s", what, Describe(r.seen))
		}
		if match(ev) {
			return ev
		}
	}
}

// next reads one event; false says that the session has ended.
func (r *Reader) next(what string) (ev session.Event, open bool) {
	r.t.Helper()
	for done := r.progress(); ; {
		select {
		case ev, open = <-r.events:
			if open {
				r.seen = append(r.seen, ev)
			}
			return ev, open
		case <-time.After(patience):
			now := r.progress()
			if now <= done {
				r.t.Fatalf("no event for %v, waiting for %s; events:\n%s", patience, what, Describe(r.seen))
			}
			done = now
		}
	}
}

// Next reads up to the next event of the root agent with a body of type B that
// is not replayed, and returns the body.
func Next[B session.Body](r *Reader) B {
	r.t.Helper()
	var body B
	r.Until(string(session.KindOf(body)), func(ev session.Event) bool {
		b, ok := ev.Body.(B)
		if ok = ok && ev.Agent == "" && !ev.Replayed; ok {
			body = b
		}
		return ok
	})
	return body
}

// All returns the bodies of type B among events, in order.
func All[B session.Body](events []session.Event) []B {
	var found []B
	for _, ev := range events {
		if b, ok := ev.Body.(B); ok {
			found = append(found, b)
		}
	}
	return found
}

// Rest reads until the session's events end and returns those it had not read.
func (r *Reader) Rest() []session.Event {
	r.t.Helper()
	before := len(r.seen)
	for open := true; open; {
		_, open = r.next("the end of the session")
	}
	return r.seen[before:]
}

// Describe lists events for a failure message, a line each.
func Describe(events []session.Event) string {
	var b strings.Builder
	for _, ev := range events {
		flags := ""
		if ev.Replayed {
			flags += " replayed"
		}
		if ev.Agent != "" {
			flags += " agent " + string(ev.Agent)
		}
		body := fmt.Sprintf("%+v", ev.Body)
		if len(body) > 200 {
			body = body[:200] + "…"
		}
		fmt.Fprintf(&b, "  %s%s %s\n", ev.Kind(), flags, body)
	}
	return b.String()
}
