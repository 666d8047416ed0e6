package timeline

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/session"
)

// tree calls do for a timeline and those of all its sub-agents.
func tree(tl *Timeline, do func(*Timeline)) {
	do(tl)
	for _, e := range tl.entries {
		if c, ok := e.Body.(*ToolCall); ok && c.Agent != nil {
			tree(c.Agent.Timeline, do)
		}
	}
}

// countRunning counts the sub-agents that live, at any depth.
func countRunning(tl *Timeline) (n int) {
	tree(tl, func(tl *Timeline) {
		for _, e := range tl.entries {
			if c, ok := e.Body.(*ToolCall); ok && c.Agent != nil && c.Agent.State == Live {
				n++
			}
		}
	})
	return n
}

// entryForms writes the entries of a timeline without what depends on the order
// in which other timelines grew.
func entryForms(tl *Timeline) string {
	var b strings.Builder
	for i, e := range tl.entries {
		dumpEntry(&b, i, e)
	}
	return b.String()
}

// agentEvents are events that a sub-agent, or the root agent, may send.
func agentEvents() []session.Body {
	call := session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "shell", ToolCallID: "x"}}
	return []session.Body{
		session.UserMessage{Content: "Look."},
		session.AssistantTurnStart{},
		session.AssistantTurnEnd{},
		session.AssistantIdle{},
		session.AssistantReasoningDelta{ReasoningID: "r", DeltaContent: "hm"},
		session.AssistantMessageDelta{MessageID: "m", DeltaContent: "I"},
		session.AssistantMessage{MessageID: "m", Content: "I look.", ToolRequests: []session.ToolRequest{{ToolCallID: "x", Name: "task"}}},
		session.ToolExecutionStart{ToolCallID: "x", ToolName: "task"},
		session.ToolExecutionStart{ToolCallID: "y", ToolName: "bash"},
		session.ToolExecutionComplete{ToolCallID: "x", Success: true},
		session.ToolExecutionComplete{ToolCallID: "y", Success: true, Result: &session.ToolResult{Content: "ok"}},
		session.AssistantTurnRetry{},
		session.SessionError{Message: "broken"},
		session.AssistantUsage{InputTokens: 3},
		session.PermissionRequested{RequestID: "p", PermissionRequest: call},
		session.PermissionCompleted{RequestID: "p", ToolCallID: "x", Result: session.PermissionResult{Kind: "approved"}},
		session.ElicitationRequested{RequestID: "q", Message: "Which?"},
		session.ElicitationCompleted{RequestID: "q", Action: session.Cancel},
		session.SessionCompactionStart{},
		session.SessionCompactionComplete{Success: true},
		session.Abort{},
		session.SessionInfo{Message: "by the way"},
	}
}

// TestSubagentsInAnyOrder: whatever comes in whatever order, from agents that
// start, nest and end at any time, the timelines keep their promises and the
// sub-agents that are said to run are those that do.
func TestSubagentsInAnyOrder(t *testing.T) {
	t.Parallel()
	bodies := agentEvents()
	for _, call := range []session.CallID{"", "c", "x", "y", "z"} {
		for _, mode := range []string{"sync", "background"} {
			bodies = append(bodies, session.SubagentStarted{ToolCallID: call, ExecutionMode: mode}, session.SubagentStarted{ToolCallID: call, ParentID: "A"})
		}
		bodies = append(bodies,
			session.SubagentCompleted{ToolCallID: call}, session.SubagentFailed{ToolCallID: call},
			session.ToolExecutionStart{ToolCallID: call, ToolName: "task"}, session.ToolExecutionComplete{ToolCallID: call, Success: true},
			session.ToolExecutionStart{ToolCallID: "y", ParentToolCallID: call})
	}
	bodies = append(bodies, session.SessionIdle{}, session.SessionShutdown{}, session.SessionResume{},
		session.SessionSnapshotRewind{}, session.PermissionCompleted{RequestID: "p"})
	rapid.Check(t, func(rt *rapid.T) {
		tl := New()
		for n := range rapid.IntRange(1, 80).Draw(rt, "events") {
			b := rapid.SampledFrom(bodies).Draw(rt, "body")
			if r, ok := b.(session.SessionSnapshotRewind); ok {
				r.UpToEventID = session.EventID(fmt.Sprint("e", rapid.IntRange(0, n).Draw(rt, "to")))
				b = r
			}
			ev := session.Event{
				ID: session.EventID(fmt.Sprint("e", n)), Body: b, Ephemeral: rapid.Bool().Draw(rt, "ephemeral"),
				Agent: rapid.SampledFrom([]session.AgentID{"", "A", "B", "C"}).Draw(rt, "agent"),
			}
			before := tl.Version()
			switch out := tl.Apply(ev); {
			case out == Unhandled:
				rt.Fatalf("%s is unhandled", ev.Kind())
			case out == Ignored && tl.Version() != before:
				rt.Fatalf("%s is ignored and changed something", ev.Kind())
			}
			tree(tl, func(tl *Timeline) { consistent(rt, tl) })
			if got, want := tl.Status().Agents, countRunning(tl); got != want {
				rt.Fatalf("after %s of %q: %d are said to run, and %d do", ev.Kind(), ev.Agent, got, want)
			}
			for _, e := range tl.entries {
				if c, ok := e.Body.(*ToolCall); ok && c.Agent != nil && e.State.Final() && c.Agent.State == Live {
					rt.Fatalf("%s has ended and its agent lives", e.ID)
				}
			}
		}
		tl.Apply(session.Event{Body: session.SessionShutdown{}})
		if n := countRunning(tl); n != 0 {
			rt.Fatalf("%d run after the end of the process", n)
		}
	})
}

// names reports whether an event is about a tool call.
func names(b session.Body) bool {
	call, _ := callOf(b)
	return call != ""
}

// TestSubagentTimelineIsItsOwn: the timeline of a sub-agent is what its events
// alone make, whatever others send in between.
func TestSubagentTimelineIsItsOwn(t *testing.T) {
	t.Parallel()
	bodies := agentEvents()
	rapid.Check(t, func(rt *rapid.T) {
		tl := New()
		alone := map[session.AgentID]*Timeline{"A": New(), "B": New(), "C": New()}
		for _, own := range alone {
			own.depth = 1
		}
		apply := func(ev session.Event) { tl.Apply(ev) }
		for _, id := range []session.AgentID{"A", "B", "C"} {
			call := session.CallID("call " + id)
			apply(session.Event{ID: session.EventID(call), Body: session.ToolExecutionStart{ToolCallID: call, ToolName: "task"}})
			if rapid.Bool().Draw(rt, "started") {
				apply(session.Event{Agent: id, Body: session.SubagentStarted{ToolCallID: call, ExecutionMode: "background"}})
			}
		}
		for n := range rapid.IntRange(1, 60).Draw(rt, "events") {
			ev := session.Event{
				ID: session.EventID(fmt.Sprint("e", n)), Ephemeral: rapid.Bool().Draw(rt, "ephemeral"),
				Agent: rapid.SampledFrom([]session.AgentID{"", "A", "B", "C"}).Draw(rt, "agent"),
				Body:  rapid.SampledFrom(bodies).Draw(rt, "body"),
			}
			if _, settled := ev.Body.(session.Resolved); ev.Agent == "" && (settled || names(ev.Body)) {
				continue // without an envelope it is of the agent that asked, or that made the call
			}
			apply(ev)
			if own := alone[ev.Agent]; own != nil {
				ev.Agent = ""
				own.Apply(ev)
			}
		}
		for id, own := range alone {
			a := tl.calls.agents[id]
			if a == nil {
				if own.Len() > 0 {
					rt.Fatalf("%s is not known", id)
				}
				continue
			}
			if got, want := entryForms(a.Timeline), entryForms(own); got != want {
				rt.Fatalf("%s has\n%s\nand alone\n%s", id, got, want)
			}
		}
	})
}

// BenchmarkSubagent streams the answer of a sub-agent whose timeline is long.
func BenchmarkSubagent(b *testing.B) {
	for _, length := range []int{10, 100_000} {
		b.Run(fmt.Sprint(length), func(b *testing.B) {
			tl := New()
			tl.Apply(session.Event{Agent: "A", Body: session.SubagentStarted{ToolCallID: "c"}})
			for i := range length {
				tl.Apply(session.Event{ID: session.EventID(fmt.Sprint(i)), Agent: "A", Body: session.UserMessage{Content: "hello"}})
			}
			ev := session.Event{
				Ephemeral: true, Agent: "A",
				Body: session.AssistantMessageDelta{MessageID: "m", DeltaContent: "sixteen bytes .."},
			}
			b.SetBytes(16)
			b.ReportAllocs()
			for b.Loop() {
				tl.Apply(ev)
			}
		})
	}
}
