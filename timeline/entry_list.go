package timeline

import (
	"slices"
	"strconv"
	"time"

	"parley/session"
)

// entryList is the entries of a timeline, their order and their versions. All
// subjects change entries through it, and it alone writes versions.
type entryList struct {
	entries []*Entry
	index   map[EntryID]*Entry
	version uint64
	moved   changedPlaces
	open    openEntries
	news    int // counts the entries that came, but for those that say nothing new
	depth   int // how many agents are above the one it is of

	interaction  *interaction   // the one that runs or ran last; of a sub-agent's list, that of its call
	interactions []*interaction // those with a prompt, oldest first

	history eventHistory
}

// Len returns the number of entries.
func (t *Timeline) Len() int { return len(t.entries) }

// At returns entry i, counted from 0 at the oldest. The entry belongs to the
// timeline: callers read it and do not keep it across a removal.
func (t *Timeline) At(i int) *Entry { return t.entries[i] }

// Find returns where the entry with this id is.
func (t *Timeline) Find(id EntryID) (i int, ok bool) {
	e, ok := t.index[id]
	if !ok {
		return 0, false
	}
	return e.pos, true
}

// Version grows with every change of any entry, with every entry that comes
// and with every one that goes.
func (t *Timeline) Version() uint64 { return t.version }

// add appends an entry that ev makes.
func (l *entryList) add(ev session.Event, id EntryID, b Body, s State) *Entry {
	return l.insert(len(l.entries), ev, id, b, s)
}

// insert puts an entry that ev makes at pos. Entries after it are renumbered,
// which is cheap because only the newest ones are ever inserted before.
func (l *entryList) insert(pos int, ev session.Event, id EntryID, b Body, s State) *Entry {
	e := l.newEntry(ev, id, b, s)
	l.put(pos, e)
	return e
}

// newEntry returns an entry that ev makes, which is not in the list yet.
func (l *entryList) newEntry(ev session.Event, id EntryID, b Body, s State) *Entry {
	e := &Entry{ID: id, Agent: ev.Agent, At: ev.Time, State: s, Body: b}
	if s.Final() {
		e.End = ev.Time
	}
	l.addOrigin(e, ev)
	return e
}

// put puts an entry that is not in the list at pos.
func (l *entryList) put(pos int, e *Entry) {
	if _, taken := l.index[e.ID]; taken {
		e.ID += EntryID("~" + strconv.FormatUint(l.version, 10))
	}
	l.news++
	l.history.claim(e)
	l.index[e.ID] = e
	l.entries = slices.Insert(l.entries, pos, e)
	l.renumber(pos)
	if !e.State.Final() {
		l.open.add(e)
	}
	l.touch(e)
}

// remove takes an entry out. It leaves nothing behind that could bring it back.
func (l *entryList) remove(e *Entry) {
	if e.pos < 0 {
		return
	}
	l.keepSummaryPlace(e)
	pos := e.pos
	l.entries = slices.Delete(l.entries, pos, pos+1)
	l.renumber(pos)
	l.forget(e)
	l.moved.note(l.version, pos)
	l.history.pass(l.entries, e)
}

// forget cleans up after an entry that is no longer in the list.
func (l *entryList) forget(e *Entry) {
	delete(l.index, e.ID)
	e.pos = -1
	l.version++
}

func (l *entryList) renumber(from int) {
	for i := from; i < len(l.entries); i++ {
		l.entries[i].pos = i
	}
}

// touch gives an entry a new version. Nothing else writes Version, so a change
// that is not followed by touch shows as a stale line in the first test.
func (l *entryList) touch(e *Entry) {
	l.version++
	e.Version = l.version
	l.moved.note(l.version, max(e.pos, 0))
	l.history.record(e)
	if c, ok := e.Body.(*ToolCall); ok {
		l.countCall(e, c)
	}
}

// addOrigin notes a stored event as an origin of e. Ephemeral events are no origin:
// they are not there when the log is read again.
func (l *entryList) addOrigin(e *Entry, ev session.Event) {
	if ev.Ephemeral || ev.ID == "" || slices.Contains(e.Origin[max(0, len(e.Origin)-1):], ev.ID) {
		return
	}
	e.Origin = append(e.Origin, ev.ID)
}

// seal ends an entry, in a final state. It keeps the time of an end that was
// known before. A message or a thought without any visible text leaves no empty
// bubble.
func (l *entryList) seal(ev session.Event, e *Entry, s State) {
	if e.pos < 0 {
		return
	}
	if blank(e) {
		l.remove(e)
		return
	}
	if e.End.IsZero() || !e.State.Final() {
		e.End = ev.Time
	}
	e.State = s
	l.touch(e)
}

// reopen makes an ended entry live again.
func (l *entryList) reopen(e *Entry) {
	if !e.State.Final() {
		return
	}
	e.State, e.End = Live, time.Time{}
	l.open.add(e)
	l.touch(e)
}

// openEntries holds the entries that may still be live, in the order they
// began. Ended ones are swept out when the list has doubled, so that keeping
// it costs a constant amount for each entry.
type openEntries struct {
	list  []*Entry
	limit int
}

func (o *openEntries) add(e *Entry) {
	if e.listed { // it ended and was reopened before it was swept out
		return
	}
	if len(o.list) >= o.limit {
		o.sweep()
		o.limit = max(16, 2*len(o.list))
	}
	e.listed = true
	o.list = append(o.list, e)
}

// sweep drops what has ended and returns what has not. The result is valid
// until the next entry is added.
func (o *openEntries) sweep() []*Entry {
	o.list = slices.DeleteFunc(o.list, func(e *Entry) bool {
		e.listed = e.pos >= 0 && !e.State.Final()
		return !e.listed
	})
	return o.list
}
