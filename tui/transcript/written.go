package transcript

import "parley/timeline"

// Written is how far a timeline was written to where it stays as it is: what is finished, once. The zero value has
// written nothing.
type Written struct {
	of   *timeline.Timeline
	next int // all entries before it were
}

// Finished returns the lines of the entries that cannot change any more and were not written yet, with the space above
// each. While the agent works, the last entry may change.
func (w *Written) Finished(p *Pane, busy bool) []string {
	w.follow(p)
	from, end := w.next, p.Timeline.Len()
	if busy {
		end--
	}
	for w.next < end && p.Timeline.At(w.next).State.Final() {
		w.next++
	}
	return p.whole(from, w.next)
}

// Rest returns the lines of all that was not written yet.
func (w *Written) Rest(p *Pane) []string {
	w.follow(p)
	from := w.next
	w.next = p.Timeline.Len()
	return p.whole(from, w.next)
}

// follow begins anew with another timeline, and goes back where one was cut.
func (w *Written) follow(p *Pane) {
	if w.of != p.Timeline {
		*w = Written{of: p.Timeline}
	}
	w.next = min(w.next, p.Timeline.Len())
}

// Hide has a pane that follows its end hide what was written.
func (w *Written) Hide(p *Pane) {
	p.Floor = Spot{}
	for i := p.Above(w.next); i >= 0; i = p.Above(i) {
		for unit := p.Units(i) - 1; unit >= 0; unit-- {
			if n := len(p.Lines(i, unit)); n > 0 {
				p.Floor = p.Spot(Place{i, unit, n - 1})
				return
			}
		}
	}
}

// whole returns all lines of the entries from one up to another.
func (p *Pane) whole(from, to int) (lines []string) {
	for i := from; i < to; i++ {
		if !p.Shown(i) {
			continue
		}
		for unit := -1; unit < p.Units(i); unit++ {
			lines = append(lines, p.Lines(i, unit)...)
		}
	}
	return lines
}
