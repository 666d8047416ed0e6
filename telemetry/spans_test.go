package telemetry

import (
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/codes"

	"parley/session"
)

// event is an event of the root so many milliseconds after a moment.
func event(ms int, b session.Body) session.Event {
	return session.Event{Time: time.UnixMilli(1_000_000_000_000 + int64(ms)).UTC(), Body: b}
}

// by is an event of a sub-agent.
func by(agent session.AgentID, ms int, b session.Body) session.Event {
	ev := event(ms, b)
	ev.Agent = agent
	return ev
}

func start(id session.CallID, tool string) session.ToolExecutionStart {
	return session.ToolExecutionStart{ToolCallID: id, ToolName: tool}
}

func done(id session.CallID) session.ToolExecutionComplete {
	return session.ToolExecutionComplete{ToolCallID: id, Success: true}
}

// shape prints spans as trees of names and times, without what they say but for
// outcomes.
func (l *lab) shape() string {
	var b strings.Builder
	for line := range strings.Lines(l.tree()) {
		text := strings.TrimSpace(line)
		if !strings.Contains(text, "=") && !strings.HasPrefix(text, "*") || strings.HasPrefix(text, "parley.outcome") || strings.HasPrefix(text, "error.type") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// TestShapes holds what runs side by side, in the background, or is cut short to
// its trees.
func TestShapes(t *testing.T) {
	t.Parallel()
	prompt, idle := session.UserMessage{Content: "x"}, session.AssistantIdle{}
	turn, turned := session.AssistantTurnStart{TurnID: "0"}, session.AssistantTurnEnd{TurnID: "0"}
	for _, c := range []struct {
		name   string
		events []session.Event
		want   string
	}{
		{"parallel sub-agents", []session.Event{
			event(0, prompt), event(1, turn), event(2, start("t1", "task")), event(3, start("t2", "task")),
			by("a", 4, session.SubagentStarted{ToolCallID: "t1", AgentName: "one"}), by("b", 5, session.SubagentStarted{ToolCallID: "t2", AgentName: "two"}),
			by("b", 6, turn), by("a", 7, turn), by("b", 8, start("s1", "bash")), by("a", 9, start("s2", "view")),
			by("a", 10, done("s2")), by("b", 11, done("s1")), by("b", 12, turned), by("a", 13, turned), by("a", 13, idle),
			by("b", 14, session.SubagentCompleted{}), event(15, done("t2")), by("a", 16, session.SubagentCompleted{}), event(17, done("t1")),
			event(18, turned), event(19, idle),
		}, `
invoke_agent  +0s 19ms
  turn  +1ms 17ms
    execute_tool task  +2ms 15ms
      invoke_agent one  +4ms 12ms
        turn  +7ms 6ms
          execute_tool view  +9ms 1ms
    execute_tool task  +3ms 12ms
      invoke_agent two  +5ms 9ms
        turn  +6ms 6ms
          execute_tool bash  +8ms 3ms
`},
		{"a sub-agent of a sub-agent, in the background", []session.Event{
			event(0, prompt), event(1, turn), event(2, start("t1", "task")), by("a", 3, session.SubagentStarted{ToolCallID: "t1", AgentName: "one"}),
			event(4, done("t1")), event(5, turned), event(6, idle), by("a", 7, turn), by("a", 8, start("t2", "task")),
			by("b", 9, session.SubagentStarted{ToolCallID: "t2", AgentName: "two", ParentID: "a"}), by("b", 10, turn), by("b", 11, turned),
			by("b", 12, session.SubagentFailed{Error: "x"}), by("a", 13, done("t2")), by("a", 14, turned), by("a", 15, session.SubagentCompleted{}),
		}, `
invoke_agent  +0s 6ms
  turn  +1ms 4ms
    execute_tool task  +2ms 2ms
      invoke_agent one  +3ms 12ms
        turn  +7ms 7ms
          execute_tool task  +8ms 5ms
            invoke_agent two  +9ms 3ms ERROR 
                error.type=_OTHER
              turn  +10ms 1ms
`},
		{"aborted with a sub-agent at work and one in the background", []session.Event{
			event(0, prompt), event(1, turn), event(2, start("t0", "task")), by("z", 3, session.SubagentStarted{ToolCallID: "t0", AgentName: "far"}),
			event(4, done("t0")), event(5, start("t1", "task")), by("a", 6, session.SubagentStarted{ToolCallID: "t1", AgentName: "near"}),
			by("a", 7, turn), by("a", 8, start("s1", "bash")), event(10, session.Abort{Reason: "user_initiated"}), event(11, turned), event(20, idle),
			by("z", 30, session.SubagentCompleted{}),
		}, `
invoke_agent  +0s 10ms
    parley.outcome=aborted
  turn  +1ms 9ms
      parley.outcome=aborted
    execute_tool task  +2ms 2ms
      invoke_agent far  +3ms 27ms
    execute_tool task  +5ms 5ms
        parley.outcome=aborted
      invoke_agent near  +6ms 4ms
          parley.outcome=aborted
        turn  +7ms 3ms
            parley.outcome=aborted
          execute_tool bash  +8ms 2ms
              parley.outcome=aborted
`},
		{"the model interrupted", []session.Event{
			event(0, prompt), event(1, turn), event(30, session.Abort{}),
			event(31, session.AgentInterrupted{Activity: "model_call", ElapsedMs: 20, Model: "m"}), event(32, turned), event(33, idle),
		}, `
invoke_agent  +0s 30ms
    parley.outcome=aborted
  turn  +1ms 29ms
      parley.outcome=aborted
    chat m  +10ms 20ms client
        parley.outcome=aborted
`},
		{"a queued message ends what ran, a steering one does not", []session.Event{
			event(0, session.UserMessage{Delivery: session.DeliveredIdle}), event(1, turn),
			event(2, session.UserMessage{Delivery: session.DeliveredSteering}), event(3, turned),
			event(4, session.UserMessage{Delivery: session.DeliveredQueued}), event(5, turn), event(6, turned), event(7, idle),
		}, `
invoke_agent  +0s 4ms
  turn  +1ms 2ms
invoke_agent  +4ms 3ms
  turn  +5ms 1ms
`},
		{"a notification begins work, and a continuation of autopilot", []session.Event{
			event(0, prompt), event(1, idle), event(5, session.SystemNotification{Notification: session.Notification{Type: "shell_completed"}}),
			event(6, turn), event(7, turned), event(8, idle), event(9, session.UserMessage{Source: "autopilot", IsAutopilotContinuation: true}),
			event(10, turn), event(11, turned), event(12, idle),
		}, `
invoke_agent  +0s 1ms
invoke_agent  +5ms 3ms follows
  turn  +6ms 1ms
invoke_agent  +9ms 3ms follows
  turn  +10ms 1ms
`},
		{"a command of the user's own outlives the turn", []session.Event{
			event(0, session.ToolUserRequested{ToolCallID: "u", ToolName: "bash"}), event(0, start("u", "bash")), event(1, prompt), event(2, idle),
			event(9, done("u")), event(10, session.ToolUserRequested{ToolCallID: "v", ToolName: "bash"}), event(11, prompt), event(12, session.Abort{}),
			event(13, idle), event(20, session.SystemNotification{}),
		}, `
execute_tool bash  +0s 9ms
invoke_agent  +1ms 1ms
execute_tool bash  +10ms 10ms
    parley.outcome=unfinished
invoke_agent  +11ms 1ms
    parley.outcome=aborted
session  +20ms 0s
`},
		{"the session ends at work", []session.Event{
			event(0, prompt), event(1, turn), event(2, start("c", "bash")), by("a", 3, turn), event(4, session.SessionShutdown{}),
		}, `
invoke_agent  +0s 4ms
    parley.outcome=unfinished
  turn  +1ms 3ms
      parley.outcome=unfinished
    execute_tool bash  +2ms 2ms
        parley.outcome=unfinished
    invoke_agent  +3ms 1ms
        parley.outcome=unfinished
      turn  +3ms 1ms
          parley.outcome=unfinished
`},
		{"calls of two agents with one id", []session.Event{
			event(0, prompt), event(1, turn), event(2, start("1", "task")), by("a", 3, session.SubagentStarted{ToolCallID: "1", AgentName: "one"}),
			by("a", 4, turn), by("a", 5, start("1", "task")), by("b", 6, session.SubagentStarted{ToolCallID: "1", AgentName: "two", ParentID: "a"}),
			event(6, start("2", "view")), event(7, start("2", "view")), event(7, done("2")), by("b", 7, start("1", "bash")), by("b", 8, done("1")), by("b", 9, session.SubagentCompleted{}), by("a", 10, done("1")),
			by("a", 11, turned), by("a", 12, session.SubagentCompleted{}), event(13, done("1")), event(14, turned), event(15, idle),
		}, `
invoke_agent  +0s 15ms
  turn  +1ms 13ms
    execute_tool task  +2ms 11ms
      invoke_agent one  +3ms 9ms
        turn  +4ms 7ms
          execute_tool task  +5ms 5ms
            invoke_agent two  +6ms 3ms
              execute_tool bash  +7ms 1ms
    execute_tool view  +6ms 1ms
        parley.outcome=unfinished
    execute_tool view  +7ms 0s
`},
		{"a call is dropped, and another's sub-agent with that id continues", []session.Event{
			event(0, prompt), by("a", 1, session.SubagentStarted{AgentName: "one"}), by("a", 2, start("1", "task")),
			by("b", 3, session.SubagentStarted{ToolCallID: "1", AgentName: "two", ParentID: "a"}), event(4, start("1", "bash")), event(5, session.Abort{}),
			event(6, idle), by("b", 7, session.SubagentCompleted{Cancelled: true}), by("a", 8, done("1")), by("a", 9, session.SubagentCompleted{}),
		}, `
invoke_agent  +0s 5ms
    parley.outcome=aborted
  invoke_agent one  +1ms 8ms
    execute_tool task  +2ms 6ms
      invoke_agent two  +3ms 4ms
          parley.outcome=cancelled
  execute_tool bash  +4ms 1ms
      parley.outcome=aborted
`},
		{"a sub-agent whose parent is not known", []session.Event{
			event(0, prompt), event(1, turn), by("a", 2, session.SubagentStarted{AgentName: "one"}), by("a", 3, start("x", "task")),
			by("b", 4, session.SubagentStarted{ToolCallID: "x", AgentName: "two"}), by("b", 5, session.SubagentCompleted{}),
			by("a", 6, done("x")), by("a", 7, session.SubagentCompleted{}), event(8, turned), event(9, idle),
		}, `
invoke_agent  +0s 9ms
  turn  +1ms 7ms
    invoke_agent one  +2ms 5ms
      execute_tool task  +3ms 3ms
        invoke_agent two  +4ms 1ms
`},
		{"work after it was stopped", []session.Event{
			event(0, prompt), event(1, turn), event(10, session.Abort{}), event(20, turn), event(21, start("c", "bash")), event(25, done("c")),
			event(30, turned), event(31, idle),
		}, `
invoke_agent  +0s 10ms
    parley.outcome=aborted
  turn  +1ms 9ms
      parley.outcome=aborted
invoke_agent  +20ms 11ms follows
  turn  +20ms 10ms
    execute_tool bash  +21ms 4ms
`},
		{"a clock that is set back, between and in interactions", []session.Event{
			event(900, prompt), event(950, idle), event(100, prompt), event(120, turn), event(150, turned), event(20, turn),
			event(160, turned), event(200, idle),
		}, `
invoke_agent  +0s 100ms
  turn  +20ms 30ms
  turn  +50ms 10ms
invoke_agent  +800ms 50ms
`},
		{"attempts that fail, reported and not", []session.Event{
			event(0, prompt), event(1, turn), event(10, session.ModelCallFailure{Model: "m", StatusCode: 500, DurationMs: 5}),
			event(11, session.AssistantTurnRetry{Reason: "api_error"}), event(20, session.AssistantTurnRetry{Model: "m", Reason: "rate_limit"}),
			event(30, session.AssistantUsage{Model: "m", Duration: 4}), event(31, turned), event(32, idle),
		}, `
invoke_agent  +0s 32ms
  turn  +1ms 30ms
    chat m  +5ms 5ms client ERROR 
        error.type=500
    chat m  +11ms 9ms client ERROR 
        error.type=rate_limit
    chat m  +26ms 4ms client
`},
		{"a summary in the background", []session.Event{
			event(0, prompt), event(1, turn), event(2, session.SessionCompactionStart{CompactionAttemptID: "1", Model: "m"}), event(3, turned),
			event(4, idle), event(9, session.SessionCompactionComplete{CompactionAttemptID: "1", Success: true}),
			event(10, session.SessionCompactionStart{Model: "m"}), event(12, session.SessionCompactionComplete{Outcome: "cancelled"}),
		}, `
invoke_agent  +0s 4ms
  turn  +1ms 2ms
    chat m  +2ms 7ms client
chat m  +10ms 2ms client
    parley.outcome=cancelled
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, false)
			l.play(session.Info{}, c.events...)
			if got := l.shape(); got != c.want[1:] {
				t.Errorf("got\n%s\nwant%s", got, c.want)
			}
		})
	}
}

// TestQuestion measures how long a user is waited for.
func TestQuestion(t *testing.T) {
	t.Parallel()
	l := newLab(t, false)
	l.play(session.Info{}, event(0, session.UserMessage{}), event(1, session.AssistantTurnStart{}), event(2, start("c", "bash")),
		event(3, session.PermissionRequested{RequestID: "q", PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "shell", ToolCallID: "c"}}}),
		event(2003, session.PermissionCompleted{RequestID: "q", Result: session.PermissionResult{Kind: "denied-interactively-by-user"}}),
		event(2004, session.ToolExecutionComplete{ToolCallID: "c", Error: &session.ToolError{Code: "rejected"}}),
		event(2005, session.UserInputRequested{RequestID: "i"}), event(3005, session.UserInputCompleted{RequestID: "i"}), event(3006, session.AssistantIdle{}))
	tree, measured := l.tree(), l.metrics(t)
	for _, want := range []string{
		"execute_tool bash  +2ms 2.002s ERROR", "error.type=rejected", "parley.waited=2\n",
		"+2.003s github.copilot.permission.completed gen_ai.tool.call.id=c github.copilot.permission.kind=shell " +
			"github.copilot.permission.result=denied-interactively-by-user parley.waited=2",
		"+3.005s parley.question.completed parley.question=user_input.requested parley.waited=1",
	} {
		if !strings.Contains(tree, want) {
			t.Errorf("%q is not in\n%s", want, tree)
		}
	}
	for _, want := range []string{
		"parley.wait.duration s github.copilot.permission.kind=shell: 1, in all 2.000",
		"gen_ai.execute_tool.duration s error.type=rejected gen_ai.tool.name=bash: 1, in all 2.002",
		"github.copilot.tool.call.count {call} gen_ai.tool.name=bash github.copilot.success=false: 1",
	} {
		if !strings.Contains(measured, want) {
			t.Errorf("%q is not in\n%s", want, measured)
		}
	}
}

// TestQuestionWhileTheClockIsSetBack waits for no less than nothing.
func TestQuestionWhileTheClockIsSetBack(t *testing.T) {
	t.Parallel()
	l := newLab(t, false)
	l.play(session.Info{}, event(900, session.UserInputRequested{RequestID: "i"}), event(100, session.UserInputCompleted{RequestID: "i"}))
	if got := l.metrics(t); got != "parley.wait.duration s parley.question=user_input.requested: 1, in all 0.000\n" {
		t.Errorf("measured was\n%s", got)
	}
}

// TestCost sums up what calls cost, and says nothing of an error beside its
// class.
func TestCost(t *testing.T) {
	t.Parallel()
	l := newLab(t, false)
	usage := session.AssistantUsage{Model: "m", InputTokens: 7, OutputTokens: 3, Cost: 1.5, CopilotUsage: &session.CopilotUsage{TotalNanoAIU: 40}}
	l.play(session.Info{}, event(0, session.UserMessage{}), event(1, session.AssistantTurnStart{}), event(2, usage), event(3, usage),
		event(4, session.SessionError{ErrorType: "quota", Message: "m"}), event(5, session.AssistantIdle{}))
	for _, want := range []string{"github.copilot.cost=3\n", "github.copilot.nano_aiu=80\n", "gen_ai.usage.input_tokens=14\n"} {
		if !strings.Contains(l.tree(), want) {
			t.Errorf("%q is not in\n%s", want, l.tree())
		}
	}
	measured := l.metrics(t)
	for _, want := range []string{"github.copilot.cost {request}", ": 3\n", "github.copilot.nano_aiu {nAIU}", ": 80\n"} {
		if !strings.Contains(measured, want) {
			t.Errorf("%q is not in\n%s", want, measured)
		}
	}
	for _, s := range l.spans.GetSpans() {
		if s.Name == "invoke_agent" && (s.Status.Code != codes.Error || s.Status.Description != "") {
			t.Errorf("the status is %v", s.Status)
		}
	}
}
