package timeline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/timeline"
)

// feed gives a timeline one event a second.
type feed struct {
	*timeline.Timeline
	n     int
	shown map[timeline.EntryID]shownAs
	order []timeline.EntryID // of the entries, as they stood
}

// shownAs is what an entry looked like when it had a version.
type shownAs struct {
	version uint64
	form    string
}

func newFeed() *feed { return &feed{Timeline: timeline.New(), shown: map[timeline.EntryID]shownAs{}} }

// Apply panics where an entry changes and keeps its version, or moves and is said to
// stand where it stood, for it would be drawn as it was; and where nothing was decided
// about an event.
func (f *feed) Apply(ev session.Event) timeline.ApplyResult {
	before := f.Version()
	out := f.Timeline.Apply(ev)
	if out == timeline.Unhandled {
		panic(fmt.Sprintf("%s is unhandled", ev.Kind()))
	}
	for i := range f.Len() {
		e := f.At(i)
		now, was := shownAs{e.Version, timeline.OwnForm(e)}, f.shown[e.ID]
		if now.version == was.version && now.form != was.form {
			panic(fmt.Sprintf("%s changed by %s and kept version %d:\n%s\n%s", e.ID, ev.Kind(), e.Version, was.form, now.form))
		}
		f.shown[e.ID] = now
		if i < min(len(f.order), f.Stable(before)) && f.order[i] != e.ID {
			panic(fmt.Sprintf("%s takes the place of %s by %s, and Stable does not say so", e.ID, f.order[i], ev.Kind()))
		}
	}
	f.order = f.order[:0]
	for i := range f.Len() {
		f.order = append(f.order, f.At(i).ID)
	}
	return out
}

func clock(n int) time.Time { return time.Date(2026, 3, 2, 9, 0, n, 0, time.UTC) }

func (f *feed) next(b session.Body) session.Event {
	f.n++
	return session.Event{ID: session.EventID(fmt.Sprintf("e%d", f.n)), Time: clock(f.n), Body: b}
}

// stored applies events that are kept, live ones that are not.
func (f *feed) stored(bodies ...session.Body) *feed {
	for _, b := range bodies {
		f.Apply(f.next(b))
	}
	return f
}

func (f *feed) live(bodies ...session.Body) *feed {
	for _, b := range bodies {
		ev := f.next(b)
		ev.Ephemeral = true
		f.Apply(ev)
	}
	return f
}

func (f *feed) agent(id session.AgentID, bodies ...session.Body) *feed {
	for _, b := range bodies {
		ev := f.next(b)
		ev.Agent = id
		f.Apply(ev)
	}
	return f
}

// turn begins a turn that a user asked for.
func (f *feed) turn() *feed {
	return f.stored(session.UserMessage{Content: "go"}, session.AssistantTurnStart{TurnID: "0"})
}

// outline writes the timeline in one line: what each entry is and says.
func (f *feed) outline() string {
	var parts []string
	for i := range f.Len() {
		e := f.At(i)
		var s string
		switch b := e.Body.(type) {
		case *timeline.Summary:
			continue // the tests of the summary look for it
		case *timeline.Prompt:
			s = "prompt " + b.Text
		case *timeline.Message:
			s = "message " + b.Text.String()
		case *timeline.Reasoning:
			s = "thinking " + b.Text.String()
		case *timeline.ToolCall:
			s = "call " + b.Name
		case *timeline.Notice:
			s = b.Level.String() + " " + b.Text
		case *timeline.AnsweredQuestion:
			s = "question " + b.Question + " " + b.Answer
		case *timeline.Divider:
			s = "boundary " + b.Text
		case *timeline.Unrecognised:
			s = fmt.Sprintf("unrecognised %s ×%d", b.Kind, b.Count)
		}
		if e.State != timeline.Done {
			s += " (" + e.State.String() + ")"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " | ")
}

func (f *feed) want(t *testing.T, want string) {
	t.Helper()
	if got := f.outline(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// call returns the entry of call c.
func (f *feed) call(t *testing.T) (*timeline.Entry, *timeline.ToolCall) {
	t.Helper()
	i, ok := f.Find("call:c")
	if !ok {
		t.Fatalf("no call: %s", f.outline())
	}
	c, ok := f.At(i).Body.(*timeline.ToolCall)
	if !ok {
		t.Fatalf("call:c is %T", f.At(i).Body)
	}
	return f.At(i), c
}

func startOf(tool, args string) session.ToolExecutionStart {
	return session.ToolExecutionStart{ToolCallID: "c", ToolName: tool, Arguments: jsontext.Value(args)}
}

func completeOf(content string) session.ToolExecutionComplete {
	return session.ToolExecutionComplete{ToolCallID: "c", Success: true, Result: &session.ToolResult{Content: content}}
}

func delta(id session.MessageID, text string) session.AssistantMessageDelta {
	return session.AssistantMessageDelta{MessageID: id, DeltaContent: text}
}

func said(id session.MessageID, text string) session.AssistantMessage {
	return session.AssistantMessage{MessageID: id, Content: text}
}

func thought(id session.ReasoningID, text string) session.AssistantReasoningDelta {
	return session.AssistantReasoningDelta{ReasoningID: id, DeltaContent: text}
}

func ptr[T any](v T) *T { return &v }
