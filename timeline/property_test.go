package timeline

import (
	"bufio"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/session"
	"parley/session/sessiontest"
)

// consistent fails unless the timeline keeps its promises, whatever it was fed.
func consistent(t interface {
	Helper()
	Fatalf(format string, args ...any)
}, tl *Timeline,
) {
	t.Helper()
	if len(tl.index) != len(tl.entries) {
		t.Fatalf("%d entries, %d in the index", len(tl.entries), len(tl.index))
	}
	for i, e := range tl.open.list {
		if !e.listed || slices.Contains(tl.open.list[:i], e) {
			t.Fatalf("%s is listed as live twice", e.ID)
		}
	}
	versions := map[uint64]bool{}
	calls := map[session.CallID]bool{}
	for i, e := range tl.entries {
		if e.pos != i {
			t.Fatalf("entry %d thinks it is entry %d", i, e.pos)
		}
		if at, ok := tl.Find(e.ID); !ok || at != i {
			t.Fatalf("entry %d, %s, is found at %d", i, e.ID, at)
		}
		if e.Version == 0 || e.Version > tl.version || versions[e.Version] {
			t.Fatalf("entry %d has version %d of %d", i, e.Version, tl.version)
		}
		versions[e.Version] = true
		if e.State == Live && !slices.Contains(tl.open.list, e) {
			t.Fatalf("entry %d, %s, is live and will never end", i, e.ID)
		}
		if e.State.Final() && blank(e) {
			t.Fatalf("entry %d, %s, is an empty bubble", i, e.ID)
		}
		if c, ok := e.Body.(*ToolCall); ok {
			if calls[c.CallID] {
				t.Fatalf("call %s has two entries", c.CallID)
			}
			calls[c.CallID] = true
		}
	}
}

// corpus returns the events of all recorded and hand-written logs, log by log.
func corpus(t testing.TB) [][]session.Event {
	t.Helper()
	var logs [][]session.Event
	for _, name := range sessiontest.LogNames(t) {
		logs = append(logs, sessiontest.Log(t, name))
	}
	return logs
}

// TestAnyOrder feeds logs shuffled, with events missing and events twice, alone
// and mixed with each other.
func TestAnyOrder(t *testing.T) {
	t.Parallel()
	logs := corpus(t)
	rapid.Check(t, func(rt *rapid.T) {
		log := rapid.IntRange(0, len(logs)-1)
		events := slices.Clone(logs[log.Draw(rt, "log")])
		if rapid.Bool().Draw(rt, "mixed") {
			events = append(events, logs[log.Draw(rt, "other")]...)
		}
		for range rapid.IntRange(0, 40).Draw(rt, "moves") {
			i := rapid.IntRange(0, len(events)-1).Draw(rt, "i")
			j := rapid.IntRange(0, len(events)-1).Draw(rt, "j")
			switch rapid.IntRange(0, 3).Draw(rt, "move") {
			case 0:
				events[i], events[j] = events[j], events[i]
			case 1:
				events = slices.Insert(events, j, events[i])
			case 2:
				slices.Reverse(events[min(i, j):max(i, j)])
			case 3:
				if len(events) > 1 {
					events = slices.Delete(events, i, i+1)
				}
			}
		}
		tl := New()
		looked := rapid.IntRange(0, len(events)).Draw(rt, "looked")
		var was []Entry
		var at uint64
		for n, ev := range events {
			before := tl.Version()
			if n == looked {
				was, at = entriesNow(tl), before
			}
			out := tl.Apply(ev)
			stable(rt, tl, was, at)
			if out == Unhandled {
				rt.Fatalf("%s is unhandled", ev.Kind())
			}
			if out == Ignored && tl.Version() != before {
				rt.Fatalf("%s is ignored and changed something", ev.Kind())
			}
			if n%16 == 0 {
				consistent(rt, tl)
				tl.Status()
			}
		}
		consistent(rt, tl)
		if a, b := tl.Dump(), tl.Dump(); a != b {
			rt.Fatalf("two dumps of one timeline differ:\n%s\n%s", a, b)
		}
	})
}

func entriesNow(tl *Timeline) []Entry {
	list := make([]Entry, tl.Len())
	for i := range list {
		list[i] = *tl.At(i)
	}
	return list
}

// stable checks that the oldest entries that are said to be as they were at a
// version are.
func stable(t *rapid.T, tl *Timeline, was []Entry, at uint64) {
	for i := range min(len(was), tl.Stable(at)) {
		if e := tl.At(i); e.ID != was[i].ID || e.Version != was[i].Version {
			t.Fatalf("entry %d is %s, version %d; it was %s, version %d", i, e.ID, e.Version, was[i].ID, was[i].Version)
		}
	}
}

// TestStableIsExact: what is added leaves all that was there, also where many
// places changed before, and an old entry that changes leaves those before it.
func TestStableIsExact(t *testing.T) {
	t.Parallel()
	tl := New()
	call := func(i int) session.CallID { return session.CallID(fmt.Sprint("c", i)) }
	const count = 3 * maxChangedPlaces
	versions := make([]uint64, count)
	for i := range count {
		tl.Apply(session.Event{ID: session.EventID(fmt.Sprint("s", i)), Body: session.ToolExecutionStart{ToolCallID: call(i), ToolName: "bash"}})
		versions[i] = tl.Version()
		if n := len(tl.moved.list); n > maxChangedPlaces {
			t.Fatalf("%d places are remembered", n)
		}
	}
	if got := tl.Stable(versions[count-10]); got != count-9 {
		t.Errorf("%d entries are said to be as they were, not %d", got, count-9)
	}
	if got := tl.Stable(versions[0]); got != 0 {
		t.Errorf("%d entries are said to be as they were long ago", got)
	}
	tl.Apply(session.Event{ID: "e", Body: session.ToolExecutionComplete{ToolCallID: call(count - 100), Success: true}})
	if got := tl.Stable(versions[count-1]); got != count-100 {
		t.Errorf("%d entries are said to be as they were, not %d", got, count-100)
	}
	if got := tl.Stable(tl.Version()); got != tl.Len() {
		t.Errorf("%d of %d are said to be as they are", got, tl.Len())
	}
}

// TestShuffledAway orders whole logs at random.
func TestShuffledAway(t *testing.T) {
	t.Parallel()
	logs := corpus(t)
	rapid.Check(t, func(rt *rapid.T) {
		log := logs[rapid.IntRange(0, len(logs)-1).Draw(rt, "log")]
		order := make([]int, len(log))
		for i := range order {
			order[i] = i
		}
		tl := New()
		for _, i := range rapid.Permutation(order).Draw(rt, "order") {
			tl.Apply(log[i])
		}
		consistent(rt, tl)
	})
}

// TestVersionsRise: a version is never given twice, not even to another entry,
// and an entry that changed has a higher one.
func TestVersionsRise(t *testing.T) {
	t.Parallel()
	for _, log := range corpus(t) {
		tl := New()
		seen := map[uint64]EntryID{}
		shown := map[EntryID]string{}
		for _, ev := range log {
			tl.Apply(ev)
			for i := range tl.Len() {
				e := tl.At(i)
				if id, ok := seen[e.Version]; ok && id != e.ID {
					t.Fatalf("version %d is of %s and of %s", e.Version, id, e.ID)
				}
				seen[e.Version] = e.ID
				form := fmt.Sprint(e.Version, " ", OwnForm(e))
				old, _, _ := strings.Cut(shown[e.ID], " ")
				if old == fmt.Sprint(e.Version) && shown[e.ID] != form {
					t.Fatalf("%s changed and kept version %d:\n%s\n%s", e.ID, e.Version, shown[e.ID], form)
				}
				shown[e.ID] = form
			}
		}
	}
}

// OwnForm writes an entry without the timeline of its sub-agent, which has
// versions of its own.
func OwnForm(e *Entry) string {
	var b strings.Builder
	dumpEntry(&b, 0, e)
	return strings.Join(slices.DeleteFunc(strings.Split(b.String(), "\n"), func(line string) bool {
		return strings.HasPrefix(line, "    |")
	}), "\n")
}

// FuzzApply takes any lines as a log.
func FuzzApply(f *testing.F) {
	var all bytes.Buffer
	for _, line := range sessiontest.Events(f) {
		f.Add(line)
		all.Write(line)
		all.WriteByte('\n')
	}
	f.Add(all.Bytes())
	f.Add([]byte("{\n\x00\xff"))
	f.Fuzz(func(t *testing.T, log []byte) {
		tl := New()
		for line := range bytes.Lines(log) {
			if out := tl.Apply(session.Decode(line)); out == Unhandled {
				t.Fatalf("unhandled: %q", line)
			}
		}
		consistent(t, tl)
		tl.Status()
		out := bufio.NewScanner(strings.NewReader(tl.Dump()))
		out.Buffer(nil, 1<<30)
		for out.Scan() {
			if i := strings.IndexFunc(out.Text(), func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }); i >= 0 {
				t.Fatalf("the dump holds a control character: %q", out.Text())
			}
		}
	})
}

// BenchmarkStream streams an answer in 16-byte deltas onto a long timeline.
func BenchmarkStream(b *testing.B) {
	for _, length := range []int{10, 100_000} {
		b.Run(fmt.Sprint(length), func(b *testing.B) {
			tl := New()
			for i := range length {
				tl.Apply(session.Event{ID: session.EventID(fmt.Sprint(i)), Body: session.UserMessage{Content: "hello"}})
			}
			ev := session.Event{
				Ephemeral: true,
				Body:      session.AssistantMessageDelta{MessageID: "m", DeltaContent: "sixteen bytes .."},
			}
			b.SetBytes(16)
			b.ReportAllocs()
			for b.Loop() {
				tl.Apply(ev)
			}
		})
	}
}
