package timeline

// Progress is how far a reader of a timeline has come, who takes its entries in their order. An entry that is removed lets none
// be left out: the progress is known by the entries, and not by their number. The zero value has taken nothing.
type Progress struct {
	next  int // all entries before it were taken
	taken map[EntryID]*Entry
}

// Next returns the place of the entry to take next: behind the last one that was taken and is in the timeline still.
func (p *Progress) Next(t *Timeline) int {
	p.next = min(p.next, t.Len())
	for p.next > 0 && p.taken[t.At(p.next-1).ID] != t.At(p.next-1) {
		p.next--
	}
	return p.next
}

// Take takes the next entry, which is e.
func (p *Progress) Take(e *Entry) {
	if p.taken == nil {
		p.taken = map[EntryID]*Entry{}
	}
	p.next++
	p.taken[e.ID] = e
}

// Took reports whether an entry with an id was taken.
func (p *Progress) Took(id EntryID) bool { return p.taken[id] != nil }
