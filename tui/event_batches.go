package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/tui/conversation"
)

const (
	// linger is how long a batch of events waits for more, so that the loop
	// works once for all that came meanwhile. A steady stream is drawn 30 to 50
	// times a second, which reads as smooth; drawing it at the frame rate, which
	// is for keys, would cost twice as much.
	linger = 20 * time.Millisecond
	// batch bounds the events of one message, so that keys are never starved.
	batch = 512
)

// pump waits for an event of s, collects what follows at once, and returns it
// all as one message. The loop asks again when it has dealt with it; until then
// the sender is held back by the channel, and nothing is dropped.
func pump(s session.Session, now func() time.Time) tea.Cmd {
	return func() tea.Msg {
		msg := conversation.EventsMsg{Session: s}
		ev, open := <-s.Events()
		timer := time.NewTimer(linger)
		defer timer.Stop()
		for waits := true; open && waits; {
			if msg.Events = append(msg.Events, ev); len(msg.Events) == batch {
				break
			}
			select {
			case ev, open = <-s.Events():
			case <-timer.C:
				waits = false
			}
		}
		msg.At, msg.Ended = now(), !open
		return msg
	}
}
