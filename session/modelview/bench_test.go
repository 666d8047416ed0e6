package modelview_test

import (
	"fmt"
	"testing"

	"parley/session"
	"parley/session/modelview"
)

// spoken is a long session: prompts, and answers with a call each.
func spoken(prompts int) []session.Event {
	var events []session.Event
	say := func(b session.Body) {
		events = append(events, session.Event{ID: session.EventID(fmt.Sprintf("e%d", len(events))), Body: b})
	}
	for i := range prompts {
		call := session.CallID(fmt.Sprintf("c%d", i))
		say(system("system", "", "be good"))
		say(user("go"))
		say(says("one moment", call))
		say(session.ToolExecutionStart{ToolCallID: call})
		say(session.AssistantMessageDelta{MessageID: "m", DeltaContent: "so"})
		say(result(call, "out"))
		say(says("so"))
	}
	return events
}

// TestApplyIsBounded: what an event costs does not depend on how much was said
// before it.
func TestApplyIsBounded(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts for the whole process
	for _, prompts := range []int{1, 5000} {
		v := project(spoken(prompts))
		for name, c := range map[string]struct {
			body session.Body
			max  float64
		}{
			"a delta":  {session.AssistantMessageDelta{MessageID: "m", DeltaContent: "so"}, 0},
			"a notice": {session.SessionInfo{Message: "news"}, 0},
			"an abort": {session.Abort{}, 0},
			"a prompt": {user("go"), 8},
			"a result": {result("c0", "out"), 8},
			"a rewind": {session.SessionSnapshotRewind{UpToEventID: "never"}, 8},
		} {
			got := testing.AllocsPerRun(100, func() {
				v.Apply(session.Event{ID: "x", Body: c.body})
			})
			if got > c.max {
				t.Errorf("after %d prompts %s costs %v allocations, want at most %v", prompts, name, got, c.max)
			}
		}
	}
}

// BenchmarkApply folds a session of a thousand events and one of ten thousand: the
// time for an event must be the same.
func BenchmarkApply(b *testing.B) {
	for _, prompts := range []int{150, 1500} {
		events := spoken(prompts)
		b.Run(fmt.Sprint(len(events)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				project(events)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(events)), "ns/event")
		})
	}
}

// BenchmarkRewind takes back half of a session, each event by its name.
func BenchmarkRewind(b *testing.B) {
	for _, prompts := range []int{150, 1500} {
		events := spoken(prompts)
		half := len(events) / 2 / 7 * 7
		back := session.SessionSnapshotRewind{UpToEventID: events[half+1].ID}
		for _, ev := range events[half:] {
			back.EventIDs = append(back.EventIDs, ev.ID)
		}
		b.Run(fmt.Sprint(len(events)), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				v := project(events)
				b.StartTimer()
				if v.Apply(session.Event{ID: "back", Body: back}) != modelview.Applied {
					b.Fatal("nothing was taken back")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(events)), "ns/event")
		})
	}
}

// BenchmarkMessages asks for what is sent next, which costs what it returns.
func BenchmarkMessages(b *testing.B) {
	v := project(spoken(1500))
	b.ReportAllocs()
	for b.Loop() {
		_ = v.Messages()
	}
}
