package tui

import (
	"strings"
	"testing"

	"parley/session"
	"parley/tui/conversation"
)

// idleWith is a session.idle while something runs in the background.
func idleWith(shells ...session.BackgroundShell) session.Event {
	return session.Event{Ephemeral: true, Body: session.SessionIdle{BackgroundTasks: &session.BackgroundTasks{
		Agents: []session.BackgroundAgent{{AgentID: "a2", AgentType: "explore", Description: "Watch the \x1b[31mbuild"}},
		Shells: shells,
	}}}
}

// TestReportedTasks: where the agent does not list its tasks, what its events
// report is listed, in the status line too.
func TestReportedTasks(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.size(90, 20)
	sc.m.win.Front.Session = bareSession{sc.s}
	say := func(events ...session.Event) {
		sc.update(toFront(sc.m, conversation.EventsMsg{Session: sc.m.win.Front.Session, Events: events, At: sc.at}))
	}
	sc.command("/tasks")
	sc.contains("Nothing runs in the background.")
	sc.command("/background")
	sc.contains("This agent cannot move work to the background.")
	say(session.Event{Ephemeral: true, Body: session.AssistantIdle{}})
	sc.command("/tasks")
	sc.contains("Something runs in the background; this agent does not report what it is.")
	say(idleWith(session.BackgroundShell{ShellID: "sh1", Description: "npm run watch"}, session.BackgroundShell{ShellID: "sh2"}))
	sc.command("/tasks")
	for _, want := range []string{
		"agent  Watch the build", "explore a2", "shell  npm run watch", "shell  sh2", "enter open · esc close",
		"1 agent, 2 shells in the background",
	} {
		sc.contains(want)
	}
	sc.m.win.Front.Tasks.Items = []session.Task{{ID: "stale", Title: "of another agent", Status: "running"}}
	say(session.Event{ID: "n", Body: session.SystemNotification{Notification: session.Notification{Type: "shell_completed", ShellID: "sh2"}}})
	sc.lacks("shell  sh2")
	sc.lacks("of another agent")
	sc.contains("1 agent, 1 shell in the background")
	sc.step("key", "enter")
	for _, want := range []string{"Agent: Watch the build", "kind and id  explore a2", "state        running", "does not report its output"} {
		sc.contains(want)
	}
	sc.step("key", "esc")
	sc.command("/tasks")
	sc.step("key", "down enter")
	sc.contains("Shell: npm run watch")
	sc.step("key", "esc")
	sc.command("/tasks")
	say(session.Event{Ephemeral: true, Body: session.SessionIdle{}})
	sc.lacks("npm run watch")
	sc.lacks("in the background")
}

// TestTaskThatWaits: a sub-agent that asks something waits in the list as it does in the timeline.
func TestTaskThatWaits(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.say(
		session.Event{ID: "c", Body: session.ToolExecutionStart{ToolCallID: "c", ToolName: "task", Arguments: []byte(`{"description":"look around"}`)}},
		session.Event{ID: "s", Agent: "a2", Body: session.SubagentStarted{ToolCallID: "c", AgentName: "explore", ExecutionMode: "background"}},
		session.Event{ID: "i", Body: session.AssistantIdle{}},
	)
	sc.s.tasks = []session.Task{{ID: "a2", Agent: true, Title: "look around", Status: "running", Since: sc.at}}
	sc.command("/tasks")
	sc.contains("running")
	sc.lacks("waiting for you")
	sc.step("key", "esc")
	ask := asking("p", "make")
	ask.Agent = "a2"
	sc.say(ask)
	sc.command("/tasks")
	sc.contains("waiting for you")
	sc.lacks("running")
}

// TestTasksOfAPastSession: what ran at the end of the log is listed, and not what
// the agent that reads it runs.
func TestTasksOfAPastSession(t *testing.T) {
	t.Parallel()
	p := newPasts(t, tide(nil), nil)
	p.read()
	p.reader.opened[0].tasks = []session.Task{{ID: "x", Title: "of the reader", Status: "running"}}
	p.step("type", "/tasks")
	p.step("key", "enter")
	p.sees("Nothing runs in the background.")
	p.sayIn(1, idleWith(session.BackgroundShell{ShellID: "sh1", Description: "npm run watch"}))
	p.step("type", "/tasks")
	p.step("key", "enter")
	p.sees("npm run watch", "running at the end of the log")
	if screen := strings.Join(p.screen(), "\n"); strings.Contains(screen, "of the reader") {
		t.Error(screen)
	}
}

// TestATimelineIsOpenedFromTasks: a sub-agent that the timeline has is opened from
// the list, whoever made it.
func TestATimelineIsOpenedFromTasks(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.say(
		session.Event{ID: "p", Body: session.UserMessage{Content: "go"}},
		session.Event{ID: "c", Body: session.ToolExecutionStart{ToolCallID: "c", ToolName: "task", Arguments: []byte(`{"description":"look around"}`)}},
		session.Event{ID: "s", Agent: "a2", Body: session.SubagentStarted{
			ToolCallID: "c", AgentName: "explore", AgentDisplayName: "Explorer", ExecutionMode: "background",
		}},
		session.Event{ID: "m", Agent: "a2", Body: session.AssistantMessage{MessageID: "m", Content: "I am at it."}},
	)
	sc.m.win.Front.Session = bareSession{sc.s}
	sc.command("/tasks")
	sc.contains("agent  look around")
	sc.step("key", "enter")
	sc.contains("I am at it.")
	if sc.m.win.Front.Pane.Agent == nil {
		t.Error("the timeline of the sub-agent is not open")
	}
}
