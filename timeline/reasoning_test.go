package timeline_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/session"
	"parley/timeline"
)

// TestThoughtsStandOnceBeforeTheirMessage sends the same thinking in every form
// and order that agents use.
func TestThoughtsStandOnceBeforeTheirMessage(t *testing.T) {
	t.Parallel()
	withReasoning := session.AssistantMessage{MessageID: "m", Content: "yes", ReasoningText: "hm, well"}
	whole := session.AssistantReasoning{ReasoningID: "r", Content: "hm, well"}
	for name, apply := range map[string]func(*feed){
		"runtime, streamed": func(f *feed) {
			f.live(thought("r", "hm, "), thought("r", "well"), delta("m", "y")).stored(withReasoning).live(whole)
		},
		"runtime, not streamed":  func(f *feed) { f.stored(withReasoning).live(whole) },
		"a stored log":           func(f *feed) { f.stored(withReasoning) },
		"reference, streamed":    func(f *feed) { f.live(thought("r", "hm")).stored(whole).live(delta("m", "y")).stored(said("m", "yes")) },
		"reference, both forms":  func(f *feed) { f.stored(whole, withReasoning) },
		"sent after the deltas":  func(f *feed) { f.live(delta("m", "y")).stored(withReasoning) },
		"thinking without an id": func(f *feed) { f.live(thought("", "hm, "), thought("", "w")).stored(withReasoning) },
		"thinking sent twice":    func(f *feed) { f.live(thought("r", "x")).stored(whole, whole, withReasoning).live(whole) },
		"after its message":      func(f *feed) { f.stored(said("m", "yes"), whole) },
		"after its turn":         func(f *feed) { f.stored(said("m", "yes"), session.AssistantTurnEnd{TurnID: "0"}, whole) },
		"streamed in its message": func(f *feed) {
			f.live(delta("m", "y"), thought("r", "hm, ")).stored(said("m", "yes"), whole)
		},
		"streamed after its message": func(f *feed) { f.stored(said("m", "yes")).live(thought("r", "hm, ")).stored(whole) },
		"whole, then streamed":       func(f *feed) { f.stored(withReasoning).live(thought("r", "hm, ")).stored(whole) },
		"streamed without an id, then with one": func(f *feed) {
			f.live(thought("", "hm, ")).stored(withReasoning, whole)
		},
		"in parts": func(f *feed) {
			f.stored(
				withReasoning, session.AssistantReasoning{ReasoningID: "r", Content: "hm,"}, session.AssistantReasoning{ReasoningID: "q", Content: "well"})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFeed().turn()
			apply(f)
			f.want(t, "prompt go | thinking hm, well | message yes")
			if id := f.At(1).ID; id != "reasoning:e2:0" {
				t.Errorf("the thought is %s: a replay would give it another id", id)
			}
		})
	}
}

// TestWhichMessageAThoughtLedTo: that of its turn; in a log without turns, the one
// before it that has none, until a call has ended or another prompt came.
func TestWhichMessageAThoughtLedTo(t *testing.T) {
	t.Parallel()
	r := func(id session.ReasoningID) session.Body {
		return session.AssistantReasoning{ReasoningID: id, Content: string(id)}
	}
	asks := session.AssistantMessage{MessageID: "m", ToolRequests: []session.ToolRequest{{ToolCallID: "c", Name: "bash"}}}
	prompt, end := session.UserMessage{Content: "go"}, session.AssistantTurnEnd{TurnID: "0"}
	start := session.AssistantTurnStart{TurnID: "0"}
	for name, tt := range map[string]struct {
		log  []session.Body
		want string
	}{
		"before its calls": {
			[]session.Body{prompt, start, asks, r("r")}, "prompt go | thinking r | call bash (live)",
		},
		"after its call has ended": {
			[]session.Body{prompt, start, asks, startOf("bash", "{}"), completeOf("x"), r("r"), end},
			"prompt go | thinking r | call bash",
		},
		"two of one message": {
			[]session.Body{prompt, start, said("m", "yes"), r("r"), r("q")}, "prompt go | thinking r | thinking q | message yes",
		},
		"two of one message, one like a part of the other": {
			[]session.Body{
				prompt, start, said("m", "yes"),
				session.AssistantReasoning{ReasoningID: "r", Content: "hm, well"},
				session.AssistantReasoning{ReasoningID: "q", Content: "hm"},
			},
			"prompt go | thinking hm, well | thinking hm | message yes",
		},
		"one before, one after": {
			[]session.Body{prompt, start, r("r"), said("m", "yes"), r("q")}, "prompt go | thinking r | thinking q | message yes",
		},
		"of the next turn": {
			[]session.Body{prompt, start, said("m", "one"), r("r"), end, start, r("q"), said("n", "two")},
			"prompt go | thinking r | message one | thinking q | message two",
		},
		"without turns": {
			[]session.Body{prompt, said("m", "one"), r("r"), prompt, said("n", "two"), r("q")},
			"prompt go | thinking r | message one | prompt go | thinking q | message two",
		},
		"without turns, between calls": {
			[]session.Body{prompt, r("r"), asks, startOf("bash", "{}"), completeOf("x"), r("q"), said("n", "two")},
			"prompt go | thinking r | call bash | thinking q | message two",
		},
		"without turns, before the prompt's message": {
			[]session.Body{prompt, said("m", "one"), prompt, r("r"), said("n", "two")},
			"prompt go | message one | prompt go | thinking r | message two",
		},
		"after a message without words": {
			[]session.Body{prompt, start, said("m", " "), r("r"), end}, "prompt go | thinking r",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newFeed().stored(tt.log...).want(t, tt.want)
		})
	}
}

// TestThoughtsInAnyOrder: a thought stands once before the message of its turn,
// however the events of both are mixed; a log without what was streamed gives the
// same.
func TestThoughtsInAnyOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		message := session.AssistantMessage{MessageID: "m", Content: "yes, it is"}
		if rapid.Bool().Draw(rt, "with reasoning") {
			message.ReasoningText = "hm, well"
		}
		if rapid.Bool().Draw(rt, "with a call") {
			message.ToolRequests = []session.ToolRequest{{ToolCallID: "c", Name: "bash"}}
		}
		f := newFeed()
		event := func(b session.Body, ephemeral bool) session.Event {
			ev := f.next(b)
			ev.Ephemeral = ephemeral
			return ev
		}
		log := []session.Event{event(session.UserMessage{Content: "go"}, false), event(session.AssistantTurnStart{}, false)}
		streams := [][]session.Event{
			{
				event(thought("r", "hm, "), true), event(thought("r", "we"), true),
				event(session.AssistantReasoning{ReasoningID: "r", Content: "hm, well"}, message.ReasoningText != "" && rapid.Bool().Draw(rt, "passing")),
			},
			{event(delta("m", "yes, "), true), event(delta("m", "it is"), true), event(message, false)},
		}
		if message.ToolRequests != nil {
			streams = append(streams, []session.Event{event(startOf("bash", "{}"), false), event(completeOf("x"), false)})
		}
		for len(streams) > 0 {
			i := rapid.IntRange(0, len(streams)-1).Draw(rt, "stream")
			if log, streams[i] = append(log, streams[i][0]), streams[i][1:]; len(streams[i]) == 0 {
				streams = slices.Delete(streams, i, i+1)
			}
		}
		log = append(log, event(session.AssistantTurnEnd{}, false), event(session.AssistantIdle{}, true))
		live, replayed := newFeed(), newFeed()
		for _, ev := range log {
			live.Apply(ev)
			if ev.Replayed = true; !ev.Ephemeral {
				replayed.Apply(ev)
			}
		}
		want := "prompt go | thinking hm, well | message yes, it is"
		if message.ToolRequests != nil {
			want += " | call bash"
		}
		if got := live.outline(); got != want {
			rt.Fatalf("got  %s\nwant %s\nof %s", got, want, kindsOf(log))
		}
		if a, b := sealed(live.Timeline, true), sealed(replayed.Timeline, false); !slices.Equal(a, b) {
			rt.Fatalf("%s\nof %s", differing(a, b), kindsOf(log))
		}
	})
}

func kindsOf(log []session.Event) string {
	kinds := make([]string, len(log))
	for i, ev := range log {
		kinds[i] = string(ev.Kind())
	}
	return strings.Join(kinds, " ")
}

func TestTwoThoughtsOfOneMessageStayTwo(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().live(thought("r", "one"), thought("q", "two")).
		stored(session.AssistantMessage{MessageID: "m", Content: "yes", ReasoningText: "one two"})
	f.want(t, "prompt go | thinking one | thinking two | message yes")
}

// TestThinkingEndsWhenTheAnswerBegins: its time is how long the model thought.
func TestThinkingEndsWhenTheAnswerBegins(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().live(thought("r", "hm"), delta("m", "y"), delta("m", "es")).
		stored(session.AssistantMessage{MessageID: "m", Content: "yes", ReasoningText: "hm"}).
		live(session.AssistantReasoning{ReasoningID: "r", Content: "hm"})
	if e := f.At(1); !e.At.Equal(clock(3)) || !e.End.Equal(clock(4)) {
		t.Errorf("thought from %v to %v", e.At, e.End)
	}
	f = newFeed().turn().live(thought("r", "hm"), delta("m", "y"), thought("r", ", so"))
	if e := f.At(1); e.State != timeline.Live || !e.End.IsZero() {
		t.Errorf("thinking that continues is %v", e.State)
	}
}

// TestMessagesOfThePhaseThinking are thoughts and no answers, streamed or not, and
// whatever the phase was announced as; a stored log gives the same.
func TestMessagesOfThePhaseThinking(t *testing.T) {
	t.Parallel()
	message := session.AssistantMessage{MessageID: "m", Content: "hm, well", Phase: "thinking"}
	announce := func(id session.MessageID, phase string) session.Body {
		return session.AssistantMessageStart{MessageID: id, Phase: phase}
	}
	const want = "prompt go | thinking hm, well"
	for name, tt := range map[string]struct {
		feed func(*feed)
		want string
	}{
		"a stored log":          {func(f *feed) { f.stored(message) }, want},
		"streamed":              {func(f *feed) { f.live(announce("m", "thinking"), delta("m", "hm, ")).stored(message) }, want},
		"streamed as an answer": {func(f *feed) { f.live(delta("m", "hm, ")).stored(message) }, want},
		"announced as an answer": {
			func(f *feed) { f.live(announce("m", "response"), delta("m", "hm, ")).stored(message) }, want,
		},
		"announced as thinking": {
			func(f *feed) { f.live(announce("m", "thinking"), delta("m", "yes")).stored(said("m", "yes")) }, "prompt go | message yes",
		},
		"not complete yet": {
			func(f *feed) { f.live(announce("m", "thinking"), delta("m", "hm, "), delta("m", "well")) }, want + " (live)",
		},
		"with an answer after it": {func(f *feed) {
			f.live(announce("m", "thinking"), delta("m", "hm, ")).stored(message).live(announce("n", "response"), delta("n", "ye")).stored(said("n", "yes"))
		}, want + " | message yes"},
		"with a call": {func(f *feed) {
			asks := message
			asks.ToolRequests = []session.ToolRequest{{ToolCallID: "c", Name: "bash"}}
			f.stored(asks)
		}, want + " | call bash (live)"},
		"without an id": {func(f *feed) {
			bare := message
			bare.MessageID = ""
			f.live(announce("", "thinking"), delta("", "hm, ")).stored(bare).live(announce("", "")).live(delta("", "y")).stored(said("", "yes"))
		}, want + " | message yes"},
		"with a thought before it": {func(f *feed) {
			asks := message
			asks.ReasoningText = "first"
			f.live(thought("r", "fir"), announce("m", "thinking"), delta("m", "hm, ")).stored(asks)
		}, "prompt go | thinking first | thinking hm, well"},
		"in parts": {func(f *feed) {
			f.stored(
				session.AssistantMessage{MessageID: "m", Content: "hm, ", Phase: "thinking", ChunkCount: 2},
				session.AssistantMessage{MessageID: "m", Content: "well", ChunkIndex: 1, ChunkCount: 2})
		}, want},
		"abandoned": {
			func(f *feed) {
				f.live(announce("m", "thinking"), delta("m", "hm, "), session.AssistantTurnRetry{}, delta("n", "y"))
			},
			"prompt go | info The model could not be reached. It continued after one retry. | message y (live)",
		},
		"interrupted": {
			func(f *feed) { f.live(announce("m", "thinking"), delta("m", "hm, ")).stored(session.Abort{}) },
			"prompt go | thinking hm,  (cancelled) | boundary Interrupted",
		},
		"without words": {func(f *feed) {
			f.live(announce("m", "thinking"), delta("m", " ")).stored(session.AssistantMessage{MessageID: "m", Content: " ", Phase: "thinking"})
		}, "prompt go"},
		"other phases are answers": {func(f *feed) {
			for _, phase := range []string{"response", "commentary", "final_answer", "Thinking ", "\x1b[2J"} {
				f.stored(session.AssistantMessage{MessageID: session.MessageID(phase), Content: "yes", Phase: phase})
			}
		}, "prompt go" + strings.Repeat(" | message yes", 5)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFeed().turn()
			tt.feed(f)
			f.want(t, tt.want)
			if text, _, ok := f.LastAnswer(); ok && strings.Contains(text, "hm") {
				t.Errorf("it is the last answer: %q", text)
			}
		})
	}
}

// TestThinkingPhaseInReplay: an entry of thinking has the same id live and stored,
// and the status says that the agent thinks.
func TestThinkingPhaseInReplay(t *testing.T) {
	t.Parallel()
	message := session.AssistantMessage{MessageID: "m", Content: "hm", Phase: "thinking"}
	stored := newFeed().turn().stored(message)
	for _, phase := range []string{"thinking", "response", ""} {
		live := newFeed().turn()
		live.n--
		live.live(session.AssistantMessageStart{MessageID: "m", Phase: phase}, delta("m", "h"))
		if doing := live.Status().Activity; (doing == "thinking") != (phase == "thinking") {
			t.Errorf("announced as %q, the agent is %s", phase, doing)
		}
		live.n--
		live.stored(message)
		if a, b := live.At(1), stored.At(1); a.ID != b.ID || !slices.Equal(a.Origin, b.Origin) || a.State != b.State {
			t.Errorf("announced as %q: live %+v, stored %+v", phase, a, b)
		}
	}
}

// TestEachMessageHasItsOwnThought: the reasoning of a message does not take the
// place of that of the message before.
func TestEachMessageHasItsOwnThought(t *testing.T) {
	t.Parallel()
	thinks := func(id session.MessageID, thinking string) session.Body {
		return session.AssistantMessage{MessageID: id, Content: string(id), ReasoningText: thinking}
	}
	f := newFeed().turn().stored(thinks("m", "first"), thinks("n", "second"))
	f.want(t, "prompt go | thinking first | message m | thinking second | message n")
}
