package timeline_test

import (
	"strings"
	"testing"

	"parley/session"
	"parley/timeline"
)

func started(mode string) session.SubagentStarted {
	return session.SubagentStarted{
		ToolCallID: "c", AgentName: "explore", AgentDisplayName: "Scout", AgentDescription: "looks around", ExecutionMode: mode,
	}
}

func task(f *feed, mode string) *feed {
	return f.turn().stored(startOf("task", `{"description":"look"}`)).agent("A", started(mode))
}

// sub returns the sub-agent of call c.
func (f *feed) sub(t *testing.T) *timeline.Subagent {
	t.Helper()
	_, c := f.call(t)
	if c.Agent == nil || c.Agent.Timeline == nil {
		t.Fatalf("call c runs no agent: %s", f.outline())
	}
	return c.Agent
}

func inside(a *timeline.Subagent) string { return (&feed{Timeline: a.Timeline}).outline() }

// wantAgent checks the states of the entry of call c and of its sub-agent, and
// how many are said to run.
func (f *feed) wantAgent(t *testing.T, entry, agent timeline.State, running int) {
	t.Helper()
	e, _ := f.call(t)
	a := f.sub(t)
	if e.State != entry || a.State != agent || f.Status().Agents != running {
		t.Errorf("the entry is %v, want %v; the agent %v, want %v; %d run, want %d",
			e.State, entry, a.State, agent, f.Status().Agents, running)
	}
	if a.State.Final() != !a.End.IsZero() || a.State.Final() && a.Activity != "" || !a.State.Final() && a.Activity == "" {
		t.Errorf("it is %v and does %q, and its end is %v", a.State, a.Activity, a.End)
	}
}

// TestSubagentLine: the line of a sub-agent says what it is and does.
func TestSubagentLine(t *testing.T) {
	t.Parallel()
	f := task(newFeed(), "sync")
	for _, step := range []struct {
		event session.Body
		want  string
	}{
		{session.SubagentConfigured{Model: "m1"}, "thinking"},
		{session.UserMessage{Content: "Look.", Source: "agent-root"}, "thinking"},
		{session.AssistantTurnStart{ParentToolCallID: "c"}, "thinking"},
		{session.AssistantMessageDelta{MessageID: "s", DeltaContent: "I"}, "answering"},
		{session.AssistantMessage{MessageID: "s", Content: "I look."}, "thinking"},
		{session.ToolExecutionStart{ToolCallID: "x", ToolName: "bash", Arguments: []byte(`{"command":"ls"}`)}, "running ls"},
		{session.ToolExecutionProgress{ToolCallID: "x", ProgressMessage: "1 of\n2"}, "running ls"},
		{session.ToolExecutionComplete{ToolCallID: "x", Success: true}, "thinking"},
		{session.AssistantTurnRetry{}, "trying again (attempt 2)"},
		{session.AssistantTurnRetry{}, "trying again (attempt 3)"},
		{session.AssistantMessageDelta{MessageID: "u", DeltaContent: "I"}, "answering"},
		{session.SessionError{Message: "broken"}, "answering"},
		{session.AssistantTurnEnd{}, "thinking"},
	} {
		f.agent("A", step.event)
		if got := f.sub(t).Activity; got != step.want {
			t.Errorf("after %s: %q, want %q", session.KindOf(step.event), got, step.want)
		}
	}
	f.want(t, "prompt go | call task (live)")
	f.wantAgent(t, timeline.Live, timeline.Live, 1)
	if s := f.Status(); !s.Busy {
		t.Errorf("got %+v", s)
	}
	if e, _ := f.call(t); e.Agent != "" {
		t.Errorf("the line is said to be of %q", e.Agent)
	}
	usage := session.AssistantUsage{InputTokens: 100, OutputTokens: 20}
	f.agent("A", usage, usage, session.SessionModelChange{NewModel: "m2"})
	a := *f.sub(t)
	a.Timeline = nil
	if want := (timeline.Subagent{
		ID: "A", Name: "explore", Title: "Scout", Description: "looks around", Model: "m2",
		At: clock(4), Activity: "thinking", Calls: 1, Tokens: 240,
	}); a != want {
		t.Errorf("got  %+v\nwant %+v", a, want)
	}
	f.agent("A", session.SubagentCompleted{ToolCallID: "c", TotalToolCalls: 1, TotalTokens: 250})
	f.wantAgent(t, timeline.Done, timeline.Done, 0)
	f.stored(completeOf("Looked."))
	f.wantAgent(t, timeline.Done, timeline.Done, 0)
	if a := f.sub(t); a.Tokens != 250 || a.Calls != 1 || a.End != clock(21) {
		t.Errorf("got %+v", a)
	}
	if got, want := inside(f.sub(t)), "prompt Look. | message I look. | call bash"; !strings.HasPrefix(got, want) {
		t.Errorf("got  %s\nwant %s …", got, want)
	}
}

// TestFindSubagent: one is found by its id, or by its call as long as it has
// none, also inside another.
func TestFindSubagent(t *testing.T) {
	t.Parallel()
	finds := func(f *feed, id session.AgentID, want *timeline.Subagent) {
		t.Helper()
		if got, ok := f.Subagent(id); got != want || ok != (want != nil) {
			t.Errorf("%q: got %+v, %t", id, got, ok)
		}
	}
	f := newFeed().turn().stored(startOf("task", `{}`)).stored(started("sync"))
	finds(f, "c", f.sub(t))
	finds(f, "", nil)
	f = task(newFeed(), "sync")
	finds(f, "A", f.sub(t))
	finds(f, "c", nil)
	f.agent("A", session.ToolExecutionStart{ToolCallID: "d", ToolName: "task"})
	f.agent("B", session.SubagentStarted{ToolCallID: "d", AgentName: "explore"})
	if a, ok := f.Subagent("B"); !ok || a.ID != "B" {
		t.Errorf("the inner one: %+v, %t", a, ok)
	}
}

// TestSubagentTouchesItsLineSparingly: deltas that change no word of the line
// leave it as it is.
func TestSubagentTouchesItsLineSparingly(t *testing.T) {
	t.Parallel()
	f := task(newFeed(), "sync").agent("A", session.AssistantTurnStart{}, delta("s", "a"))
	e, _ := f.call(t)
	before := e.Version
	for range 10 {
		f.agent("A", delta("s", "b"), session.ToolShellOutput{ToolCallID: "x", Text: "o"})
	}
	if e.Version > before+1 { // the call x was new once
		t.Errorf("the line changed %d times", e.Version-before)
	}
}

// TestSubagentEnds: how a sub-agent and the line about it end, whichever of the
// two ends first.
func TestSubagentEnds(t *testing.T) {
	t.Parallel()
	const (
		live, done, failed, cancelled = timeline.Live, timeline.Done, timeline.Failed, timeline.Cancelled
	)
	completed := session.SubagentCompleted{ToolCallID: "c"}
	stopped := session.SubagentCompleted{ToolCallID: "c", Cancelled: true}
	failure := session.SubagentFailed{ToolCallID: "c", AgentDisplayName: "Scout", Error: "no model"}
	broken := session.ToolExecutionComplete{ToolCallID: "c", Error: &session.ToolError{Message: "no model"}}
	returned := completeOf("ok")
	for _, test := range []struct {
		name, mode   string
		events       []session.Body
		entry, agent timeline.State
	}{
		{"sync", "sync", []session.Body{completed, returned}, done, done},
		{"sync, not returned", "sync", []session.Body{completed}, done, done},
		{"sync, failed", "sync", []session.Body{failure, broken}, failed, failed},
		{"sync, failed, sent as a result", "sync", []session.Body{failure, returned}, failed, failed},
		{"sync, not returned, failed", "", []session.Body{failure}, failed, failed},
		{"sync, cancelled", "sync", []session.Body{stopped, returned}, cancelled, cancelled},
		{"sync, the call fails", "sync", []session.Body{broken}, failed, failed},
		{"sync, the loop stops", "sync", []session.Body{session.AssistantIdle{}}, cancelled, cancelled},
		{"sync, abort", "sync", []session.Body{session.Abort{}}, cancelled, cancelled},
		{"sync, moved to the background", "sync", []session.Body{returned}, live, live},
		{"moved to the background, completed", "sync", []session.Body{returned, completed}, done, done},
		{"background", "background", []session.Body{returned, session.AssistantTurnEnd{}, session.AssistantIdle{}}, live, live},
		{"background, completed", "background", []session.Body{returned, session.AssistantIdle{}, completed}, done, done},
		{"background, failed", "background", []session.Body{returned, failure}, failed, failed},
		{"background, cancelled", "background", []session.Body{returned, stopped}, cancelled, cancelled},
		{"background, abort", "background", []session.Body{returned, session.Abort{}}, live, live},
		{"background, all quiet", "background", []session.Body{returned, session.SessionIdle{}}, cancelled, cancelled},
		{"background, all quiet, then its end", "background", []session.Body{returned, session.SessionIdle{}, completed}, done, done},
		{"background, shutdown", "background", []session.Body{returned, session.SessionShutdown{}}, cancelled, cancelled},
		{"background, resume", "background", []session.Body{returned, session.SessionResume{}}, cancelled, cancelled},
		{"background, joined", "background", []session.Body{returned, session.SessionResume{SessionWasActive: true}}, live, live},
		{"twice", "sync", []session.Body{completed, completed, returned, completed}, done, done},
		{"started again", "sync", []session.Body{session.SessionResume{}, started("sync")}, live, live},
		{"started again and completed", "sync", []session.Body{session.SessionResume{}, started("sync"), completed}, done, done},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := task(newFeed(), test.mode)
			for _, b := range test.events {
				switch b.(type) {
				case session.SubagentCompleted, session.SubagentFailed, session.SubagentStarted:
					f.agent("A", b)
				default:
					f.stored(b)
				}
			}
			running := 0
			if test.agent == live {
				running = 1
			}
			f.wantAgent(t, test.entry, test.agent, running)
		})
	}
}

// TestSubagentIsAwake: a sub-agent that gets a follow-up works again, in the
// background when its call has returned.
func TestSubagentIsAwake(t *testing.T) {
	t.Parallel()
	for _, work := range []session.Body{
		session.UserMessage{Content: "More."},
		session.AssistantTurnStart{},
		session.ToolExecutionStart{ToolCallID: "y", ToolName: "bash"},
	} {
		f := task(newFeed(), "sync").agent("A", session.SubagentCompleted{ToolCallID: "c"}).stored(completeOf("ok"))
		f.agent("A", session.AssistantMessageDelta{MessageID: "late", DeltaContent: "news"})
		f.wantAgent(t, timeline.Done, timeline.Done, 0)
		f.agent("A", work)
		f.wantAgent(t, timeline.Live, timeline.Live, 1)
		f.stored(session.AssistantIdle{})
		f.wantAgent(t, timeline.Live, timeline.Live, 1)
		f.agent("A", session.SubagentCompleted{ToolCallID: "c"})
		f.wantAgent(t, timeline.Done, timeline.Done, 0)
	}
}

// TestSubagentInTheBackground: a call that says that it waits for its sub-agent
// does, unless the agent continues to work after the call has returned. That the
// end of the agent is reported after the end of the call says nothing.
func TestSubagentInTheBackground(t *testing.T) {
	t.Parallel()
	var (
		returned  = completeOf("ok")
		completed = session.SubagentCompleted{ToolCallID: "c"}
		spoke     = said("s", "I look.")
		turn      = session.AssistantTurnStart{TurnID: "1", ParentToolCallID: "c"}
		idle      = session.AssistantIdle{}
	)
	for _, test := range []struct {
		name, mode string
		events     []session.Body
		late       int // how many of them, from the last, were sent late: they happened before the call returned
		background bool
		state      timeline.State
	}{
		{"sync", "sync", []session.Body{turn, spoke, completed, returned, idle}, 0, false, timeline.Done},
		{"sync, its end sent late", "sync", []session.Body{turn, spoke, returned, completed, idle}, 0, false, timeline.Done},
		{"sync, its words sent late", "sync", []session.Body{turn, returned, spoke, session.AssistantTurnEnd{ParentToolCallID: "c"}, completed}, 0, false, timeline.Done},
		{"sync, its turn sent late", "sync", []session.Body{returned, turn, spoke, completed}, 3, false, timeline.Done},
		{"sync, its turn sent after its end", "sync", []session.Body{returned, completed, turn, spoke}, 2, false, timeline.Done},
		{"sync, only returned", "sync", []session.Body{turn, returned, idle}, 0, false, timeline.Live},
		{"sync, all quiet", "sync", []session.Body{turn, returned, session.SessionIdle{}}, 0, false, timeline.Cancelled},
		{"moved to the background", "sync", []session.Body{turn, returned, idle, turn, spoke}, 0, true, timeline.Live},
		{"moved to the background, done", "sync", []session.Body{turn, returned, turn, spoke, completed}, 0, true, timeline.Done},
		{"asked again", "sync", []session.Body{turn, completed, returned, session.UserMessage{Content: "And?"}, turn, completed}, 0, true, timeline.Done},
		{"background", "background", []session.Body{returned, turn, completed}, 0, true, timeline.Done},
		{"not said", "", []session.Body{turn, completed, returned}, 0, false, timeline.Done},
		{"not said, works on", "", []session.Body{turn, returned}, 0, true, timeline.Live},
	} {
		for _, replayed := range []bool{false, true} {
			f := task(newFeed(), test.mode)
			for i, b := range test.events {
				ev := f.next(b)
				switch b.(type) {
				case session.ToolExecutionComplete:
				case session.AssistantIdle, session.SessionIdle:
					if ev.Ephemeral = true; replayed && test.state == timeline.Done {
						continue // what is done needs no such end
					}
				default:
					ev.Agent = "A"
				}
				if i >= len(test.events)-test.late {
					ev.Time = clock(4)
				}
				f.Apply(ev)
			}
			if a := f.sub(t); a.Background != test.background || a.State != test.state {
				t.Errorf("%s, replayed %t: background %t, %v", test.name, replayed, a.Background, a.State)
			}
		}
	}
}

// TestSubagentFailuresAreLoud: on the line while it is in sight, and else on a
// line of their own.
func TestSubagentFailuresAreLoud(t *testing.T) {
	t.Parallel()
	failed := session.SubagentFailed{ToolCallID: "c", AgentDisplayName: "Scout", Error: "no model"}
	f := task(newFeed(), "sync").agent("A", failed)
	f.want(t, "prompt go | call task (failed)")
	if _, c := f.call(t); c.Error != "no model" || c.Agent.Error != "no model" {
		t.Errorf("got %q, %q", c.Error, c.Agent.Error)
	}
	f = task(newFeed(), "background").stored(completeOf("Started in the background.")).agent("A", failed)
	f.want(t, "prompt go | call task (failed) | error Agent “Scout” failed: no model (failed)")
	if f.At(2).Agent != "" {
		t.Error("the line about it is the parent's own")
	}
	newFeed().agent("A", failed).want(t, "error Agent “Scout” failed: no model (failed)")
}

// TestSubagentStartsUnseen: what a sub-agent does before its start, or without
// one, finds its place when the call is known.
func TestSubagentStartsUnseen(t *testing.T) {
	t.Parallel()
	f := newFeed().agent("A", session.UserMessage{Content: "Look."}, said("s", "I look."))
	f.want(t, "")
	if n := f.Status().Agents; n != 0 {
		t.Errorf("%d agents of which nothing is shown", n)
	}
	f.agent("A", started("sync")).want(t, "call task (live)")
	f.wantAgent(t, timeline.Live, timeline.Live, 1)
	if got := inside(f.sub(t)); got != "prompt Look. | message I look." {
		t.Errorf("got %s", got)
	}

	f = newFeed().turn().stored(startOf("task", "{}")).agent("A", session.AssistantTurnStart{ParentToolCallID: "c"}, delta("s", "hm"))
	f.want(t, "prompt go | call task (live)")
	f.wantAgent(t, timeline.Live, timeline.Live, 1)
	f.agent("A", session.SubagentCompleted{ToolCallID: "c", Cancelled: true})
	f.wantAgent(t, timeline.Cancelled, timeline.Cancelled, 0)

	f = newFeed().turn().stored(startOf("task", "{}")).stored(completeOf("ok")).agent("A", started("sync"))
	f.wantAgent(t, timeline.Done, timeline.Done, 0)
	newFeed().agent("A", session.SubagentCompleted{ToolCallID: "c"}).want(t, "")
}

// TestSubagentsOfOneCall get a line each.
func TestSubagentsOfOneCall(t *testing.T) {
	t.Parallel()
	f := task(newFeed(), "background").agent("B", started("background"), said("s", "I am B."))
	f.want(t, "prompt go | call task (live) | call task (live)")
	if got := inside(f.sub(t)); got != "" || f.Status().Agents != 2 {
		t.Errorf("A said %q; %d run", got, f.Status().Agents)
	}
	f.agent("B", session.SubagentCompleted{ToolCallID: "c"})
	f.want(t, "prompt go | call task (live) | call task")
	f.wantAgent(t, timeline.Live, timeline.Live, 1)
}
