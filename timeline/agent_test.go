package timeline_test

import (
	"testing"

	"parley/session"
	"parley/timeline"
)

func task(f *feed) *feed {
	return f.turn().stored(startOf("task", `{"description":"look"}`)).
		agent("A", session.SubagentStarted{ToolCallID: "c", AgentDisplayName: "Scout"})
}

// TestSubagentStatus: a sub-agent's work is one line on the call that runs it.
func TestSubagentStatus(t *testing.T) {
	t.Parallel()
	f := task(newFeed())
	_, c := f.call(t)
	for _, step := range []struct {
		event session.Body
		want  string
	}{
		{session.UserMessage{Content: "Look."}, "starting"},
		{session.AssistantTurnStart{}, "thinking"},
		{session.AssistantMessageDelta{MessageID: "s", DeltaContent: "I"}, "answering"},
		{session.AssistantMessage{MessageID: "s", Content: "I look."}, "answering"},
		{session.ToolExecutionStart{ToolCallID: "x", ToolName: "bash", Arguments: []byte(`{"command":"ls"}`)}, "running ls"},
		{session.ToolExecutionProgress{ToolCallID: "x", ProgressMessage: "1 of\n2"}, "1 of 2"},
		{session.ToolShellOutput{ToolCallID: "x", Text: "a"}, "1 of 2"},
		{session.ToolExecutionComplete{ToolCallID: "x", Success: true}, "thinking"},
		{session.AssistantTurnRetry{}, "trying again (attempt 2)"},
		{session.AssistantTurnRetry{}, "trying again (attempt 3)"},
		{session.SessionError{Message: "broken"}, "error: broken"},
		{session.AssistantTurnEnd{}, "error: broken"},
		{session.AssistantIdle{}, "error: broken"},
	} {
		f.agent("A", step.event)
		if c.Status != step.want {
			t.Errorf("after %s: %q, want %q", step.event.Kind(), c.Status, step.want)
		}
	}
	f.want(t, "prompt go | call task (live)")
	if s := f.Status(); !s.Busy || s.Agents != 1 || s.Doing != "delegating look" {
		t.Errorf("got %+v", s)
	}
	f.agent("A", session.SubagentCompleted{ToolCallID: "c"}).stored(completeOf("Looked."))
	if s := f.Status(); s.Agents != 0 || c.Status != "" {
		t.Errorf("got %+v, %q", s, c.Status)
	}
}

func TestSubagentAsks(t *testing.T) {
	t.Parallel()
	f := task(newFeed())
	_, c := f.call(t)
	f.agent("A", session.PermissionRequested{RequestID: "p", PermissionRequest: session.PermissionRequest{Kind: "shell", ToolCallID: "x"}})
	if !c.Waiting || f.Status().Doing != "waiting for you" {
		t.Errorf("got %+v", f.Status())
	}
	f.agent("A", session.PermissionCompleted{RequestID: "p", ToolCallID: "x", Result: session.PermissionResult{Kind: "approved"}})
	if c.Waiting || f.Status().Waiting != 0 || f.Len() != 2 {
		t.Errorf("got %+v: %s", f.Status(), f.outline())
	}
}

// TestSubagentWithoutEnvelope: the reference document's form names the parent's
// call in some bodies only.
func TestSubagentWithoutEnvelope(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().stored(startOf("task", "{}"), session.SubagentStarted{ToolCallID: "c", AgentName: "scout"})
	_, c := f.call(t)
	f.stored(session.ToolExecutionStart{ToolCallID: "x", ToolName: "view", Arguments: []byte(`{"path":"a"}`), ParentToolCallID: "c"})
	if c.Status != "reading a" {
		t.Errorf("got %q", c.Status)
	}
	f.live(
		session.ToolExecutionPartialResult{ToolCallID: "x", PartialOutput: "text"},
		session.AssistantMessageDelta{MessageID: "s", DeltaContent: "hm", ParentToolCallID: "c"},
	).stored(
		session.ToolExecutionComplete{ToolCallID: "x", Success: true},
		session.AssistantMessage{MessageID: "s", Content: "hm", ParentToolCallID: "c"},
	)
	f.want(t, "prompt go | call task (live)")
}

func TestSubagentFailures(t *testing.T) {
	t.Parallel()
	failed := session.SubagentFailed{ToolCallID: "c", AgentDisplayName: "Scout", Error: "no model"}
	f := task(newFeed()).agent("A", failed)
	e, c := f.call(t)
	if c.Error != "no model" || e.State != timeline.Live || f.Len() != 2 {
		t.Errorf("a running call: %v %+v", e.State, c)
	}
	f.stored(completeOf("Failed."))
	if e.State != timeline.Failed {
		t.Errorf("its end: %v", e.State)
	}

	f = task(newFeed()).stored(completeOf("Started in the background.")).agent("A", failed)
	f.want(t, "prompt go | call task (failed) | error Agent “Scout” failed: no model (failed)")
	if f.At(2).Agent != "" {
		t.Error("the line about it is the conversation's own")
	}

	newFeed().agent("A", failed).want(t, "error Agent “Scout” failed: no model (failed)")
}

func TestNestedSubagentsShowOnTheOuterCall(t *testing.T) {
	t.Parallel()
	f := task(newFeed())
	f.agent("A", session.ToolExecutionStart{ToolCallID: "x", ToolName: "task", ParentToolCallID: "c"})
	f.agent("B", session.SubagentStarted{ToolCallID: "x", AgentName: "inner"},
		session.ToolExecutionStart{ToolCallID: "y", ToolName: "grep", Arguments: []byte(`{"pattern":"z"}`), ParentToolCallID: "x"})
	if _, c := f.call(t); c.Status != "searching z" || f.Status().Agents != 2 {
		t.Errorf("%q, %d agents", c.Status, f.Status().Agents)
	}
	f.want(t, "prompt go | call task (live)")
	f.live(session.SessionIdle{})
	if n := f.Status().Agents; n != 0 {
		t.Errorf("%d agents after everything stopped", n)
	}
}

func TestStrangersAreNotTheConversation(t *testing.T) {
	t.Parallel()
	newFeed().agent("Z", session.AssistantMessage{MessageID: "m", Content: "who?"},
		session.ToolExecutionStart{ToolCallID: "z", ToolName: "bash"},
		session.SubagentSelected{AgentName: "z"}, session.SubagentDeselected{},
		session.AssistantIdle{}, session.Abort{}).want(t, "")
}
