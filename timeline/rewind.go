package timeline

import (
	"slices"

	"parley/session"
)

// rewind takes back what the removed events made: from the first entry that
// comes from one of them on, every entry that does, and every entry that comes
// from no stored event at all, such as the text of an interrupted answer. What
// else was said in between, such as a warning that is still in the log, stays.
// A line says that it was done, at the end, where the conversation goes on.
// Stored logs do not have it: what was taken back is not in them.
func (t *Timeline) rewind(ev session.Event, b session.SessionSnapshotRewind) ApplyResult {
	gone := make(map[session.EventID]bool, len(b.EventIDs)+1)
	for _, id := range b.EventIDs {
		gone[id] = true
	}
	gone[b.UpToEventID] = true
	hit := func(id session.EventID) bool { return gone[id] }
	first := slices.IndexFunc(t.entries, func(e *Entry) bool { return slices.ContainsFunc(e.Origin, hit) })
	agents := t.rewindAgents(ev, b)
	switch {
	case first < 0 && agents:
		return Applied
	case first < 0:
		return Ignored
	}
	from := t.entries[first].At
	toEnd := len(b.EventIDs) == 0 // only the first of the events is named
	text := wentBack(t.entries[first])
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
	t.stirred.note(t.version, first)
	clear(t.changes)
	clear(t.asks)
	clear(t.external)
	t.retry = retry{}
	t.startTurn(turn{key: t.turn.key})
	t.rewound(from)
	if t.depth > 0 {
		return Applied // the timeline of the one that it works for says it
	}
	if last := t.newest(); last != nil && isBack(last) { // nothing was said since
		t.remove(last)
	}
	t.add(ev, entryID("rewind", string(ev.ID)), &Divider{Text: text, back: true}, Done)
	return Applied
}

// promptLimit is how much of a prompt its name has, in runes.
const promptLimit = 60

// wentBack says to where a rewind went that takes first and what is after it
// back: to before a prompt, named by how it begins.
func wentBack(first *Entry) string {
	p, ok := first.Body.(*Prompt)
	if !ok {
		return "Went back to an earlier point"
	}
	text := []rune(oneLine(firstLine(p.Text)))
	if len(text) > promptLimit {
		text = append(text[:promptLimit], '…')
	}
	if len(text) == 0 {
		return "Went back to before a prompt"
	}
	return "Went back to before " + quoted(string(text))
}

// lastStored is the newest entry but for the mark of a rewind, which stored logs
// do not have; nil if there is none.
func (t *Timeline) lastStored() *Entry {
	last := t.newest()
	if last == nil || !isBack(last) {
		return last
	}
	if last.pos == 0 {
		return nil
	}
	return t.entries[last.pos-1]
}

func isBack(e *Entry) bool {
	b, ok := e.Body.(*Divider)
	return ok && b.back
}
