package consent

import "time"

// Deadline returns the next time after at when something changes by itself;
// zero when nothing does.
func (c *Guard[M]) Deadline(at time.Time) time.Time {
	if len(c.spilled) > 0 {
		return at
	}
	var next time.Time
	due := func(t time.Time) {
		if !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	due(c.HeldUntil())
	due(c.back)
	if c.open && c.painted.IsZero() {
		due(c.probe)
		if !c.shown.IsZero() {
			due(c.shown.Add(Quiet))
		}
	}
	if from, ok := c.armedFrom(); ok && from.After(at) {
		due(from)
	}
	return next
}

// Later is the later of two times.
func Later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
