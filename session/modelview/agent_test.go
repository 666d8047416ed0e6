package modelview_test

import (
	"slices"
	"testing"

	"parley/session"
	"parley/session/modelview"
)

// TestSubagentsApart: each agent's model sees what was said to and by it, and
// the session's own sees the result of the call.
func TestSubagentsApart(t *testing.T) {
	t.Parallel()
	k := newTalk(system("system", "", "be good"), user("go"), says("", "t", "u"))
	k.agent("A", session.UserMessage{Content: "look", Source: "agent-root"}, system("system", "", "you are A"))
	k.agent("B", user("hear"), says("", "x"))
	k.agent("A", says("", "y"), result("y", "seen"), notification("agent_idle", "of A"), says("found"))
	k.hear(result("t", "found"))
	k.agent("B", result("y", "not of B"), result("x", "heard"))
	k.want(t, "", "system: be good", "user: go", "assistant: t=bash{} + u=bash{}", "tool t bash: found")
	k.want(t, "A", "system: you are A", "user (sender agent-root): look", "assistant: y=bash{}", "tool y bash: seen",
		"user (notification agent_idle): of A", "assistant: found")
	k.want(t, "B", "user: hear", "assistant: x=bash{}", "tool x bash: heard")
	if got := k.Agents(); !slices.Equal(got, []session.AgentID{"A", "B"}) {
		t.Errorf("the agents are %q", got)
	}
	if k.Of("C") != nil {
		t.Error("an unknown agent sees something")
	}
}

// TestSubagentsHistory: what happens to one conversation leaves the others.
func TestSubagentsHistory(t *testing.T) {
	t.Parallel()
	k := newTalk(user("go"), says("", "t")).agent("A", user("look"), says("found"), compacts("k"), compacted("k", "S"))
	k.want(t, "", "user: go", "assistant: t=bash{}")
	k.want(t, "A", summary("S", "look"))
	k.wantGone(t, 3, 4)
	k.agent("A", session.Abort{}, session.SessionContextCleared{}).want(t, "A")
	k.want(t, "", "user: go", "assistant: t=bash{}")
	k.hear(compacted("l", "T")).want(t, "", summaryOfWork("T", "go"))
}

// TestSubagentWithoutEnvelope: the documented form of the events
// (testdata/protocol/documented.jsonl) names the call that runs the sub-agent,
// and not the agent.
func TestSubagentWithoutEnvelope(t *testing.T) {
	t.Parallel()
	k := newTalk(user("go"), says("", "t"))
	inner := says("I read it first.", "x")
	inner.ParentToolCallID = "t"
	end := result("x", "package cart")
	end.ParentToolCallID = "t"
	last := session.AssistantMessage{Content: "fine", ParentToolCallID: "t"}
	k.hear(session.SubagentStarted{ToolCallID: "t", AgentName: "reviewer"}, inner, end, last, result("t", "fine"), says("It is fine."))
	k.want(t, "", "user: go", "assistant: t=bash{}", "tool t bash: fine", "assistant: It is fine.")
	agents := k.Agents()
	if len(agents) != 1 {
		t.Fatalf("the agents are %q", agents)
	}
	k.want(t, agents[0], "assistant: I read it first. + x=bash{}", "tool x bash: package cart", "assistant: fine")
}

// TestAgentsThatSee: an agent that only has news is none that
// sees anything.
func TestAgentsThatSee(t *testing.T) {
	t.Parallel()
	k := newTalk(user("go"))
	before := k.Dump()
	for _, b := range []session.Body{
		session.ToolExecutionStart{ToolCallID: "c"},
		result("c", "out"),
		session.Abort{},
		session.SessionContextCleared{InitialMessage: "x"},
		session.SkillInvoked{Name: "s", Trigger: "user-invoked"},
		compacts("k"),
		session.SessionCompactionComplete{CompactionAttemptID: "k"},
		session.SkillInvokedRef{ContentID: "x"},
		session.SessionModeNoticeDelivered{},
		notification("instruction_discovered", "x"),
		session.SubagentStarted{ToolCallID: "c"},
		session.SubagentCompleted{ToolCallID: "c"},
	} {
		k.agent("A", b)
		if k.Dump() != before || len(k.Agents()) != 0 {
			t.Fatalf("%T of a sub-agent left\n%s", b, k.Dump())
		}
	}
}

// TestVersion: it grows with every change, whichever agent's.
func TestVersion(t *testing.T) {
	t.Parallel()
	v := modelview.New()
	for i, b := range []session.Body{user("go"), says("", "c"), result("c", "out")} {
		old := v.Version()
		if out := v.Apply(session.Event{Agent: session.AgentID("AA"[:i%2]), Body: b}); (out == modelview.Applied) != (v.Version() > old) {
			t.Errorf("%T is %v, and the version went from %d to %d", b, out, old, v.Version())
		}
	}
}
