package terminal

import (
	"context"
	"time"
)

const (
	// mostProbes is how often a terminal is asked that answers late.
	mostProbes = 3
	// probeTime is how long an answer may take that is waited for.
	probeTime = 5 * time.Second
)

// RoundTrip asks the terminal for something that every terminal answers, and returns how long
// that took; 0 if no answer came. One that comes late may have waited for a busy machine and
// not for the line: then it is asked again, and the shortest time counts.
func (o *Output) RoundTrip(ctx context.Context) time.Duration {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	var least time.Duration
	for range mostProbes {
		trip := o.in.nextTrip()
		if _, err := o.Write([]byte(probe)); err != nil {
			return least
		}
		select {
		case took := <-trip:
			if least == 0 || took < least {
				least = took
			}
		case <-ctx.Done():
			return least
		}
		if least <= SlowAnswer {
			break
		}
	}
	return least
}

// nextTrip returns what gets the time that the next answer to probe takes.
func (r *replies) nextTrip() <-chan time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.trips = make(chan time.Duration, 1)
	return r.trips
}
