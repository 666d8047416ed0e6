package timeline

import (
	"slices"
	"strconv"
	"time"

	"parley/session"
)

// ApplyResult is what Apply did with an event.
type ApplyResult uint8

// The results. Unhandled is the zero value, so that a kind nobody decided
// about shows as the defect it is.
const (
	Unhandled ApplyResult = iota // no decision was written down for this kind: a bug
	Ignored                      // nothing to show, by decision
	Applied                      // the timeline or its status changed
)

// String implements fmt.Stringer.
func (o ApplyResult) String() string {
	return [...]string{"unhandled", "ignored", "applied"}[min(int(o), 2)]
}

// Timeline is the list of entries that the events so far make, and the status
// they leave the session in. It is not safe for concurrent use.
type Timeline struct {
	entries []*Entry
	index   map[EntryID]*Entry
	version uint64
	open    openEntries

	turn       turn
	retry      retry
	compaction *Entry // the one that began last
	changes    map[string]change
	servers    map[string]string // the last status that was told of each MCP server
	noted      noted

	reasonings map[session.ReasoningID]*Entry
	asks       map[session.RequestID]*ask
	external   map[session.RequestID]*Entry // calls of a client's tools that it has not answered
	agents     map[session.AgentID]*agent
	owners     map[session.CallID]*agent // by the call that runs it, and by its own calls

	depth int // how many agents are above the one it is of

	interaction  *interaction   // the one that runs or ran last; of a sub-agent's timeline, that of its call
	interactions []*interaction // those with a prompt, oldest first
	warned       map[string]bool
	ledger       ledger
	status       Status
	phase        phase
	provider     string    // what the provider's tool does, in words; read in the phase hosted
	stream       bool      // an ephemeral event came: the log is live, not read from a store
	before       time.Time // of the last event before the one being applied
	runtime      bool      // something came that only the Copilot CLI runtime sends

	stirred stirred
	applied uint32 // counts the events that were folded; only neighbours are compared
	folding folding
	ahead   records  // the events that wait for an entry
	made    []*agent // every sub-agent, in the order in which they were heard of
}

// New returns an empty timeline.
func New() *Timeline {
	return &Timeline{
		index:      map[EntryID]*Entry{},
		changes:    map[string]change{},
		servers:    map[string]string{},
		noted:      noted{assets: map[string]string{}},
		reasonings: map[session.ReasoningID]*Entry{},
		asks:       map[session.RequestID]*ask{},
		external:   map[session.RequestID]*Entry{},
		agents:     map[session.AgentID]*agent{},
		owners:     map[session.CallID]*agent{},
	}
}

// Apply folds one event into the timeline. It is total: any event in any order
// with any content is taken, and it costs what the event adds, not what the
// timeline holds. Only a rewind looks at every entry.
func (t *Timeline) Apply(ev session.Event) ApplyResult {
	if ev.Body == nil {
		return Ignored
	}
	t.spent(ev.Body)
	if t.depth < deepest {
		if a, own := t.route(ev); a != nil {
			t.activity(ev)
			return t.applySubagent(ev, a, own)
		}
	}
	return t.fold(ev)
}

// activity notes that an event came.
func (t *Timeline) activity(ev session.Event) {
	if ev.Ephemeral {
		t.stream = true
	}
	t.before = t.status.LastActivity
	if ev.Time.After(t.status.LastActivity) {
		t.status.LastActivity = ev.Time
	}
}

// fold takes an event of the agent that the timeline is of.
func (t *Timeline) fold(ev session.Event) ApplyResult { return t.foldAs(ev, &ev) }

// foldAs takes an event of the agent that the timeline is of, which is recorded
// as it came.
func (t *Timeline) foldAs(ev session.Event, came *session.Event) ApplyResult {
	t.activity(ev)
	t.begins(came)
	defer t.place()
	version := t.version
	t.goesOn(ev)
	moved := t.version != version
	out := t.dispatch(ev)
	version = t.version
	t.stops(ev)
	if out == Ignored && (moved || t.version != version) {
		return Applied
	}
	return out
}

func (t *Timeline) dispatch(ev session.Event) ApplyResult {
	for _, apply := range [...]func(session.Event) ApplyResult{
		t.applyMessage, t.applyTool, t.applyTurn, t.applyAsk, t.applyChat,
		t.applyUsage, t.applyCatalog, t.applyContext, t.applyNotice, t.applySetting, t.applyAgent,
	} {
		if out := apply(ev); out != Unhandled {
			return out
		}
	}
	if later(ev.Body) {
		return Ignored
	}
	return Unhandled
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
func (t *Timeline) add(ev session.Event, id EntryID, b Body, s State) *Entry {
	return t.insert(len(t.entries), ev, id, b, s)
}

// insert puts an entry that ev makes at pos. Entries after it are renumbered,
// which is cheap because only the newest ones are ever inserted before.
func (t *Timeline) insert(pos int, ev session.Event, id EntryID, b Body, s State) *Entry {
	e := t.newEntry(ev, id, b, s)
	t.put(pos, e)
	return e
}

// newEntry returns an entry that ev makes, which is not in the list yet.
func (t *Timeline) newEntry(ev session.Event, id EntryID, b Body, s State) *Entry {
	e := &Entry{ID: id, Agent: ev.Agent, At: ev.Time, State: s, Body: b}
	if s.Final() {
		e.End = ev.Time
	}
	t.from(e, ev)
	return e
}

// put puts an entry that is not in the list at pos.
func (t *Timeline) put(pos int, e *Entry) {
	if _, taken := t.index[e.ID]; taken {
		e.ID += EntryID("~" + strconv.FormatUint(t.version, 10))
	}
	if len(t.changes) > 0 {
		clear(t.changes)
	}
	t.claim(e)
	t.index[e.ID] = e
	t.entries = slices.Insert(t.entries, pos, e)
	t.renumber(pos)
	if !e.State.Final() {
		t.open.add(e)
	}
	t.touch(e)
}

// remove takes an entry out. It leaves nothing behind that could bring it back.
func (t *Timeline) remove(e *Entry) {
	if e.pos < 0 {
		return
	}
	t.displaced(e)
	pos := e.pos
	t.entries = slices.Delete(t.entries, pos, pos+1)
	t.renumber(pos)
	t.forget(e)
	t.stirred.note(t.version, pos)
	t.pass(e)
}

// forget cleans up after an entry that is no longer in the list.
func (t *Timeline) forget(e *Entry) {
	delete(t.index, e.ID)
	t.forgetAgent(e)
	if r, ok := e.Body.(*Reasoning); ok && t.reasonings[r.ReasoningID] == e {
		delete(t.reasonings, r.ReasoningID)
	}
	e.pos = -1
	t.version++
}

func (t *Timeline) renumber(from int) {
	for i := from; i < len(t.entries); i++ {
		t.entries[i].pos = i
	}
}

// touch gives an entry a new version. Nothing else writes Version, so a change
// that is not followed by touch shows as a stale line in the first test.
func (t *Timeline) touch(e *Entry) {
	t.version++
	e.Version = t.version
	t.stirred.note(t.version, max(e.pos, 0))
	t.record(e)
	if c, ok := e.Body.(*ToolCall); ok {
		t.count(e, c)
	}
}

// from notes a stored event as an origin of e. Ephemeral events are no origin:
// they are gone when the log is read again.
func (t *Timeline) from(e *Entry, ev session.Event) {
	if ev.Ephemeral || ev.ID == "" || slices.Contains(e.Origin[max(0, len(e.Origin)-1):], ev.ID) {
		return
	}
	e.Origin = append(e.Origin, ev.ID)
}

// seal ends an entry, in a final state. It keeps the time of an end that was
// known before. A message or a thought without any visible text leaves no empty
// bubble.
func (t *Timeline) seal(ev session.Event, e *Entry, s State) {
	if e.pos < 0 {
		return
	}
	if blank(e) {
		t.remove(e)
		return
	}
	if e.End.IsZero() || !e.State.Final() {
		e.End = ev.Time
	}
	e.State = s
	if c, ok := e.Body.(*ToolCall); ok {
		t.agentEnded(ev, e, c, s)
	}
	t.touch(e)
}

// reopen makes an ended entry live again.
func (t *Timeline) reopen(e *Entry) {
	if !e.State.Final() {
		return
	}
	e.State, e.End = Live, time.Time{}
	t.open.add(e)
	t.touch(e)
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
