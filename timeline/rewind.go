package timeline

import (
	"slices"

	"parley/session"
)

// rewind takes back what the removed events made: from the first entry that
// comes from one of them on, every entry that does, and every entry that comes
// from no stored event at all, such as the text of an interrupted answer. What
// else was said in between, such as a warning that is still in the log, stays.
// A line says that it was done, at the end, where the conversation continues.
// Stored logs do not have it: what was taken back is not in them.
func (lc *lifecycle) rewind(ev session.Event, b session.SessionSnapshotRewind) ApplyResult {
	gone := make(map[session.EventID]bool, len(b.EventIDs)+1)
	for _, id := range b.EventIDs {
		gone[id] = true
	}
	gone[b.UpToEventID] = true
	hit := func(id session.EventID) bool { return gone[id] }
	first := slices.IndexFunc(lc.entries, func(e *Entry) bool { return slices.ContainsFunc(e.Origin, hit) })
	agents := lc.rewindAgents(ev, b)
	switch {
	case first < 0 && agents:
		return Applied
	case first < 0:
		return Ignored
	}
	from := lc.entries[first].At
	toEnd := len(b.EventIDs) == 0 // only the first of the events is named
	text := rewindText(lc.entries[first])
	kept := lc.entries[:first]
	remarks := max(first, lc.rewindRemarks()) // they are about this rewind, and came before its event
	for _, e := range lc.entries[first:remarks] {
		if toEnd || len(e.Origin) == 0 || slices.ContainsFunc(e.Origin, hit) {
			lc.forgetAgent(e)
			lc.forget(e)
		} else {
			kept = append(kept, e)
		}
	}
	kept = append(kept, lc.entries[remarks:]...)
	clear(lc.entries[len(kept):])
	lc.entries = kept
	lc.renumber(first)
	lc.moved.note(lc.version, first)
	lc.news++
	clear(lc.pending)
	clear(lc.external)
	lc.retry = retry{}
	lc.startTurn(turn{key: lc.turn.key})
	lc.summaries.rewound(from)
	if lc.depth > 0 {
		return Applied // the timeline of the one that it works for says it
	}
	at := lc.rewindRemarks()
	if at > 0 && isRewind(lc.entries[at-1]) { // nothing was said since
		at--
		lc.remove(lc.entries[at])
	}
	lc.insert(at, ev, entryID("rewind", string(ev.ID)), &Divider{Text: text, rewind: true}, Done)
	return Applied
}

// RanCommandSince reports whether a shell command ran, of the agent, of one that works for
// it, or of the user, since the prompt of an event: not all that it changed may be known.
// Without that prompt it is about all that the timeline has.
func (t *Timeline) RanCommandSince(id session.EventID) bool {
	for _, e := range slices.Backward(t.entries) {
		switch b := e.Body.(type) {
		case *ToolCall:
			ran := (b.started || b.ended) && !b.unanswered && e.State != Refused
			if ran && b.Family() == session.RunCommand || b.Agent != nil && b.Agent.Timeline.RanCommandSince("") {
				return true
			}
		case *Prompt:
			if slices.Contains(e.Origin, id) {
				return false
			}
		}
	}
	return false
}

// promptLimit is how much of a prompt its name has, in runes.
const promptLimit = 60

// rewindText says to where a rewind went that takes first and what is after it
// back: to before a prompt, named by how it begins.
func rewindText(first *Entry) string {
	p, ok := first.Body.(*Prompt)
	if !ok {
		return "Rewound to an earlier point"
	}
	text := []rune(oneLine(firstLine(p.Text)))
	if len(text) > promptLimit {
		text = append(text[:promptLimit], '…')
	}
	if len(text) == 0 {
		return "Rewound to before a prompt"
	}
	return "Rewound to before " + quoted(string(text))
}

// lastStored is the newest entry but for the mark of a rewind, which stored logs
// do not have; nil without such an entry.
func (l *entryList) lastStored() *Entry {
	last := l.newest()
	if last == nil || !isRewind(last) {
		return last
	}
	if last.pos == 0 {
		return nil
	}
	return l.entries[last.pos-1]
}

// rewindRemarks is where the entries at the end begin that Parley says of a rewind, such as
// what was not put back.
func (l *entryList) rewindRemarks() int {
	at := len(l.entries)
	for ; at > 0; at-- {
		e := l.entries[at-1]
		if n := noticeOf(e); n == nil || n.Category != "rewind" || len(e.Origin) > 0 {
			break
		}
	}
	return at
}

func isRewind(e *Entry) bool {
	b, ok := e.Body.(*Divider)
	return ok && b.rewind
}
