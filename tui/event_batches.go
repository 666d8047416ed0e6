package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/tui/conversation"
)

const (
	// streamTime is from one batch of events to the next while events come one by one: an
	// answer is drawn 33 times a second, which reads as smooth. Drawing it at the frame
	// rate, which is for keys, would cost twice as much or more.
	streamTime = 30 * time.Millisecond
	// gather is how long a batch waits for what comes with its first event.
	gather = 2 * time.Millisecond
	// linger is how long a batch waits for more where events come faster than they are
	// taken, so that the loop works once for many: the sender may not have had a
	// processor meanwhile.
	linger = 20 * time.Millisecond
	// many is how many events that are there mean so.
	many = 32
	// batch bounds the events of one message, so that keys are never starved.
	batch = 512
)

// pump waits for an event of the session of the last message, collects what follows, and
// returns it all as one message: not before streamTime is over since the last one, or as
// soon as there is a batch. The loop asks again when it has dealt with it; until then the
// sender is held back by the channel, and nothing is dropped.
//
// While it waits it is not woken for each event: that costs more than all else an event
// of some letters leads to.
func pump(last conversation.EventsMsg, now func() time.Time) tea.Cmd {
	s, since, full := last.Session, last.At, len(last.Events) == batch
	return func() tea.Msg {
		msg := conversation.EventsMsg{Session: s}
		events := s.Events()
		ev, open := <-events
		fast := full || len(events) >= many
		if !fast {
			time.Sleep(max(gather, streamTime-now().Sub(since)))
		}
		over := time.After(linger)
		for waits := true; open && waits; {
			msg.Events = append(msg.Events, ev)
			fast = fast || len(msg.Events) >= many
			if len(msg.Events) == batch || !fast && len(events) == 0 {
				break
			}
			select {
			case ev, open = <-events:
			case <-over:
				waits = false
			}
		}
		msg.At, msg.Ended = now(), !open
		return msg
	}
}
