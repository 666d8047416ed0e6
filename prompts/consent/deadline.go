package consent

import "time"

// Deadline returns the next time after at when something changes by itself;
// zero when nothing does.
func (c *Guard[M]) Deadline(at time.Time) time.Time {
	if len(c.spilled) > 0 {
		return at
	}
	var due []time.Time
	if held := c.HeldUntil(); !held.IsZero() {
		due = append(due, held)
	}
	if !c.back.IsZero() {
		due = append(due, c.back)
	}
	if c.open && c.painted.IsZero() {
		if !c.probe.IsZero() {
			due = append(due, c.probe)
		}
		if !c.shown.IsZero() {
			due = append(due, c.shown.Add(Quiet))
		}
	}
	if from, ok := c.armedFrom(); ok && from.After(at) {
		due = append(due, from)
	}
	var next time.Time
	for _, t := range due {
		if next.IsZero() || t.Before(next) {
			next = t
		}
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
