package timeline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/timeline"
)

func TestSubagentAsks(t *testing.T) {
	t.Parallel()
	f := task(newFeed(), "sync")
	_, c := f.call(t)
	f.agent("A", session.PermissionRequested{RequestID: "p", PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "shell", ToolCallID: "x"}}})
	if s := f.Status(); !c.Waiting || s.Activity != "waiting for you" || s.Waiting != 1 || c.Agent.Activity != "waiting for you" {
		t.Errorf("got %+v, %+v", s, c.Agent)
	}
	if i, ok := c.Agent.Timeline.Find("call:x"); !ok || !c.Agent.Timeline.At(i).Body.(*timeline.ToolCall).Waiting {
		t.Errorf("it does not wait for its own call: %s", inside(c.Agent))
	}
	f.agent("A", session.PermissionCompleted{RequestID: "p", ToolCallID: "x", Result: session.PermissionResult{Kind: "approved"}})
	if c.Waiting || f.Status().Waiting != 0 || f.Len() != 2 || c.Agent.Activity == "waiting for you" {
		t.Errorf("got %+v: %s", f.Status(), f.outline())
	}

	// A form, whose answer does not say whose it is.
	f.agent("A", session.ElicitationRequested{RequestID: "q", Message: "Which?"})
	if !c.Waiting || f.Status().Waiting != 1 {
		t.Errorf("got %+v", f.Status())
	}
	f.stored(session.ElicitationCompleted{RequestID: "q", Action: session.Decline})
	if c.Waiting || f.Status().Waiting != 0 {
		t.Errorf("got %+v", f.Status())
	}
	f.want(t, "prompt go | call task (live) | question Which? Declined (refused)")
	if got := inside(c.Agent); !strings.HasSuffix(got, "question Which? Declined (refused)") {
		t.Errorf("got %s", got)
	}

	// Its end takes back what it asked.
	f.agent("A", session.PermissionRequested{RequestID: "r"}, session.SubagentCompleted{ToolCallID: "c"})
	if c.Waiting || f.Status().Waiting != 0 {
		t.Errorf("got %+v", f.Status())
	}
}

// TestSubagentWithoutEnvelope: the documented form (testdata/protocol/documented.jsonl)
// names the parent's call in some bodies only.
func TestSubagentWithoutEnvelope(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().stored(startOf("task", "{}"), session.SubagentStarted{ToolCallID: "c", AgentName: "scout"})
	f.stored(session.ToolExecutionStart{ToolCallID: "x", ToolName: "view", Arguments: []byte(`{"path":"a"}`), ParentToolCallID: "c"})
	if a := f.sub(t); a.Activity != "reading a" || a.Calls != 1 {
		t.Errorf("got %+v", a)
	}
	f.live(
		session.ToolExecutionPartialResult{ToolCallID: "x", PartialOutput: "text"},
		session.AssistantMessageDelta{MessageID: "s", DeltaContent: "hm", ParentToolCallID: "c"},
		session.AssistantUsage{InputTokens: 5, ParentToolCallID: "c"},
	).stored(
		session.ToolExecutionComplete{ToolCallID: "x", Success: true},
		session.AssistantMessage{MessageID: "s", Content: "hm", ParentToolCallID: "c"},
		session.SubagentCompleted{ToolCallID: "c"},
		completeOf("ok"),
	)
	f.want(t, "prompt go | call task")
	f.wantAgent(t, timeline.Done, timeline.Done, 0)
	if a := f.sub(t); a.Tokens != 5 || !strings.Contains(inside(a), "call view | message hm") {
		t.Errorf("got %+v: %s", a, inside(a))
	}
}

// TestSubagentsNest: a sub-agent of a sub-agent belongs to a call of its
// timeline, and the outermost counts them all.
func TestSubagentsNest(t *testing.T) {
	t.Parallel()
	inner := session.SubagentStarted{ToolCallID: "x", AgentName: "inner", ParentID: "A"}
	grep := session.ToolExecutionStart{ToolCallID: "y", ToolName: "grep", Arguments: []byte(`{"pattern":"z"}`), ParentToolCallID: "x"}
	for name, known := range map[string]bool{"its call is known": true, "its parent is": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, inner := task(newFeed(), "sync"), inner
			if known {
				f.agent("A", session.ToolExecutionStart{ToolCallID: "x", ToolName: "task", ParentToolCallID: "c"})
				inner.ParentID = ""
			}
			f.agent("B", inner, grep)
			f.wantAgent(t, timeline.Live, timeline.Live, 2)
			a := &feed{Timeline: f.sub(t).Timeline}
			a.want(t, "call task (live)")
			b := a.At(0).Body.(*timeline.ToolCall).Agent
			if b == nil || b.Activity != "searching z" || inside(b) != "call grep (live)" || b.ID != "B" {
				t.Errorf("got %+v", b)
			}
			f.agent("B", session.PermissionRequested{RequestID: "p", PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "shell", ToolCallID: "y"}}})
			if s, in := f.Status(), a.Status(); s.Waiting != 1 || in.Waiting != 1 || f.sub(t).Activity != "waiting for you" {
				t.Errorf("got %+v, %+v", s, in)
			}
			f.agent("B", session.SubagentFailed{ToolCallID: "x", Error: "no"})
			f.wantAgent(t, timeline.Live, timeline.Live, 1)
			a.want(t, "call task (failed)")
			f.want(t, "prompt go | call task (live)")
			if n := f.Status().Waiting; n != 0 {
				t.Errorf("%d questions of an agent that has ended", n)
			}
		})
	}
}

// TestSubagentLeavesOthersBehind: agents that a sub-agent started in the
// background outlive it, and are counted until all is quiet.
func TestSubagentLeavesOthersBehind(t *testing.T) {
	t.Parallel()
	leave := func() *feed {
		f := task(newFeed(), "sync")
		f.agent("A", session.ToolExecutionStart{ToolCallID: "x", ToolName: "task"})
		f.agent("B", session.SubagentStarted{ToolCallID: "x", ExecutionMode: "background"})
		f.agent("A", session.ToolExecutionComplete{ToolCallID: "x", Success: true}, session.SubagentCompleted{ToolCallID: "c"})
		f.wantAgent(t, timeline.Done, timeline.Done, 1)
		return f
	}
	f := leave().agent("B", session.SubagentCompleted{ToolCallID: "x"})
	f.wantAgent(t, timeline.Done, timeline.Done, 0)
	f = leave().stored(session.SessionIdle{})
	f.wantAgent(t, timeline.Done, timeline.Done, 0)
	if got := inside(f.sub(t)); !strings.Contains(got, "call task (cancelled)") {
		t.Errorf("got %s", got)
	}
	f = leave().stored(session.SessionShutdown{})
	f.wantAgent(t, timeline.Done, timeline.Done, 0)
}

// TestSubagentsDoNotNestForEver: a log cannot make an event dear by depth.
func TestSubagentsDoNotNestForEver(t *testing.T) {
	t.Parallel()
	f := newFeed()
	name := func(i int) string { return fmt.Sprintf("a%d", i) }
	for i := range 200 {
		f.agent(session.AgentID(name(i)), session.SubagentStarted{ToolCallID: session.CallID("call " + name(i))},
			session.ToolExecutionStart{ToolCallID: session.CallID("call " + name(i+1)), ToolName: "task"})
	}
	depth, tl := 0, f.Timeline
	for tl.Len() > 0 {
		c, ok := tl.At(0).Body.(*timeline.ToolCall)
		if !ok || c.Agent == nil {
			break
		}
		depth, tl = depth+1, c.Agent.Timeline
	}
	if depth < 3 || depth > 20 {
		t.Errorf("%d deep", depth)
	}
	f.stored(session.SessionIdle{})
	if n := f.Status().Agents; n != 0 {
		t.Errorf("%d agents after everything stopped", n)
	}
}

// TestSubagentIsTakenBack: what was rewound does not come back with the events
// that its sub-agent still sends.
func TestSubagentIsTakenBack(t *testing.T) {
	t.Parallel()
	f := newFeed().stored(session.UserMessage{Content: "before"})
	task(f, "background").stored(completeOf("ok"))
	f.agent("A", session.AssistantTurnStart{}, session.PermissionRequested{RequestID: "p"})
	f.stored(session.SessionSnapshotRewind{UpToEventID: "e2"})
	late := []session.Body{
		session.AssistantTurnStart{},
		said("s", "late"),
		session.ToolExecutionStart{ToolCallID: "x", ToolName: "bash"},
		session.PermissionRequested{RequestID: "q"},
		session.PermissionCompleted{RequestID: "q"},
		session.SubagentCompleted{ToolCallID: "c"},
		session.SubagentFailed{ToolCallID: "c", Error: "no"},
	}
	f.agent("A", late...)
	f.want(t, "prompt before | boundary Rewound to before “go”")
	if s := f.Status(); s.Agents != 0 || s.Waiting != 0 {
		t.Errorf("got %+v", s)
	}
	f.agent("A", started("sync")).want(t, "prompt before | boundary Rewound to before “go” | call task (live)")
	if n := f.Status().Agents; n != 1 {
		t.Errorf("%d agents", n)
	}
}

func TestStrangersAreNotTheConversation(t *testing.T) {
	t.Parallel()
	newFeed().agent("Z", session.AssistantMessage{MessageID: "m", Content: "who?"},
		session.ToolExecutionStart{ToolCallID: "z", ToolName: "bash"},
		session.SubagentSelected{AgentName: "z"}, session.SubagentDeselected{},
		session.AssistantIdle{}, session.Abort{}).want(t, "")
}

// TestReadAgent: a call that reads what a sub-agent found has its name, and what
// it said without the words of the runtime around it.
func TestReadAgent(t *testing.T) {
	t.Parallel()
	const state = "Agent is idle (waiting for messages). agent_id: A, agent_type: explore, status: idle, elapsed: 0s, total_turns: 1"
	for name, tt := range map[string]struct{ result, want string }{
		"one answer":      {state + "\n\n[Turn 0]\nUnder the mat.\nReally.", "Under the mat.\nReally."},
		"several":         {state + "\n\n[Turn 0]\nUnder the mat.\n\n[Turn 1]\nGone.\n", "Under the mat.\n\nGone."},
		"no answer":       {state + "\n", "Agent is idle (waiting for messages)."},
		"not even a line": {state, "Agent is idle (waiting for messages)."},
		"another text":    {"Under the mat, said the agent_id: A.\n[Turn 0]\nYes.", ""},
		"nothing":         {"", ""},
	} {
		f := task(newFeed(), "background").stored(completeOf("Started."))
		for _, tool := range []string{"read_agent", "write_agent"} {
			id := session.CallID(tool)
			f.stored(session.ToolExecutionStart{ToolCallID: id, ToolName: tool, Arguments: jsontext.Value(`{"agent_id":"A","since_turn":0}`)})
			if doing := f.Status().Activity; tool == "read_agent" && doing != "waiting for Scout" {
				t.Errorf("%s: it is %s", name, doing)
			}
			f.stored(session.ToolExecutionComplete{ToolCallID: id, Success: true, Result: &session.ToolResult{Content: tt.result}})
			c, _ := f.At(f.Len() - 1).Body.(*timeline.ToolCall)
			want := map[string]string{"read_agent": tt.want}[tool]
			if c.Title != "Scout" || c.Result != tt.result || c.Detail != want {
				t.Errorf("%s: %s of %q has %q", name, tool, c.Title, c.Detail)
			}
		}
	}
	f := newFeed().turn().stored(startOf("read_agent", `{"agent_id":"B"}`))
	if _, c := f.call(t); c.Title != "" || f.Status().Activity != "waiting for a sub-agent" {
		t.Errorf("an unknown one is %q: %s", c.Title, f.Status().Activity)
	}
}

// TestReceiptOfASubagent: the history of the receipt of a question that a sub-agent
// asked begins with the event that asked.
func TestReceiptOfASubagent(t *testing.T) {
	t.Parallel()
	asks, settles := session.ElicitationRequested{RequestID: "q", Message: "Which?"}, session.ElicitationCompleted{RequestID: "q", Action: session.Decline}
	f := task(newFeed(), "sync").agent("A", asks).stored(settles)
	e := f.At(f.Len() - 1)
	if _, ok := e.Body.(*timeline.AnsweredQuestion); !ok {
		t.Fatalf("it ends with %T", e.Body)
	}
	if len(e.Events) == 0 || e.Events[0].Kind() != session.KindOf(asks) {
		t.Errorf("the event that asked is not the first of %d", len(e.Events))
	}
}

// TestBackgroundAgentKeepsAsking: that the agent is idle does not take back what a
// sub-agent in the background asks.
func TestBackgroundAgentKeepsAsking(t *testing.T) {
	t.Parallel()
	f := task(newFeed(), "background").agent("A", session.ElicitationRequested{RequestID: "q", Message: "Which?"})
	f.stored(completeOf("started"), session.AssistantTurnEnd{TurnID: "0"}).live(session.AssistantIdle{})
	if s := f.Status(); s.Waiting != 1 {
		t.Errorf("%d questions wait", s.Waiting)
	}
	f.stored(session.ElicitationCompleted{RequestID: "q", Action: session.Decline})
	if s := f.Status(); s.Waiting != 0 {
		t.Errorf("%d questions wait once it is answered", s.Waiting)
	}
}

// TestSubagentBeforeItsStart: what a sub-agent did before its start is reported is shown
// with what it does later, by whatever led to it.
func TestSubagentBeforeItsStart(t *testing.T) {
	t.Parallel()
	call, start := startOf("task", "{}"), started("sync")
	type step struct {
		agent session.AgentID
		body  session.Body
	}
	by := func(id session.AgentID, text string) step { return step{id, said(session.MessageID(text), text)} }
	named := func(call session.CallID, text string) step {
		return step{body: session.AssistantMessage{MessageID: session.MessageID(text), Content: text, ParentToolCallID: call}}
	}
	for name, tt := range map[string]struct {
		steps []step
		want  string // of the sub-agent of call c
	}{
		"by its id":                         {[]step{by("A", "one"), {"", call}, {"A", start}, by("A", "two")}, "message one | message two"},
		"by its call":                       {[]step{named("c", "one"), named("c", "two"), {"", call}, {"A", start}, by("A", "three")}, "message one | message two | message three"},
		"by its call, which is known":       {[]step{{"", call}, named("c", "one"), {"A", start}, by("A", "two"), named("c", "three")}, "message one | message two | message three"},
		"by its call, then by its id":       {[]step{{"", call}, named("c", "one"), by("A", "lost"), {"A", start}, by("A", "two")}, "message one | message two"},
		"by both, before its call":          {[]step{named("c", "lost"), by("A", "one"), {"", call}, {"A", start}, by("A", "two")}, "message one | message two"},
		"it continues under another's call": {[]step{{"", call}, {"A", start}, {"", session.ToolExecutionStart{ToolCallID: "d", ToolName: "task"}}, named("d", "other"), {"A", session.SubagentStarted{ToolCallID: "d"}}, by("A", "one")}, "message one"},
	} {
		f := newFeed().turn()
		for _, s := range tt.steps {
			f.agent(s.agent, s.body)
		}
		if got := inside(f.sub(t)); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
