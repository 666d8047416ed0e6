package timeline

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"parley/session"
)

// tallied counts what the calls of a timeline, and of its sub-agents, add to an
// interaction, from the entries alone.
func tallied(tl *Timeline, i *interaction, s *Summary) {
	for _, e := range tl.entries {
		c, ok := e.Body.(*ToolCall)
		if !ok {
			continue
		}
		if c.Agent != nil {
			tallied(c.Agent.Timeline, i, s)
		}
		if c.interaction != i {
			continue
		}
		if !c.UserRequested {
			s.Calls++
			if c.ranShell(e.State) {
				s.Commands++
			}
			if e.State == Failed {
				s.Failures++
			}
		}
		if c.filesCounted {
			for _, f := range c.Changes() {
				s.Added += f.Added
				s.Removed += f.Removed
				if !slices.ContainsFunc(s.Files, func(g FileChange) bool { return g.Path == f.Path }) {
					s.Files = append(s.Files, f)
				}
			}
		}
	}
}

// summed fails unless every summary belongs to one prompt before it and says
// what its calls add up to.
func summed(t interface {
	Helper()
	Fatalf(format string, args ...any)
}, tl *Timeline,
) {
	t.Helper()
	shown := 0
	for _, i := range tl.interactions {
		if i.prompt.pos < 0 {
			t.Fatalf("the prompt of %s is gone", i.prompt.ID)
		}
		if i.entry != nil {
			shown++
			if i.entry.pos <= i.prompt.pos || i.entry.Body != Body(i.sum) {
				t.Fatalf("%s is at %d, and its prompt at %d", i.entry.ID, i.entry.pos, i.prompt.pos)
			}
		}
		var want Summary
		tallied(tl, i, &want)
		got := *i.sum
		if got.Calls != want.Calls || got.Commands != want.Commands || got.Failures != want.Failures ||
			got.Added != want.Added || got.Removed != want.Removed || len(got.Files) != len(want.Files) {
			t.Fatalf("%s counted %+v of %+v", i.prompt.ID, got, want)
		}
		added, removed := 0, 0
		for _, f := range got.Files {
			added, removed = added+f.Added, removed+f.Removed
		}
		if added != got.Added || removed != got.Removed || got.Took < 0 || i.entry != nil && got.Turns != len(i.turns) {
			t.Fatalf("%s does not add up: %+v", i.prompt.ID, got)
		}
	}
	for _, e := range tl.entries {
		if _, ok := e.Body.(*Summary); ok {
			shown--
		}
	}
	if shown != 0 {
		t.Fatalf("%d summaries belong to no prompt", -shown)
	}
}

// TestSummariesAddUp: at any point of any log, with parts of it in any order.
func TestSummariesAddUp(t *testing.T) {
	t.Parallel()
	logs := corpus(t)
	rapid.Check(t, func(rt *rapid.T) {
		pick := rapid.IntRange(0, len(logs)-1)
		events := slices.Concat(logs[pick.Draw(rt, "log")], logs[pick.Draw(rt, "other")])
		for range rapid.IntRange(0, 30).Draw(rt, "moves") {
			i := rapid.IntRange(0, len(events)-1).Draw(rt, "i")
			j := rapid.IntRange(0, len(events)-1).Draw(rt, "j")
			events[i], events[j] = events[j], events[i]
		}
		for range rapid.IntRange(0, 3).Draw(rt, "rewinds") {
			i := rapid.IntRange(0, len(events)-1).Draw(rt, "at")
			to := rapid.IntRange(0, i).Draw(rt, "to")
			back := session.SessionSnapshotRewind{UpToEventID: events[to].ID}
			if rapid.Bool().Draw(rt, "named") {
				for _, ev := range events[to : i+1] {
					back.EventIDs = append(back.EventIDs, ev.ID)
				}
			}
			events = slices.Insert(events, i+1, session.Event{Body: back, Agent: events[to].Agent, Ephemeral: true})
		}
		tl := New()
		for n, ev := range events {
			tl.Apply(ev)
			if n%8 == 0 {
				summed(rt, tl)
			}
		}
		summed(rt, tl)
		consistent(rt, tl)
	})
}

// TestSummaryIsTheEnd: in every log, once the agent has stopped nothing that it
// did for the last prompt stands below the summary of that, and there is one.
func TestSummaryIsTheEnd(t *testing.T) {
	t.Parallel()
	for _, log := range corpus(t) {
		tl := New()
		for _, ev := range log {
			tl.Apply(ev)
			i := tl.interaction
			idle := ev.Kind() == "assistant.idle" || ev.Kind() == session.KindSessionIdle
			if !idle || ev.Agent != "" || i == nil || i.prompt == nil || len(i.turns) == 0 {
				continue
			}
			if i.entry == nil {
				t.Fatalf("no summary of %s after %s", i.prompt.ID, ev.ID)
			}
			for _, e := range tl.entries[i.entry.pos+1:] {
				switch b := e.Body.(type) {
				case *Message, *Reasoning, *Prompt, *Divider:
					t.Fatalf("%s is below the summary of %s", e.ID, i.prompt.ID)
				case *ToolCall:
					if !b.UserRequested {
						t.Fatalf("%s is below the summary of %s", e.ID, i.prompt.ID)
					}
				}
			}
		}
	}
}

// BenchmarkTurns applies a stored log of ever more turns with one prompt: each
// turn must cost the same.
func BenchmarkTurns(b *testing.B) {
	for _, length := range []int{10, 10_000} {
		tl := New()
		turn := func() {
			tl.Apply(session.Event{Body: session.AssistantTurnStart{}})
			tl.Apply(session.Event{Body: session.ToolExecutionStart{ToolCallID: session.CallID(fmt.Sprint(tl.version)), ToolName: "bash"}})
			tl.Apply(session.Event{Body: session.AssistantTurnEnd{}})
		}
		tl.Apply(session.Event{Body: session.UserMessage{Content: "go"}})
		for range length {
			turn()
		}
		b.Run(map[int]string{10: "few", 10_000: "many"}[length], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				turn()
			}
		})
	}
}
