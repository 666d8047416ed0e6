package timeline

import (
	"slices"

	"parley/session"
)

// rewind takes back what the removed events made: from the first entry that
// comes from one of them on, every entry that does, and every entry that comes
// from no stored event at all, such as the text of an interrupted answer. What
// else was said in between, such as a warning that is still in the log, stays.
func (t *Timeline) rewind(b session.SessionSnapshotRewind) Outcome {
	gone := make(map[session.EventID]bool, len(b.EventIDs)+1)
	for _, id := range b.EventIDs {
		gone[id] = true
	}
	gone[b.UpToEventID] = true
	hit := func(id session.EventID) bool { return gone[id] }
	first := slices.IndexFunc(t.entries, func(e *Entry) bool { return slices.ContainsFunc(e.Origin, hit) })
	agents := t.rewindAgents(b)
	switch {
	case first < 0 && agents:
		return Applied
	case first < 0:
		return Ignored
	}
	from := t.entries[first].At
	toEnd := len(b.EventIDs) == 0 // only the first of the events is named
	kept := t.entries[:first]
	for _, e := range t.entries[first:] {
		if toEnd || len(e.Origin) == 0 || slices.ContainsFunc(e.Origin, hit) {
			t.forget(e)
		} else {
			kept = append(kept, e)
		}
	}
	clear(t.entries[len(kept):])
	t.entries = kept
	t.renumber(first)
	clear(t.changes)
	clear(t.asks)
	t.retry = retry{}
	t.turn = turn{key: t.turn.key}
	t.rewound(from)
	return Applied
}
