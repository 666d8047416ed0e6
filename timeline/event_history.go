package timeline

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// Record is an event in the history of an entry, for a view of its fields.
type Record struct {
	// Count is how many events it stands for: of increments, and of events that
	// keep repeating, only the last one is held.
	Count int

	event heldEvent
}

// Kind returns the kind of the event.
func (r Record) Kind() session.Kind { return r.event.kind() }

// JSON returns the event's wire form as it came. Of an event that did not come
// over a wire it is the form in which it would be stored, or nil if it has none.
func (r Record) JSON() jsontext.Value { return r.event.json() }

// heldEvent is an event as entries hold it. All entries share it, but for increments.
type heldEvent interface {
	kind() session.Kind
	json() jsontext.Value
	order() uint32 // counts the Apply that it is of, which only neighbours have in common
}

// wireRecord is an event that came over a wire, whose line has all of it. A long text in
// it is held once, by the line and by the entry that shows it.
type wireRecord struct {
	is   session.Kind
	line jsontext.Value // without the text
	text string
	at   int // where the text stands in the line, in quotation marks
	seq  uint32
}

// longText is how many bytes a text has at least that is not held twice.
const longText = 1 << 10

func newWireRecord(ev *session.Event, seq uint32) *wireRecord {
	w := &wireRecord{is: ev.Kind(), line: ev.Wire, seq: seq}
	text := mainText(ev.Body)
	if len(text) < longText {
		return w
	}
	quoted, err := jsontext.AppendQuote(make([]byte, 0, len(ev.Wire)), text)
	if at := bytes.Index(ev.Wire, quoted); err == nil && at >= 0 {
		w.line, w.text, w.at = slices.Concat(ev.Wire[:at], ev.Wire[at+len(quoted):]), text, at
	}
	return w
}

// mainText is the text of an event that its entry shows; "" if it has none.
func mainText(b session.Body) string {
	switch b := b.(type) {
	case session.UserMessage:
		return b.Content
	case session.AssistantMessage:
		return b.Content
	case session.AssistantReasoning:
		return b.Content
	case session.ToolExecutionComplete:
		if b.Result != nil {
			return cmp.Or(b.Result.DetailedContent, b.Result.Content)
		}
	}
	return ""
}

func (w *wireRecord) kind() session.Kind { return w.is }
func (w *wireRecord) order() uint32      { return w.seq }

func (w *wireRecord) json() jsontext.Value {
	if w.text == "" {
		return w.line
	}
	quoted, _ := jsontext.AppendQuote(nil, w.text) // it could be quoted before
	return slices.Concat(w.line[:w.at], quoted, w.line[w.at:])
}

// bodyRecord is an event that did not come over a wire. Of the fields of an event it
// has those that such an event fills: thousands of them are held.
type bodyRecord struct {
	body       session.Body
	id, parent session.EventID
	agent      session.AgentID
	at         time.Time
	seq        uint32
	ephemeral  bool
}

func newBodyRecord(ev *session.Event, seq uint32) bodyRecord {
	return bodyRecord{ev.Body, ev.ID, ev.Parent, ev.Agent, ev.Time, seq, ev.Ephemeral}
}

func (u *bodyRecord) kind() session.Kind { return session.KindOf(u.body) }
func (u *bodyRecord) order() uint32      { return u.seq }

func (u *bodyRecord) json() jsontext.Value {
	return stored(session.Event{Body: u.body, ID: u.id, Parent: u.parent, Agent: u.agent, Time: u.at, Ephemeral: u.ephemeral})
}

// stored is the form in which an event would be stored, or nil if it has none.
func stored(ev session.Event) jsontext.Value {
	line, err := session.Encode(ev)
	if err != nil {
		return nil
	}
	return line
}

// maxRecords is how many events an entry holds. When there are more, a new one
// takes the place of the last of its kind.
const maxRecords = 1000

// commonRecords is how many events most entries are made of, at least.
const commonRecords = 3

// recordedKinds is how far back the last record of the same increment is looked
// for: output and progress of a call alternate.
const recordedKinds = 8

// records are the events of an entry, oldest first.
type records []Record

// add puts a record at the end, or in the place of the one that it repeats.
func (r *records) add(next Record) {
	list := *r
	if n := len(list); n > 0 && list[n-1].event.order() == next.event.order() {
		return
	}
	kind, back := next.Kind(), 0
	increment := kind.Increment()
	switch {
	case increment:
		back = min(recordedKinds, len(list))
	case len(list) >= maxRecords:
		back = len(list)
	}
	for i := len(list) - 1; i >= len(list)-back; i-- {
		if was := &list[i]; was.Kind() == kind {
			was.Count += next.Count
			was.event = hold(next.event, was.event, increment)
			return
		}
	}
	if next.event = hold(next.event, nil, increment); list == nil {
		list = make(records, 0, commonRecords)
	}
	*r = append(list, next)
}

// hold returns what an entry holds of an event that comes after was. An increment
// is only lent: it is copied to the place of the one before, so that thousands of
// them take no more room than one.
func hold(next, was heldEvent, increment bool) heldEvent {
	passing, ok := next.(*bodyRecord)
	if !ok || !increment {
		return next
	}
	place, ok := was.(*bodyRecord)
	if !ok {
		place = new(bodyRecord)
	}
	*place = *passing
	return place
}

// bodyRecordsAtOnce is for how many events that did not come over a wire there is room
// at once: nearly all of them are held for as long as the timeline lives.
const bodyRecordsAtOnce = 8

// eventHistory gives each event to the entries that it made or changed. It holds
// the event that is being folded, and what became of it.
type eventHistory struct {
	applied   uint32 // counts the events that were folded; only neighbours are compared
	current   Record
	increment bodyRecord   // of the record, where it is one
	room      []bodyRecord // for the next events that are no increments
	active    bool
	claimed   bool    // it is in the history of an entry
	unplaced  records // the events that wait for an entry
}

// begin makes ev the event that entries are changed by, until end.
func (h *eventHistory) begin(ev *session.Event) {
	h.applied++
	h.active, h.claimed = true, false
	h.current.Count = 1
	switch {
	case ev.Wire != nil:
		h.current.event = newWireRecord(ev, h.applied)
	case ev.Extra != nil || ev.Unreadable != nil:
		h.current.event = &wireRecord{is: ev.Kind(), line: stored(*ev), seq: h.applied}
	case ev.Kind().Increment():
		h.increment = newBodyRecord(ev, h.applied)
		h.current.event = &h.increment
	default:
		if len(h.room) == 0 {
			h.room = make([]bodyRecord, bodyRecordsAtOnce)
		}
		h.room[0] = newBodyRecord(ev, h.applied)
		h.current.event, h.room = &h.room[0], h.room[1:]
	}
}

// record notes the event that is being folded in the history of an entry that it
// made or changed.
func (h *eventHistory) record(e *Entry) {
	if h.active {
		h.claimed = true
		e.Events.add(h.current)
	}
}

// end ends the folding of an event. One that changed no entry is given to one
// all the same, so that its fields can be seen.
func (h *eventHistory) end(entries []*Entry) {
	h.active = false
	if !h.claimed {
		h.assign(entries, h.current)
	}
}

// assign gives a record to an entry that it did not change: what begins something
// to the next entry of the conversation, anything else to the last one.
func (h *eventHistory) assign(entries []*Entry, r Record) {
	if r.Kind() == session.KindAssistantTurnStart || r.Kind() == session.KindAssistantMessageStart {
		h.unplaced.add(r)
		return
	}
	e := lastEntry(entries, (*Entry).inConversation)
	if r.Kind() == session.KindAssistantUsage {
		e = cmp.Or(lastEntry(entries, func(e *Entry) bool { return textOf(e) != nil }), e)
	}
	if e == nil {
		h.unplaced.add(r)
		return
	}
	e.Events.add(r)
}

// pass gives the records of an entry that was removed to another one.
func (h *eventHistory) pass(entries []*Entry, e *Entry) {
	for _, r := range e.Events {
		h.assign(entries, r)
	}
	e.Events = nil
}

// claim gives a new entry the events that waited for it.
func (h *eventHistory) claim(e *Entry) {
	if len(h.unplaced) > 0 && e.inConversation() {
		e.Events, h.unplaced = h.unplaced, nil
	}
}

// lastEntry returns the newest entry of a kind, among the last ones; nil if none
// is of that kind.
func lastEntry(entries []*Entry, kind func(*Entry) bool) *Entry {
	const most = 64
	for _, e := range slices.Backward(entries[max(0, len(entries)-most):]) {
		if kind(e) {
			return e
		}
	}
	return nil
}

// inConversation reports whether an entry belongs to the conversation: it is no remark
// about the session.
func (e *Entry) inConversation() bool {
	switch e.Body.(type) {
	case *Prompt, *Message, *Reasoning, *ToolCall, *Summary, *SessionEnd:
		return !e.VerboseOnly
	}
	return false
}

// Unplaced returns the events that are in no entry's history yet, oldest first:
// those before the first entry, those that begin the next one, and those of
// sub-agents whose call is not known.
func (t *Timeline) Unplaced() []Record {
	list := slices.Clone(t.history.unplaced)
	for _, a := range t.calls.made {
		if a.entry == nil {
			list = append(list, a.Timeline.records()...)
		}
	}
	return list
}

func (t *Timeline) records() records {
	var list records
	for _, e := range t.entries {
		list = append(list, e.Events...)
		if c, ok := e.Body.(*ToolCall); ok && c.Agent != nil {
			list = append(list, c.Agent.Timeline.records()...)
		}
	}
	return append(list, t.Unplaced()...)
}
