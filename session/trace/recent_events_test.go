package trace_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/session"
	"parley/session/sessiontest"
	"parley/session/trace"
)

// notes writes notes, a line each.
func notes(r *trace.RecentEvents) string {
	var b strings.Builder
	for _, n := range r.Notes() {
		fmt.Fprintf(&b, "%s x%d", n.Kind, n.Count)
		for _, a := range n.Attrs {
			b.WriteString(" " + a.String())
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestRecentCountsAStream(t *testing.T) {
	t.Parallel()
	var r trace.RecentEvents
	at := time.Date(2026, 11, 21, 10, 41, 0, 0, time.UTC)
	delta := session.Event{Time: at, Ephemeral: true, Body: session.AssistantMessageDelta{MessageID: "m", DeltaContent: "one "}}
	thought := session.Event{Time: at, Ephemeral: true, Body: session.AssistantReasoningDelta{DeltaContent: "two "}}
	r.Add(&session.Event{ID: "0190d3a1-1111-7222-8333-0123456789ab", Time: at, Body: session.UserMessage{Content: "secret"}})
	for range 100 {
		r.Add(&delta)
		r.Add(&thought)
	}
	other := delta
	other.Agent = "reviewer"
	r.Add(&other)
	ask := session.Event{Time: at, Ephemeral: true, Body: session.UserInputRequested{RequestID: "q1", Question: "secret"}}
	r.Add(&ask)
	ask.Body = session.UserInputRequested{RequestID: "q2"}
	r.Add(&ask)
	r.Add(&session.Event{ID: "mine", Time: at, Body: session.SessionError{ErrorType: "quota", Message: "secret", StatusCode: 429}})
	want := []string{
		"user.message x1 id=0190d3a1 bytes=", "assistant.message_delta x100 ", "assistant.reasoning_delta x100",
		"assistant.message_delta x1 ", "user_input.requested x1", "user_input.requested x1", "session.error x1 ",
	}
	got := strings.Split(strings.TrimSuffix(notes(&r), "\n"), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d notes, want %d:\n%s", len(got), len(want), notes(&r))
	}
	for i, w := range want {
		if !strings.HasPrefix(got[i], w) {
			t.Errorf("note %d is %q, want %q", i, got[i], w)
		}
	}
	if !strings.Contains(got[6], "category=quota status=429") || strings.Contains(notes(&r), "secret") || strings.Contains(notes(&r), "reviewer") {
		t.Errorf("got:\n%s", notes(&r))
	}
}

func TestRecentKeepsTheLast(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var r trace.RecentEvents
		n := rapid.IntRange(0, 5*trace.MaxEvents).Draw(t, "events")
		for i := range n {
			r.Add(&session.Event{ID: session.EventID(fmt.Sprint(i)), Time: time.Unix(int64(i), 0), Body: session.AssistantIdle{}})
		}
		copied := r.Clone()
		r.Add(&session.Event{Body: session.Abort{}})
		notes := copied.Notes()
		if len(notes) != min(n, trace.MaxEvents) {
			t.Fatalf("%d notes of %d events", len(notes), n)
		}
		for i, note := range notes {
			if want := int64(n - len(notes) + i); note.Time.Unix() != want {
				t.Fatalf("note %d is of event %d, want %d", i, note.Time.Unix(), want)
			}
		}
	})
}

// TestRecentDelta holds the cost of a piece of a stream to no allocation.
func TestRecentDelta(t *testing.T) {
	var r trace.RecentEvents
	ev := session.Event{Ephemeral: true, Body: session.AssistantMessageDelta{MessageID: "m", DeltaContent: "one "}}
	r.Add(&ev)
	if n := testing.AllocsPerRun(1000, func() { r.Add(&ev) }); n > 0 {
		t.Errorf("%v allocations for a delta", n)
	}
}

func BenchmarkRecentAdd(b *testing.B) {
	var r trace.RecentEvents
	events := []session.Event{
		{Ephemeral: true, Body: session.AssistantMessageDelta{DeltaContent: "one "}},
		{Ephemeral: true, Body: session.AssistantReasoningDelta{DeltaContent: "two "}},
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r.Add(&events[i%2])
	}
	sessiontest.Figure(b, float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/event", 500)
}
