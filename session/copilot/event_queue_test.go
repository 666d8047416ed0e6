package copilot

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"parley/session"
)

// unguarded runs what a goroutine does.
func unguarded(f func()) { f() }

func numbered(i int) session.Event {
	return session.Event{ID: session.EventID(fmt.Sprint(i)), Body: session.AssistantIdle{}}
}

// TestQueueHoldsBack shows that reading stops at the limit, continues for a call,
// and continues for good once the reader has caught up.
func TestQueueHoldsBack(t *testing.T) {
	t.Parallel()
	v := newValve()
	q := newQueue(v, unguarded)
	blocked := make(chan int, 1) // how many were put when it blocked first
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		for put := range 4 * queueLimit {
			v.mu.Lock()
			full := len(q.events) >= queueLimit && v.calls == 0
			v.mu.Unlock()
			if full {
				select {
				case blocked <- put:
				default:
				}
			}
			q.put(numbered(put))
		}
		q.end()
	}()
	// The pump may have taken one batch of any size up to the limit.
	if n := <-blocked; n < queueLimit || n > 2*queueLimit+1 {
		t.Errorf("blocked after %d events, the limit is %d", n, queueLimit)
	}
	done := v.call() // now everything must go through without a reader
	<-finished
	done()
	i := 0
	for ev := range q.out {
		if ev.ID != numbered(i).ID {
			t.Fatalf("event %d is %s", i, ev.ID)
		}
		i++
	}
	if i != 4*queueLimit {
		t.Errorf("%d events arrived", i)
	}
}

// TestQueueIsBoundedInACall: a call that hangs does not let a session take all
// the memory behind a reader that does not read.
func TestQueueIsBoundedInACall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := newValve()
		q := newQueue(v, unguarded)
		done := v.call()
		put := 0
		go func() {
			for put = range 4 * callLimit {
				q.put(numbered(put))
			}
			q.end()
		}()
		synctest.Wait() // everything that can proceed has proceeded
		if v.mu.Lock(); len(q.events) != callLimit || put > 2*callLimit {
			t.Errorf("%d events are held, %d were put", len(q.events), put)
		}
		v.mu.Unlock()
		read := 0
		for range q.out {
			read++
		}
		done()
		if read != 4*callLimit {
			t.Errorf("%d events arrived", read)
		}
	})
}

func TestQueueOfALeftReader(t *testing.T) {
	t.Parallel()
	v := newValve()
	q := newQueue(v, unguarded)
	q.put(numbered(1))
	close(q.unread)
	q.end()
	for range q.out {
		// It must be closed, whether the event came through or not.
	}
	q.put(numbered(2)) // goes nowhere and does not block
	v.release()
}

// TestMerge makes a log of which a prefix is stored, some events live, and
// checks that nothing is lost, repeated or out of order.
func TestMerge(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(0, 40).Draw(t, "size")
		attached := rapid.IntRange(0, size).Draw(t, "attached") // live events come from here on
		fetched := rapid.IntRange(attached, size).Draw(t, "fetched")
		heard := rapid.IntRange(attached, size).Draw(t, "heard") // of them, those held back until the merge
		var stored, live, late []session.Event
		want := 0
		for i := range size {
			ev := numbered(i)
			ev.Ephemeral = rapid.Bool().Draw(t, "ephemeral")
			if i < fetched && !ev.Ephemeral {
				old := ev
				old.Replayed = true
				stored = append(stored, old)
			}
			switch {
			case i < attached:
			case i < heard:
				live = append(live, ev)
			default:
				late = append(late, ev)
			}
			if i >= attached || !ev.Ephemeral {
				want++
			}
		}
		events, known := merge(stored, live)
		for _, ev := range late {
			if _, twice := known[ev.ID]; !twice {
				events = append(events, ev)
			}
		}
		if len(events) != want {
			t.Fatalf("%d events, want %d", len(events), want)
		}
		seen := map[session.EventID]bool{}
		for _, ev := range events {
			if seen[ev.ID] {
				t.Fatalf("%s came twice", ev.ID)
			}
			seen[ev.ID] = true
		}
		// Stored events keep their order among themselves, as do live ones.
		for _, replayed := range []bool{true, false} {
			last := -1
			for _, ev := range events {
				if ev.Replayed == replayed {
					var n int
					_, _ = fmt.Sscan(string(ev.ID), &n)
					if n <= last {
						t.Fatalf("%d after %d", n, last)
					}
					last = n
				}
			}
		}
		// What was heard live is not called history.
		for _, ev := range live {
			i := slices.IndexFunc(events, func(e session.Event) bool { return e.ID == ev.ID })
			if events[i].Replayed {
				t.Fatalf("%s was live and is replayed", ev.ID)
			}
		}
	})
}

func TestReplayAsksOnce(t *testing.T) {
	t.Parallel()
	ask := func(id string, request session.RequestID) session.Event {
		return session.Event{ID: session.EventID(id), Body: session.PermissionRequested{RequestID: request}}
	}
	q := newQueue(newValve(), unguarded)
	q.hold()
	q.put(ask("live", "r1"))
	got := q.replay(
		[]session.Event{{ID: "old", Replayed: true, Body: session.PermissionRequested{RequestID: "r2"}}},
		[]session.Event{ask("again 1", "r1"), ask("again 2", "r2")},
	)
	var ids []string
	for _, ev := range got {
		ids = append(ids, string(ev.ID))
	}
	if s := strings.Join(ids, ", "); s != "old, live, again 2" {
		t.Errorf("replayed %s", s)
	}
	q.put(ask("too late", "r2"))
	q.put(numbered(7))
	q.end()
	ids = nil
	for ev := range q.out {
		ids = append(ids, string(ev.ID))
	}
	if s := strings.Join(ids, ", "); s != "old, live, again 2, 7" {
		t.Errorf("came %s", s)
	}
}

func TestPromptsRepeat(t *testing.T) {
	t.Parallel()
	var p prompts
	system := func(agent session.AgentID, text string) session.Event {
		return session.Event{Agent: agent, Body: session.SystemMessage{Role: "system", Content: text}}
	}
	for i, step := range []struct {
		ev   session.Event
		want bool
	}{
		{system("", "a"), false},
		{system("", "a"), true},
		{system("sub", "a"), false},
		{system("", "b"), false},
		{system("sub", "a"), true},
		{system("", "a"), false},
		{session.Event{Body: session.SystemMessage{Role: "system", Name: "other", Content: "a"}}, false},
		{system("", "a"), true},
		{session.Event{Body: session.AssistantIdle{}}, false},
		{session.Event{Body: session.AssistantIdle{}}, false},
	} {
		if got := p.repeats(step.ev); got != step.want {
			t.Errorf("step %d: repeats %v, want %v", i, got, step.want)
		}
	}
}

func TestRecent(t *testing.T) {
	t.Parallel()
	var r recent
	for i := range 3 * recentLimit {
		id := numbered(i).ID
		if r.repeats(id) || !r.repeats(id) || r.repeats("") {
			t.Fatalf("event %d", i)
		}
		if old := i - recentLimit + 1; old >= 0 && !r.repeats(numbered(old).ID) {
			t.Fatalf("event %d was forgotten at %d", old, i)
		}
	}
	if len(r.ids) != recentLimit || len(r.ring) != recentLimit {
		t.Errorf("%d and %d are remembered", len(r.ids), len(r.ring))
	}
}

// TestCopies: an increment comes once, however late it is repeated, until what it
// is a part of is complete, and not after that; its ids are not kept for longer.
func TestCopies(t *testing.T) {
	t.Parallel()
	var c copies
	id := func(i int) session.EventID {
		return session.EventID(uuid.NewSHA1(uuid.NameSpaceOID, fmt.Append(nil, i)).String())
	}
	delta := func(i int) session.Event {
		return session.Event{ID: id(i), Body: session.AssistantMessageDelta{MessageID: "m", DeltaContent: "x"}}
	}
	const n = 20 * recentLimit
	for i := range n {
		if c.repeats(delta(i)) {
			t.Fatalf("increment %d is taken for a copy", i)
		}
	}
	for i := range n {
		if !c.repeats(delta(i)) {
			t.Fatalf("the copy of increment %d is taken for another", i)
		}
	}
	other := session.Event{ID: id(0), Body: session.AssistantReasoningDelta{ReasoningID: "m", DeltaContent: "x"}}
	if c.repeats(other) {
		t.Error("a part of another text is taken for a copy")
	}
	c.repeats(session.Event{ID: id(n), Body: session.AssistantMessage{MessageID: "m"}})
	if len(c.seen) != 1 {
		t.Errorf("the ids of %d parts are kept", len(c.seen))
	}
	if !c.repeats(delta(0)) || !c.repeats(delta(n+2)) {
		t.Error("a part of a message that is complete is news")
	}
	over := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	c.repeats(session.Event{ID: id(n + 3), Time: over, Body: session.AssistantTurnEnd{}})
	count := func(at time.Time) bool {
		return c.repeats(session.Event{ID: id(int(at.Sub(over)) + 2*n), Time: at, Body: session.AssistantStreamingDelta{}})
	}
	if !count(over) || count(over.Add(1)) {
		t.Error("the count of a turn that is over is news, or that of the next is not")
	}
	c.repeats(session.Event{ID: id(n + 4), Body: session.ToolExecutionComplete{ToolCallID: "c"}})
	if c.repeats(session.Event{ID: id(n + 5), Body: session.ToolShellOutput{ToolCallID: "c"}}) {
		t.Error("the output of what runs in the background is taken for a copy")
	}
	c.repeats(session.Event{ID: id(n + 1), Body: session.SessionIdle{}})
	if len(c.seen) != 0 {
		t.Errorf("the ids of %d parts are kept when nothing runs", len(c.seen))
	}
	for range 2 {
		if c.repeats(session.Event{ID: "1", Body: session.AssistantMessageDelta{}}) {
			t.Error("an id that is not the runtime's is taken for a copy")
		}
	}
}
