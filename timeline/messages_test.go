package timeline_test

import (
	"reflect"
	"slices"
	"testing"

	"parley/session"
	"parley/timeline"
)

func TestPrompts(t *testing.T) {
	t.Parallel()
	f := newFeed().stored(
		session.UserMessage{Content: "hello", Delivery: session.DeliveredIdle},
		session.UserMessage{Source: "autopilot", IsAutopilotContinuation: true},
		session.UserMessage{Content: " \n"},
		session.UserMessage{Attachments: []session.Attachment{{Type: "file", Path: "a.txt"}}},
		session.UserMessage{
			Content: "every hour", Source: "schedule-1", AgentMode: session.Plan,
			Attachments: []session.Attachment{{Type: "selection", FilePath: "b.txt"}},
		},
		session.UserMessage{Content: "faster", Delivery: session.DeliveredSteering},
		session.UserMessage{Content: "later", Delivery: session.DeliveredQueued, TransformedContent: "<at>now</at>\n\nlater"},
		session.UserMessage{Content: "/commit", TransformedContent: "Commit the changes."},
	)
	f.want(t, "prompt hello | prompt  | prompt every hour | prompt faster | prompt later | prompt /commit")
	for i, want := range []timeline.Prompt{
		{Text: "hello", Delivery: "idle"},
		{Attachments: []session.Attachment{{Type: "file", Path: "a.txt"}}},
		{Text: "every hour", Source: "schedule-1", Mode: session.Plan, Attachments: []session.Attachment{{Type: "selection", FilePath: "b.txt"}}},
		{Text: "faster", Delivery: "steering"},
		{Text: "later", Delivery: "queued"},
		{Text: "/commit", Sent: "Commit the changes."},
	} {
		if p := f.At(i).Body; !reflect.DeepEqual(p, &want) {
			t.Errorf("prompt %d is %+v, want %+v", i, p, want)
		}
	}
	if at := f.At(0).At; !at.Equal(clock(1)) {
		t.Errorf("the first prompt is at %v", at)
	}
}

// TestNudges: autopilot's message to an agent that stopped is autopilot's also
// where it has no source. What a user wrote never is.
func TestNudges(t *testing.T) {
	t.Parallel()
	const text = "You have not yet marked the task as complete using the task_complete tool. If you were planning, stop planning " +
		"and start implementing. You aren't done until you have fully completed the task."
	nudge := session.UserMessage{Content: text}
	autopilot := session.SessionModeChanged{NewMode: session.Autopilot}
	interactive := session.SessionModeChanged{NewMode: session.Interactive}
	start, end := session.AssistantTurnStart{TurnID: "0"}, session.AssistantTurnEnd{TurnID: "0"}
	prompt := session.UserMessage{Content: "go"}
	for name, tt := range map[string]struct {
		before []session.Body
		m      session.UserMessage
		source string
	}{
		"in autopilot mode":           {[]session.Body{autopilot, prompt, start, end}, nudge, "autopilot"},
		"a message of autopilot mode": {[]session.Body{prompt, start, end}, session.UserMessage{Content: text, AgentMode: session.Autopilot}, "autopilot"},
		"of an autopilot prompt": {
			[]session.Body{session.UserMessage{Content: "go", AgentMode: session.Autopilot}, start, end}, nudge, "autopilot",
		},
		"twice":           {[]session.Body{autopilot, prompt, start, end, nudge, start, end}, nudge, "autopilot"},
		"with more words": {[]session.Body{autopilot, prompt, start, end}, session.UserMessage{Content: text + "\n\nDo not stop."}, "autopilot"},
		"in other words": {
			[]session.Body{prompt, start}, session.UserMessage{Content: "Continue.", IsAutopilotContinuation: true}, "autopilot",
		},
		"of another source": {
			[]session.Body{autopilot, prompt, start, end}, session.UserMessage{Content: text, Source: "agent-a"}, "agent-a",
		},
		"in interactive mode":           {[]session.Body{prompt, start, end}, nudge, ""},
		"after autopilot mode":          {[]session.Body{autopilot, prompt, start, end, interactive}, nudge, ""},
		"a message of interactive mode": {[]session.Body{autopilot, prompt, start, end}, session.UserMessage{Content: text, AgentMode: session.Interactive}, ""},
		"before any turn":               {[]session.Body{autopilot}, nudge, ""},
		"while the agent works":         {[]session.Body{autopilot, prompt, start}, nudge, ""},
		"after an interruption":         {[]session.Body{autopilot, prompt, start, end, session.Abort{}}, nudge, ""},
		"after the task was complete":   {[]session.Body{autopilot, prompt, start, session.SessionTaskComplete{}, end}, nudge, ""},
		"sent by a client":              {[]session.Body{autopilot, prompt, start, end}, session.UserMessage{Content: text, MessageID: "m"}, ""},
		"quoted":                        {[]session.Body{autopilot, prompt, start, end}, session.UserMessage{Content: "Why? " + text}, ""},
		"begun like it":                 {[]session.Body{autopilot, prompt, start, end}, session.UserMessage{Content: text[:80]}, ""},
		"with a file":                   {[]session.Body{autopilot, prompt, start, end}, session.UserMessage{Content: text, Attachments: []session.Attachment{{}}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFeed().stored(append(tt.before, tt.m)...)
			p, ok := f.At(f.Len() - 1).Body.(*timeline.Prompt)
			if !ok || p.Source != tt.source || p.Text != tt.m.Content {
				t.Errorf("it is %+v", f.At(f.Len()-1).Body)
			}
			f.stored(start, end)
			summaries, want := 0, 1
			for i := range f.Len() {
				if _, is := f.At(i).Body.(*timeline.Summary); is {
					summaries++
				}
			}
			if tt.source == "" && len(tt.before) > 1 {
				want = 2 // of the prompt before it, and its own
			}
			if summaries != want {
				t.Errorf("%d summaries, want %d: %s", summaries, want, f.outline())
			}
		})
	}
}

func TestMessages(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		feed func(*feed)
		want string
	}{
		"deltas accumulate by id": {
			func(f *feed) { f.live(delta("a", "one "), delta("b", "two "), delta("a", "three")) },
			"message one three (live) | message two  (live)",
		},
		"an empty delta makes no bubble": {
			func(f *feed) { f.live(delta("a", ""), session.AssistantMessageStart{MessageID: "a"}) },
			"",
		},
		"the complete message is the truth": {
			func(f *feed) { f.live(delta("a", "drafft")).stored(said("a", "draft")) },
			"message draft",
		},
		"a complete message without text takes its bubble away": {
			func(f *feed) { f.live(delta("a", "\n")).stored(said("a", "")) },
			"",
		},
		"blank text is no bubble": {
			func(f *feed) { f.stored(said("a", " \n\t")) },
			"",
		},
		"late deltas are ignored": {
			func(f *feed) { f.stored(said("a", "done")).live(delta("a", "more")) },
			"message done",
		},
		"sent again, the text is not doubled": {
			func(f *feed) { f.stored(said("a", "done"), said("a", "done")) },
			"message done",
		},
		"a message in parts": {
			func(f *feed) {
				f.stored(
					session.AssistantMessage{MessageID: "a", Content: "one, ", ChunkCount: 2},
					session.AssistantMessage{MessageID: "a", Content: "two", ChunkIndex: 1, ChunkCount: 2})
			},
			"message one, two",
		},
		"messages without an id": {
			func(f *feed) {
				f.live(delta("", "on"), delta("", "e")).stored(said("", "one")).live(delta("", "two")).stored(said("", "two"))
			},
			"message one | message two",
		},
		"a message of the phase thinking": {
			func(f *feed) { f.stored(session.AssistantMessage{MessageID: "a", Content: "hm", Phase: "thinking"}) },
			"thinking hm",
		},
		"the calls that it asks for": {
			func(f *feed) {
				f.stored(session.AssistantMessage{MessageID: "a", Content: "I look.", ToolRequests: []session.ToolRequest{
					{ToolCallID: "c", Name: "view"}, {ToolCallID: "d", Name: "grep"},
				}})
			},
			"message I look. | call view (live) | call grep (live)",
		},
		"blank text that was interrupted leaves nothing": {
			func(f *feed) { f.live(delta("a", "\n")).stored(session.Abort{}) },
			"boundary Interrupted",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFeed()
			tt.feed(f)
			f.want(t, tt.want)
		})
	}
}

// TestUnfinishedTextIsVoid: what an attempt left behind goes, whichever way the
// agent reports that it was abandoned; but an interruption keeps it.
func TestUnfinishedTextIsVoid(t *testing.T) {
	t.Parallel()
	half := func(f *feed) {
		f.live(
			thought("r", "hm"),
			session.AssistantMessageStart{MessageID: "a"},
			delta("a", "half"),
			session.AssistantToolCallDelta{ToolCallID: "c", ToolName: "bash", InputDelta: "{"})
	}
	end, start := session.AssistantTurnEnd{TurnID: "0"}, session.AssistantTurnStart{TurnID: "1"}
	kept := "prompt go | thinking hm | message half (cancelled) | call bash (cancelled) | boundary Interrupted"
	for name, tt := range map[string]struct {
		then func(*feed)
		want string
	}{
		"a retry": {
			func(f *feed) { f.live(session.AssistantTurnRetry{Reason: "odd_error"}, delta("b", "whole")) },
			"prompt go | info The model could not be reached (odd error). It continued after one retry. | message whole (live)",
		},
		"a new message": {func(f *feed) {
			f.live(thought("q", "ah"), session.AssistantMessageStart{MessageID: "b"}, delta("b", "whole"))
		}, "prompt go | call bash (live) | thinking ah | message whole (live)"},
		"the same message again":            {func(f *feed) { f.live(session.AssistantMessageStart{MessageID: "a"}) }, "prompt go | thinking hm | message half (live) | call bash (live)"},
		"the next turn":                     {func(f *feed) { f.stored(end, start) }, "prompt go"},
		"the next turn, without an end":     {func(f *feed) { f.stored(start) }, "prompt go"},
		"the end, and then nothing":         {func(f *feed) { f.stored(end).live(session.AssistantIdle{}) }, "prompt go"},
		"the end, and then another prompt":  {func(f *feed) { f.stored(end, session.UserMessage{Content: "more"}) }, "prompt go | prompt more"},
		"an abort, then the end":            {func(f *feed) { f.stored(session.Abort{Reason: "user_initiated"}, end, start) }, kept},
		"the end, then an abort":            {func(f *feed) { f.stored(end, session.Abort{Reason: "user_abort"}, start) }, kept},
		"an abort, a late retry":            {func(f *feed) { f.stored(session.Abort{}).live(session.AssistantMessageStart{MessageID: "b"}) }, kept},
		"idle without a word about the end": {func(f *feed) { f.live(session.SessionIdle{}) }, "prompt go | thinking hm | message half | call bash (cancelled)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFeed().turn()
			half(f)
			tt.then(f)
			f.want(t, tt.want)
		})
	}
}

// TestConfirmedWorkSurvivesARetry: a retry voids its own attempt, not what
// complete events said before it.
func TestConfirmedWorkSurvivesARetry(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().live(delta("a", "one")).
		stored(session.AssistantMessage{MessageID: "a", Content: "one", ToolRequests: []session.ToolRequest{{ToolCallID: "c", Name: "bash"}}}).
		live(delta("b", "two"), session.AssistantTurnRetry{Reason: "api_error"})
	f.want(t, "prompt go | message one | call bash (live) | "+
		"warning The request to the model failed. Trying again. (live)")
}

// TestPartsOfAMessage: a long message may come in parts, of which each is stored;
// one without words adds nothing and takes nothing away.
func TestPartsOfAMessage(t *testing.T) {
	t.Parallel()
	part := func(i int, text string) session.Body {
		return session.AssistantMessage{MessageID: "m", ChunkIndex: i, Content: text}
	}
	f := newFeed().turn().stored(part(0, "One"), part(1, ", two"), part(2, ""), part(3, "."))
	f.want(t, "prompt go | message One, two.")
	if got, want := f.At(1).Origin, []session.EventID{"e3", "e4", "e5", "e6"}; !slices.Equal(got, want) {
		t.Errorf("it is made from %v, want %v", got, want)
	}
}

// TestTextsOfOurs: what Parley itself answers is shown outside of any turn, which continues
// as it did, and a summary stays.
func TestTextsOfOurs(t *testing.T) {
	t.Parallel()
	ours := session.AssistantMessage{Content: "The models are ..."}
	f := newFeed().turn().live(delta("m", "Hel"), ours, delta("m", "lo"))
	f.want(t, "prompt go | message Hello (live) | message The models are ...")
	f = newFeed().turn().stored(said("m", "yes"), session.AssistantTurnEnd{TurnID: "0"})
	n := f.Len()
	if _, ok := f.At(n - 1).Body.(*timeline.Summary); !ok {
		t.Fatalf("it does not end with a summary: %s", f.Dump())
	}
	f.live(ours)
	if _, ok := f.At(n - 1).Body.(*timeline.Summary); !ok || f.Len() != n+1 {
		t.Errorf("the summary is gone: %s", f.Dump())
	}
	f.live(said("n", "more"))
	if _, ok := f.At(f.Len() - 1).Body.(*timeline.Message); !ok || f.Len() != n+1 {
		t.Errorf("the summary stays though the agent continues: %s", f.Dump())
	}
}

// TestThinkingThatLookedLikeAnAnswer: what streamed as an answer and turns out to be
// thinking began when it began to stream, and the stored event is what it is made from.
func TestThinkingThatLookedLikeAnAnswer(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().live(delta("m", "Hm")).stored(session.AssistantMessage{MessageID: "m", Content: "Hm.", Phase: session.PhaseThinking})
	f.want(t, "prompt go | thinking Hm.")
	if e := f.At(1); !e.At.Equal(clock(3)) || !slices.Equal(e.Origin, []session.EventID{"e4"}) {
		t.Errorf("it began at %v, made from %v", e.At, e.Origin)
	}
}
