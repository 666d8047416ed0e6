package telemetry

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/session"
	"parley/session/sessiontest"
)

// check holds steps to what an SDK and a reader need: a span is opened once,
// below one that is open, ends once and not before it began, and only an open
// one is spoken of.
func check(t rapid.TB, open map[spanID]time.Time, seen map[spanID]bool, steps []spanOp) {
	for _, s := range steps {
		switch s := s.(type) {
		case startOp:
			if _, ok := open[s.parent]; s.parent != 0 && !ok {
				t.Fatalf("%s begins below the span %d, which is not open", s.name, s.parent)
			}
			if seen[s.id] || s.id == 0 || s.name == "" {
				t.Fatalf("the span %d (%q) begins again", s.id, s.name)
			}
			if s.at.Before(open[s.parent]) {
				t.Fatalf("%s begins before its parent", s.name)
			}
			seen[s.id], open[s.id] = true, s.at
		case attributesOp:
			if _, ok := open[s.id]; !ok {
				t.Fatalf("the span %d is described and not open", s.id)
			}
		case eventOp:
			if _, ok := open[s.id]; !ok {
				t.Fatalf("%s is noted on the span %d, which is not open", s.name, s.id)
			}
		case endOp:
			from, ok := open[s.id]
			if !ok || s.at.Before(from) {
				t.Fatalf("the span %d ends, open %t, from %v to %v", s.id, ok, from, s.at)
			}
			delete(open, s.id)
		case metricOp:
			if s.value < 0 {
				t.Fatalf("%s is %g", s.with, s.value)
			}
		}
	}
}

// corpus is every event of every log.
func corpus(t testing.TB) []session.Event {
	t.Helper()
	var all []session.Event
	for _, name := range sessiontest.LogNames(t) {
		all = append(all, sessiontest.Log(t, name)...)
	}
	return all
}

// TestTotal gives a projection events of all logs, mixed, with few ids of
// agents, calls and requests, and times that jump.
func TestTotal(t *testing.T) {
	t.Parallel()
	var all []session.Event
	for _, ev := range corpus(t) {
		switch ev.Body.(type) {
		case session.AssistantMessageDelta, session.AssistantStreamingDelta, session.SessionBackgroundTasksChanged, session.Unknown:
		default:
			all = append(all, ev)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p := newProjection(session.Info{ID: "s", Agent: "a"}, rapid.Bool().Draw(t, "content"))
		open, seen := map[spanID]time.Time{}, map[spanID]bool{}
		for i := range rapid.IntRange(0, 120).Draw(t, "events") {
			ev := mixed(t, i, all)
			check(t, open, seen, p.apply(ev))
		}
		check(t, open, seen, p.close(time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "end"), 0)))
		if len(open) != 0 || len(p.open) != 0 || len(p.calls) != 0 || len(p.questions) != 0 || len(p.compactions) != 0 {
			t.Fatalf("%d spans are open at the end: %v", len(open), open)
		}
	})
}

// mixed is an event from anywhere, or one that hits what others began.
func mixed(t *rapid.T, i int, all []session.Event) session.Event {
	label := func(what string) string { return fmt.Sprint(what, i) }
	ev := rapid.SampledFrom(all).Draw(t, label("event"))
	ev.Agent = rapid.SampledFrom([]session.AgentID{"", "", "a", "b"}).Draw(t, label("agent"))
	ev.Time = time.Unix(rapid.Int64Range(1e9, 1e9+50).Draw(t, label("time")), 0)
	call := rapid.SampledFrom([]session.CallID{"", "1", "2", "3"}).Draw(t, label("call"))
	switch b := ev.Body.(type) {
	case session.ToolExecutionStart:
		b.ToolCallID = call
		ev.Body = b
	case session.ToolUserRequested:
		b.ToolCallID = call
		ev.Body = b
	case session.ToolExecutionComplete:
		b.ToolCallID = call
		ev.Body = b
	case session.SubagentStarted:
		b.ToolCallID = call
		ev.Body = b
	case session.PermissionRequested:
		b.PermissionRequest.ToolCallID, b.RequestID = call, session.RequestID(call)
		ev.Body = b
	case session.PermissionCompleted:
		b.RequestID = session.RequestID(call)
		ev.Body = b
	case session.SessionCompactionStart:
		b.CompactionAttemptID = string(call)
		ev.Body = b
	case session.SessionCompactionComplete:
		b.CompactionAttemptID = string(call)
		ev.Body = b
	}
	return ev
}

// TestEveryCaptureMakesSense holds each log, in its own order and cut short
// anywhere, to the same rules.
func TestEveryCaptureMakesSense(t *testing.T) {
	t.Parallel()
	for _, name := range sessiontest.LogNames(t) {
		events := sessiontest.Log(t, name)
		for _, n := range []int{len(events), len(events) / 2, len(events) / 3} {
			p := newProjection(session.Info{}, true)
			open, seen := map[spanID]time.Time{}, map[spanID]bool{}
			for _, ev := range events[:n] {
				check(t, open, seen, p.apply(ev))
			}
			check(t, open, seen, p.close(time.Time{}))
			if len(open) != 0 {
				t.Errorf("%s: %v are open at the end", name, open)
			}
		}
	}
}

// TestEveryKind gives a projection one event of each kind that there is, in the
// middle of work, and finds it in order.
func TestEveryKind(t *testing.T) {
	t.Parallel()
	var kinds []string
	samples := sessiontest.Events(t)
	for kind := range samples {
		kinds = append(kinds, string(kind))
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		p := newProjection(session.Info{}, true)
		open, seen := map[spanID]time.Time{}, map[spanID]bool{}
		for _, k := range []session.Kind{session.KindUserMessage, session.KindAssistantTurnStart, session.Kind(kind)} {
			check(t, open, seen, p.apply(session.Decode(samples[k])))
		}
		check(t, open, seen, p.close(time.Time{}))
	}
}
