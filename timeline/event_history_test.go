package timeline_test

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/session/sessiontest"
	"parley/timeline"
)

// recorded calls do for each record of a timeline, of its sub-agents too.
func recorded(tl *timeline.Timeline, do func(timeline.Record)) {
	for i := range tl.Len() {
		e := tl.At(i)
		for _, r := range e.Events {
			do(r)
		}
		if c, ok := e.Body.(*timeline.ToolCall); ok && c.Agent != nil {
			recorded(c.Agent.Timeline, do)
		}
	}
	for _, r := range tl.Unplaced() {
		do(r)
	}
}

// TestNoEventIsOutOfReach: each event of each log is in the history of an entry,
// as it came, but for increments, which are counted, and for what was taken back.
func TestNoEventIsOutOfReach(t *testing.T) {
	t.Parallel()
	for _, name := range sessiontest.LogNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log := sessiontest.Log(t, name)
			if slices.ContainsFunc(log, func(ev session.Event) bool { return ev.Kind() == "session.snapshot_rewind" }) {
				t.Skip("what is taken back has no entry any more")
			}
			held := map[string]bool{}
			last := map[session.Kind]bool{}
			recorded(reduce(log), func(r timeline.Record) {
				held[string(r.JSON())] = true
				last[r.Kind()] = true
			})
			for _, ev := range log {
				if ev.Kind().Increment() && !last[ev.Kind()] || !ev.Kind().Increment() && !held[string(ev.Wire)] {
					t.Errorf("%s %s is in no entry", ev.Kind(), ev.ID)
				}
			}
		})
	}
}

// TestEventsOfEntries says which events belong to which entry.
func TestEventsOfEntries(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	tl := reduce(sessiontest.Log(t, "hand/reference_turn"))
	for i := range tl.Len() {
		e := tl.At(i)
		fmt.Fprintf(&b, "%T\n", e.Body)
		for _, r := range e.Events {
			fmt.Fprintf(&b, "    %s ×%d\n", r.Kind(), r.Count)
		}
	}
	sessiontest.Golden(t, "timeline/events_of_entries", b.String())
}

// TestReceiptHasItsQuestion: the history of a receipt begins with the event that
// asked, which may have come long before.
func TestReceiptHasItsQuestion(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]session.Body{
		{session.UserInputRequested{RequestID: "r", Question: "Which branch?"}, session.UserInputCompleted{RequestID: "r"}},
		{session.FolderTrustRequested{RequestID: "r", Folder: "/x"}, session.FolderTrustCompleted{RequestID: "r"}},
	} {
		asks, settles := c[0], c[1]
		tl := reduce([]session.Event{{Body: session.UserMessage{Content: "go"}}, {Body: asks}, {Body: session.SessionInfo{Message: "wait"}}, {Body: settles}})
		last := tl.At(tl.Len() - 1)
		var kinds []session.Kind
		for _, r := range last.Events {
			kinds = append(kinds, r.Kind())
		}
		want := []session.Kind{session.KindOf(asks), session.KindOf(settles)}
		if _, ok := last.Body.(*timeline.AnsweredQuestion); !ok || !slices.Equal(kinds, want) {
			t.Errorf("%T is made of %v", last.Body, kinds)
		}
	}
}

// TestUnstoredEventsHaveAForm: an event that came over no wire has the form that it
// would be stored in, and its increments do not grow the history.
func TestUnstoredEventsHaveAForm(t *testing.T) {
	t.Parallel()
	tl := timeline.New()
	for i := range 10_000 {
		tl.Apply(session.Event{
			ID: session.EventID(fmt.Sprint(i)), Ephemeral: true, Agent: "",
			Body: session.AssistantMessageDelta{MessageID: "m", DeltaContent: "x"},
		})
	}
	e := tl.At(0)
	if len(e.Events) != 1 || e.Events[0].Count != 10_000 {
		t.Fatalf("%d records", len(e.Events))
	}
	line := e.Events[0].JSON()
	if ev := session.Decode(line); ev.ID != "9999" || !bytes.Contains(line, []byte(`"deltaContent":"x"`)) {
		t.Errorf("the last one is %s", line)
	}
}

// TestAgentOfARecord: the event of a sub-agent is held with the agent that it is
// of.
func TestAgentOfARecord(t *testing.T) {
	t.Parallel()
	tl := reduce([]session.Event{
		{ID: "1", Body: session.ToolExecutionStart{ToolCallID: "c", ToolName: "task"}},
		{ID: "2", Agent: "a", Body: session.SubagentStarted{ToolCallID: "c", AgentName: "explore"}},
		{ID: "3", Agent: "a", Body: session.AssistantMessage{MessageID: "m", Content: "Found."}},
	})
	found := false
	recorded(tl, func(r timeline.Record) {
		if ev := session.Decode(r.JSON()); ev.ID == "3" {
			found = ev.Agent == "a"
		}
	})
	if !found {
		t.Error("no record says that the answer is of the sub-agent")
	}
}

// TestRecordsAreBounded: events that repeat for ever take up no more room for ever.
func TestRecordsAreBounded(t *testing.T) {
	t.Parallel()
	tl := timeline.New()
	tl.Apply(session.Event{ID: "p", Body: session.UserMessage{Content: "Hello"}})
	const n = 5000
	for i := range n {
		tl.Apply(session.Decode(fmt.Appendf(nil, `{"type":"session.title_changed","data":{"title":"T%d"},"id":"e%d","ephemeral":true}`, i, i)))
	}
	e := tl.At(0)
	count := 0
	for _, r := range e.Events {
		count += r.Count
	}
	last := e.Events[len(e.Events)-1].JSON()
	if len(e.Events) > 1000 || count != n+1 || !strings.Contains(string(last), "T4999") {
		t.Errorf("%d records of %d events, the last %s", len(e.Events), count, last)
	}
}

// TestWireIsKeptAsItCame: also what was not readable or well-formed.
func TestWireIsKeptAsItCame(t *testing.T) {
	t.Parallel()
	line := jsontext.Value(`{ "type":"abort", "data":{"reason":7}, "id":"x", "brand":"new" }`)
	tl := reduce([]session.Event{session.Decode(line)})
	if got := tl.At(0).Events[0].JSON(); !bytes.Equal(got, line) {
		t.Errorf("held as %s", got)
	}
}

// TestLongTextIsHeldOnce: the text of an entry and the line it came in take up the
// room of one, and the line is as it came, however its text is quoted.
func TestLongTextIsHeldOnce(t *testing.T) {
	long := strings.Repeat("Lösung \"a\"\n\t", 40_000)
	quoted, err := jsontext.AppendQuote(nil, long)
	if err != nil {
		t.Fatal(err)
	}
	escaped := bytes.ReplaceAll(quoted, []byte("ö"), []byte(`\u00f6`))
	for name, of := range map[string]struct {
		line   string
		shared bool
	}{
		"prompt":       {`{"type":"user.message","data":{"content":%s},"id":"1"}`, true},
		"answer":       {`{"type":"assistant.message","data":{"messageId":"m","content":%s,"brand":"new"},"id":"1"}`, true},
		"reasoning":    {`{"type":"assistant.reasoning","data":{"reasoningId":"r","content":%s},"id":"1"}`, true},
		"result":       {`{"type":"tool.execution_complete","data":{"toolCallId":"c","success":true,"result":{"content":%s}},"id":"1"}`, true},
		"twice":        {`{"type":"user.message","data":{"transformedContent":%[1]s,"content":%[1]s},"id":"1"}`, true},
		"other quotes": {`{"type":"user.message","data":{"content":` + string(escaped) + `},"id":"1"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			line := jsontext.Value(of.line)
			if of.shared {
				line = fmt.Appendf(nil, of.line, quoted)
			}
			held := heldBytes(func() any { return reduce([]session.Event{session.Decode(line)}) })
			if most := len(line) + len(line)/4; of.shared && name != "twice" && held > most {
				t.Errorf("%d bytes are held for a line of %d", held, len(line))
			}
			tl := reduce([]session.Event{session.Decode(line)})
			if got := tl.At(0).Events[0].JSON(); !bytes.Equal(got, line) {
				t.Errorf("held as %.200s", got)
			}
		})
	}
}

// heldBytes is how much of the heap what do returns takes up. Pools are empty only
// after the second collection.
func heldBytes(do func() any) int {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&before)
	made := do()
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(made)
	return int(after.HeapAlloc) - int(before.HeapAlloc)
}

// TestExtraFieldsAreHeld: an event that came over no wire is held with the fields
// that have no place in it.
func TestExtraFieldsAreHeld(t *testing.T) {
	t.Parallel()
	ev := session.Decode([]byte(`{"type":"abort","data":{"reason":7},"id":"x","brand":"new"}`))
	ev.Wire = nil
	want, err := session.Encode(ev)
	if err != nil {
		t.Fatal(err)
	}
	tl := reduce([]session.Event{ev})
	r := tl.At(0).Events[0]
	if got := r.JSON(); !bytes.Equal(got, want) || !bytes.Contains(got, []byte(`"brand":"new"`)) || r.Kind() != ev.Kind() {
		t.Errorf("held as %s, want %s", got, want)
	}
}

// TestEventsOfAgentsWithoutACall: what sub-agents do whose call is not known is
// nowhere else, also what those do that they started.
func TestEventsOfAgentsWithoutACall(t *testing.T) {
	t.Parallel()
	tl := reduce([]session.Event{
		{ID: "1", Agent: "A", Body: session.AssistantMessage{MessageID: "m", Content: "Found."}},
		{ID: "2", Agent: "A", Body: session.ToolExecutionStart{ToolCallID: "d", ToolName: "task"}},
		{ID: "3", Agent: "B", Body: session.SubagentStarted{ToolCallID: "d", ParentID: "A", AgentName: "explore"}},
		{ID: "4", Agent: "B", Body: session.AssistantMessage{MessageID: "n", Content: "Deeper."}},
		{ID: "5", Agent: "A", Body: session.AssistantTurnStart{TurnID: "1"}},
	})
	held := map[session.EventID]int{}
	for _, r := range tl.Unplaced() {
		held[session.Decode(r.JSON()).ID]++
	}
	for _, id := range []session.EventID{"1", "2", "3", "4", "5"} {
		if held[id] == 0 {
			t.Errorf("event %s is out of reach: %v", id, held)
		}
	}
}

// TestRecordsGoToWhatWasSaid: an event that changes nothing is in the history of the
// last entry of the conversation, however many remarks came since, up to a bound.
func TestRecordsGoToWhatWasSaid(t *testing.T) {
	t.Parallel()
	const most = 64
	for remarks, placed := range map[int]bool{0: true, most - 1: true, most: false} {
		f := newFeed().stored(session.UserMessage{Content: "go"})
		for i := range remarks {
			f.stored(session.SessionWarning{Message: fmt.Sprint("remark ", i)})
		}
		f.stored(session.SubagentConfigured{})
		if got := len(f.At(0).Events) == 2; got != placed || len(f.Unplaced()) == 0 != placed {
			t.Errorf("behind %d remarks: %t, %d are in no entry", remarks, got, len(f.Unplaced()))
		}
	}
}
