package copilot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"parley/session"
)

// answer is a model's response as the runtime makes events of it: a count before
// each piece. Extra bytes are counted with each and are in no piece.
func answer(pieces, extra int, pause func(i int) time.Duration) []session.Event {
	at, total := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), 0
	var all []session.Event
	event := func(b session.Body) {
		all = append(all, session.Event{ID: session.EventID(uuid.NewString()), Time: at, Ephemeral: true, Body: b})
	}
	for i := range pieces {
		at = at.Add(pause(i))
		text := fmt.Sprintf("w%d ", i)
		total += len(text) + extra
		event(session.AssistantStreamingDelta{TotalResponseSizeBytes: total})
		if i%3 == 0 {
			event(session.AssistantReasoningDelta{ReasoningID: "r", DeltaContent: text})
		} else {
			event(session.AssistantMessageDelta{MessageID: "m", DeltaContent: text})
		}
	}
	return all
}

// text is what the pieces of a response say, in the order of the events.
func text(events []session.Event) string {
	var b strings.Builder
	for _, ev := range events {
		switch d := ev.Body.(type) {
		case session.AssistantMessageDelta:
			b.WriteString(d.DeltaContent)
		case session.AssistantReasoningDelta:
			b.WriteString(d.DeltaContent)
		}
	}
	return b.String()
}

// through is what a reader gets of events.
func through(events []session.Event) []session.Event {
	q := newQueue(newValve(), unguarded)
	q.hold()
	for _, ev := range events {
		q.put(ev)
	}
	q.end()
	var got []session.Event
	for ev := range q.out {
		got = append(got, ev)
	}
	return got
}

// deliveries is the order in which the runtime sends events that it cannot pass on
// fast enough: it cuts them up, sends a part and the next one at the same time,
// and some once more. Where it cuts anywhere a count can be in another part than its
// piece.
func deliveries(t *rapid.T, all []session.Event, anywhere bool) []session.Event {
	var sent []session.Event
	shift := func() int {
		if anywhere {
			return rapid.IntRange(0, 9).Draw(t, "beside a whole number of pieces")
		}
		return 0
	}
	take := func(from *[]session.Event, n int) {
		n = min(n, len(*from))
		sent, *from = append(sent, (*from)[:n]...), (*from)[n:]
	}
	for len(all) > 0 {
		take(&all, 2*rapid.IntRange(1, 3).Draw(t, "in order")*parcel+shift())
		cut := min(len(all), 2*parcel+shift())
		late, ahead := all[:cut], all[cut:]
		all = ahead[min(len(ahead), 2*parcel+shift()):]
		ahead = ahead[:len(ahead)-len(all)]
		if rapid.Bool().Draw(t, "again") {
			late = append(slices.Clone(late), ahead[:len(ahead)/2]...)
		}
		for len(late)+len(ahead) > 0 {
			take(&ahead, rapid.IntRange(0, 9).Draw(t, "of those ahead"))
			take(&late, rapid.IntRange(1, 60).Draw(t, "of those late"))
		}
	}
	return sent
}

// parcel is how many pieces go in a delivery of the test.
const parcel = 40

// TestOrder: the pieces of a response are read in the order in which the model sent
// them and each once, however the runtime's deliveries overtake each other.
func TestOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := answer(rapid.IntRange(1, 900).Draw(t, "pieces"), 0, unpaced)
		got := through(deliveries(t, all, false))
		if len(got) != len(all) || text(got) != text(all) {
			t.Errorf("%d events of %d\n%q\ninstead of\n%q", len(got), len(all), text(got), text(all))
		}
	})
}

// unpaced is when the model sends pieces that it has at once.
func unpaced(i int) time.Duration {
	switch {
	case i%parcel == 0:
		return 5 * time.Millisecond
	case i%7 == 0:
		return time.Millisecond
	}
	return 0
}

// TestOrderCutAnywhere: where the runtime cuts between a count and its piece, each
// piece still comes once, and stands in its place or in that of one from which no
// event distinguishes it.
func TestOrderCutAnywhere(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := answer(rapid.IntRange(1, 900).Draw(t, "pieces"), 0, unpaced)
		got := through(deliveries(t, all, true))
		if len(got) != len(all) {
			t.Fatalf("%d events of %d", len(got), len(all))
		}
		if wrong := misplaced(got, all); wrong != "" {
			t.Error(wrong)
		}
	})
}

// misplaced says which piece of a response stands where another should, though the
// sizes or the times of the two differ; "" is none.
func misplaced(got, want []session.Event) string {
	pieces := func(events []session.Event) []session.Event {
		return slices.DeleteFunc(slices.Clone(events), func(ev session.Event) bool { return text([]session.Event{ev}) == "" })
	}
	got, want = pieces(got), pieces(want)
	if len(got) != len(want) {
		return fmt.Sprintf("%d pieces of %d", len(got), len(want))
	}
	for i, ev := range got {
		is, should := text(got[i:i+1]), text(want[i:i+1])
		if is != should && (len(is) != len(should) || ev.Time.Sub(want[i].Time).Abs() > togetherWithin) {
			return fmt.Sprintf("piece %d is %q and not %q", i, is, should)
		}
	}
	return ""
}

// TestOrderAtSeams: deliveries as the runtime was seen to make them, with a count in
// one and its piece in the other.
func TestOrderAtSeams(t *testing.T) {
	t.Parallel()
	// A number is a count and the piece after it, of which c leaves only the count
	// and p only the piece.
	for _, sent := range []string{
		"20 21 22 c40 23 24 p40 41 42 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 43 44",
		"20 c40 21 c22 p40 p22 23 c41 24 25 26 27 28 29 30 p41 c42 31 32 33 34 35 36 37 38 39 p42 43 44",
		"20 p30 31 32 c21 33 p21 22 23 24 25 26 27 28 c29 p29 c30 34 35 36 37 38 39 40 41 42 43 44",
		"20 21 p40 41 42 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 c40 43 44",
	} {
		all := answer(45, 0, func(i int) time.Duration { return time.Duration(i%10/9*4) * time.Millisecond })
		wire := slices.Clone(all[:40])
		for word := range strings.FieldsSeq(sent) {
			digits := strings.TrimLeft(word, "cp")
			i, err := strconv.Atoi(digits)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(word, "p") {
				wire = append(wire, all[2*i])
			}
			if !strings.HasPrefix(word, "c") {
				wire = append(wire, all[2*i+1])
			}
		}
		if len(wire) != len(all) {
			t.Fatalf("%q sends %d events of %d", sent, len(wire), len(all))
		}
		if got := through(wire); text(got) != text(all) {
			t.Errorf("%q: %q", sent, text(got))
		}
	}
}

// TestOrderOfOtherCounts: where the sizes of a response count what is no piece, or no
// size comes, its pieces come as they were sent, none waits for long, and none is
// lost.
func TestOrderOfOtherCounts(t *testing.T) {
	t.Parallel()
	pause := func(int) time.Duration { return 20 * time.Millisecond }
	exact, more := answer(60, 0, pause), answer(60, 5, pause)
	for name, all := range map[string][]session.Event{
		"exact": exact, "more is counted": more, "more is counted from some piece on": append(slices.Clone(exact), later(more, exact)...),
		"nothing is counted": slices.DeleteFunc(slices.Clone(exact), func(ev session.Event) bool {
			return ev.Kind() == session.KindAssistantStreamingDelta
		}),
		"one count for two": slices.DeleteFunc(slices.Clone(exact), func(ev session.Event) bool {
			b, ok := ev.Body.(session.AssistantStreamingDelta)
			return ok && b.TotalResponseSizeBytes%2 == 1
		}),
		"tried again": append(slices.Clone(exact[:61]), later(more, exact[:61])...),
	} {
		var o order
		var given []session.Event
		for i, ev := range all {
			o.put(ev, func(ev session.Event) { given = append(given, ev) })
			waits := slices.DeleteFunc(slices.Clone(all[:i+1]), func(ev session.Event) bool {
				return slices.ContainsFunc(given, sameID(ev))
			})
			if len(waits) > 0 && ev.Time.Sub(waits[0].Time) > disorderWithin+20*time.Millisecond {
				t.Fatalf("%s: after %d events %d wait", name, i, len(waits))
			}
		}
		o.endAll(func(ev session.Event) { given = append(given, ev) })
		if text(given) != text(all) {
			t.Errorf("%s: %q", name, text(given))
		}
	}
}

// later are events after others.
func later(events, than []session.Event) []session.Event {
	d := than[len(than)-1].Time.Sub(events[0].Time) + 20*time.Millisecond
	events = slices.Clone(events)
	for i := range events {
		events[i].Time = events[i].Time.Add(d)
	}
	return events
}

func sameID(ev session.Event) func(session.Event) bool {
	return func(other session.Event) bool { return other.ID == ev.ID }
}

// TestOrderEnds: what waits for a piece that never comes is not kept: the complete
// message has it, and without one it is read at the end.
func TestOrderEnds(t *testing.T) {
	t.Parallel()
	all := answer(40, 0, func(int) time.Duration { return 0 })
	gap := slices.Concat(all[:30], all[32:])
	whole := session.Event{ID: "whole", Body: session.AssistantMessage{MessageID: "m", Content: "all of it"}}
	for name, c := range map[string]struct {
		end  session.Event
		want string
	}{
		"complete": {whole, text(slices.DeleteFunc(slices.Clone(gap), func(ev session.Event) bool {
			return ev.Kind() == session.KindAssistantMessageDelta && slices.ContainsFunc(all[32:], sameID(ev))
		}))},
		"aborted": {session.Event{ID: "abort", Body: session.Abort{}}, text(gap)},
		"over":    {session.Event{ID: "idle", Body: session.SessionIdle{}}, text(gap)},
	} {
		var o order
		var given []session.Event
		give := func(ev session.Event) { given = append(given, ev) }
		for _, ev := range gap {
			o.put(ev, give)
		}
		if text(given) != text(all[:30]) {
			t.Errorf("%s: behind a gap comes %q", name, text(given))
		}
		o.put(c.end, give)
		if text(given) != c.want || given[len(given)-1].ID != c.end.ID || len(o.responses) > 0 {
			t.Errorf("%s: %q, wanted %q", name, text(given), c.want)
		}
	}
}
