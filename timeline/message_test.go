package timeline_test

import (
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
		session.UserMessage{Content: "every hour", Source: "schedule-1", AgentMode: session.Plan},
	)
	f.want(t, "prompt hello | prompt  | prompt every hour")
	p, ok := f.At(2).Body.(*timeline.Prompt)
	if !ok || p.Source != "schedule-1" || p.Mode != session.Plan {
		t.Errorf("got %+v", f.At(2).Body)
	}
	if at := f.At(0).At; !at.Equal(clock(1)) {
		t.Errorf("the first prompt is at %v", at)
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
		"told again, the text is not doubled": {
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

// TestThoughtsStandOnceBeforeTheirMessage tells the same thinking in every form
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
		"told after the deltas":  func(f *feed) { f.live(delta("m", "y")).stored(withReasoning) },
		"thinking without an id": func(f *feed) { f.live(thought("", "hm, "), thought("", "w")).stored(withReasoning) },
		"thinking told twice":    func(f *feed) { f.live(thought("r", "x")).stored(whole, whole, withReasoning).live(whole) },
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
		t.Errorf("thinking that goes on is %v", e.State)
	}
}

// TestUnfinishedTextIsVoid: what an attempt left behind goes, whichever way the
// agent tells that it was abandoned; but an interruption keeps it.
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
			"prompt go | info The model could not be reached (odd error). It went on after one retry. | message whole (live)",
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
