package modelview_test

import (
	"fmt"
	"runtime"
	"strings"
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

// allocated is how many bytes f takes, and how many of them it keeps.
func allocated(f func() any) (total, kept int64) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	v := f()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(v)
	//nolint:gosec // far from the limits
	return int64(after.TotalAlloc - before.TotalAlloc), int64(after.HeapAlloc) - int64(before.HeapAlloc)
}

// TestCompactionsAreBounded: each summary holds all prompts, and only the text
// of the one in force is kept.
func TestCompactionsAreBounded(t *testing.T) { //nolint:paralleltest // it counts for the whole process
	const n, size = 1000, 2 << 10
	prompts := make([]string, n)
	for i := range prompts {
		prompts[i] = strings.Repeat("x", size)
	}
	for looks, most := range map[int]int64{0: 2 * n * size, 20: 64 * n * size} {
		total, kept := allocated(func() any {
			v := modelview.New()
			for i, p := range prompts {
				v.Apply(session.Event{Body: user(p)})
				v.Apply(session.Event{Body: compacted("", "S")})
				if looks > 0 && i%(n/looks) == 0 {
					v.Messages()
				}
			}
			return v
		})
		if total > most || kept > 3*n*size {
			t.Errorf("%d prompts of %d bytes, compacted each: %d bytes are taken and %d kept", n, size, total, kept)
		}
	}
	v := project([]session.Event{{Body: user(prompts[0])}, {Body: compacted("", "S")}})
	v.Messages()
	if total, _ := allocated(func() any { return v.Messages() }); total > size {
		t.Errorf("to look again at a summary takes %d bytes", total)
	}
}

// TestEqualInstructionsAreBounded: the runtime says them in each turn.
func TestEqualInstructionsAreBounded(t *testing.T) { //nolint:paralleltest // it counts for the whole process
	const n = 10_000
	total, _ := allocated(func() any {
		v := modelview.New()
		for range n {
			v.Apply(session.Event{ID: "e", Body: system("system", "", "be good")})
		}
		return v
	})
	if total > 1000*n {
		t.Errorf("%d equal system messages take %d bytes", n, total)
	}
}

// BenchmarkMany folds much of what is looked for among the rest: system messages
// of many names, and truncations. The time for an event must be the same.
func BenchmarkMany(b *testing.B) {
	for name, body := range map[string]func(i int) session.Body{
		"names": func(i int) session.Body { return system("system", fmt.Sprint(i), "be good") },
		"truncations": func(i int) session.Body {
			return [...]session.Body{user("go"), says("so"), session.SessionTruncation{MessagesRemovedDuringTruncation: 1}}[i%3]
		},
	} {
		for _, n := range []int{1000, 10_000} {
			b.Run(fmt.Sprint(name, n), func(b *testing.B) {
				for b.Loop() {
					v := modelview.New()
					for i := range n {
						v.Apply(session.Event{ID: "e", Body: body(i)})
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/event")
			})
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
