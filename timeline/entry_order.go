package timeline

import "parley/session"

// arrange puts the calls that a message asks for in the order it has them, and
// behind what it says: some of them may be older.
func (m *messages) arrange(after *Entry, requests []session.ToolRequest) {
	var calls []*Entry
	moved, sorted, last := map[*Entry]bool{}, true, -1
	if after != nil {
		last = after.pos
	}
	low, high := len(m.entries), last
	for _, r := range requests {
		e := m.index[entryID("call", string(r.ToolCallID))]
		if e == nil {
			continue
		}
		c, ok := e.Body.(*ToolCall)
		if !ok || !c.unrequested {
			continue
		}
		c.unrequested = false
		sorted = sorted && e.pos > last
		last, low, high = e.pos, min(low, e.pos), max(high, e.pos)
		calls, moved[e] = append(calls, e), true
	}
	if sorted {
		return
	}
	part := m.entries[low : high+1]
	order := make([]*Entry, 0, len(part))
	if after == nil || after.pos < low {
		order = append(order, calls...)
	}
	for _, e := range part {
		if !moved[e] {
			order = append(order, e)
		}
		if e == after {
			order = append(order, calls...)
		}
	}
	copy(part, order)
	m.renumber(low)
	for _, e := range calls {
		m.touch(e)
	}
	m.moved.note(m.version, low)
}

// firstOf returns the oldest entry a message already has: its streamed text,
// or a call whose arguments were streamed; nil if it has none.
func (m *messages) firstOf(e *Entry, requests []session.ToolRequest) *Entry {
	for _, r := range requests {
		if c, ok := m.index[entryID("call", string(r.ToolCallID))]; ok && (e == nil || c.pos < e.pos) {
			e = c
		}
	}
	return e
}

// insertAt puts an entry before another one, or at the end if that is nil.
func (m *messages) insertAt(before *Entry, ev session.Event, id EntryID, b Body, s State) *Entry {
	pos := len(m.entries)
	if before != nil && before.pos >= 0 {
		pos = before.pos
	}
	return m.insert(pos, ev, id, b, s)
}

func (m *messages) moveBefore(e, before *Entry) {
	m.keepSummaryPlace(e)
	at := before.pos
	copy(m.entries[at+1:e.pos+1], m.entries[at:e.pos])
	m.entries[at] = e
	m.renumber(at)
	m.touch(e)
}
