package local_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"parley/session"
	"parley/session/local"
)

// TestEventBufferOrder: whoever hands an event over, Put or Run, the reader gets all of
// them in the order in which they were put in, however slowly it reads, and what fits
// after the end.
func TestEventBufferOrder(t *testing.T) {
	t.Parallel()
	for _, unread := range []int{0, 1, 3, 64} {
		b := local.NewEventBuffer(unread)
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { b.Run(ctx) })
		const all = 2000
		go func() {
			for i := 0; i < all; {
				var some []session.Event
				for range 1 + i%5 {
					some = append(some, session.Event{ID: session.EventID(fmt.Sprint(i))})
					i++
				}
				b.Put(some...)
			}
		}()
		for i := range all {
			if ev := <-b.Events(); ev.ID != session.EventID(fmt.Sprint(i)) {
				t.Fatalf("%d unread: event %s in place of %d", unread, ev.ID, i)
			}
		}
		cancel()
		running.Wait()
		b.Finish()
		b.Put(session.Event{ID: "late"}) // which is not read any more
		for ev := range b.Events() {
			if ev.ID == "late" {
				t.Errorf("%d unread: an event after the end", unread)
			}
		}
	}
}
