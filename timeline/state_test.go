package timeline_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"parley/session"
	"parley/timeline"
)

// notices are the notices of a category, with their details in braces.
func (f *feed) notices(category string) (list []string) {
	for i := range f.Len() {
		if n, ok := f.At(i).Body.(*timeline.Notice); ok && n.Category == category {
			s := n.Level.String() + " " + n.Text
			if n.Detail != "" {
				s += " {" + n.Detail + "}"
			}
			list = append(list, s)
		}
	}
	return list
}

func (f *feed) wantNotices(t *testing.T, category string, want ...string) {
	t.Helper()
	if got := f.notices(category); !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got\n%q\nwant\n%q", category, got, want)
	}
}

// TestCustomAgents: which agent handles the conversation, with its tools and its
// internal name; the default one handles it again when it is deselected.
func TestCustomAgents(t *testing.T) {
	t.Parallel()
	f := newFeed().turn()
	for _, tt := range []struct {
		body   session.Body
		want   timeline.Persona
		notice string
	}{
		{
			session.SubagentSelected{AgentName: "poet", AgentDisplayName: "The Poet", Tools: []string{"view", "bash"}},
			timeline.Persona{Title: "The Poet", Name: "poet", Tools: []string{"view", "bash"}},
			"info Agent “The Poet” handles this conversation {Name: poet\nTools: view, bash}",
		},
		{session.SubagentDeselected{}, timeline.Persona{}, "info The default agent handles this conversation"},
		{
			session.SubagentSelected{AgentName: "critic", AgentDisplayName: "critic"},
			timeline.Persona{Title: "critic", Name: "critic"},
			"info Agent “critic” handles this conversation {Tools: all}",
		},
		{
			session.SubagentSelected{AgentName: "mute", Tools: []string{}},
			timeline.Persona{Title: "mute", Name: "mute", Tools: []string{}},
			"info Agent “mute” handles this conversation {Tools: none}",
		},
		{session.SubagentSelected{}, timeline.Persona{Title: "unnamed"}, "info Agent “unnamed” handles this conversation {Tools: all}"},
	} {
		f.stored(tt.body, said(session.MessageID(tt.notice), "ok"))
		if got := f.Status().Persona; !reflect.DeepEqual(got, tt.want) {
			t.Errorf("got %+v, want %+v", got, tt.want)
		}
		if all := f.notices("agent"); len(all) == 0 || all[len(all)-1] != tt.notice {
			t.Errorf("got %q, want %q at the end", all, tt.notice)
		}
	}
	f = newFeed().turn().stored(session.SubagentSelected{AgentName: "a"}, session.SubagentSelected{AgentName: "b", Tools: []string{"x"}})
	f.wantNotices(t, "agent", "info Agent “b” handles this conversation {Tools: x}")
	f.stored(session.SubagentDeselected{})
	f.wantNotices(t, "agent")
}

// TestSubagentNames: the names of a sub-agent are known from its end too.
func TestSubagentNames(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]session.Body{
		"completed": session.SubagentCompleted{ToolCallID: "c", AgentName: "explore", AgentDisplayName: "Explorer"},
		"failed":    session.SubagentFailed{ToolCallID: "c", AgentName: "explore", AgentDisplayName: "Explorer", Error: "x"},
	} {
		f := newFeed().turn().stored(startOf("task", "{}"))
		f.agent("A", session.AssistantMessage{ParentToolCallID: "c", Content: "hm"}, end)
		if _, c := f.call(t); c.Agent == nil || c.Agent.Name != "explore" || c.Agent.Title != "Explorer" {
			t.Errorf("%s: got %+v", name, c.Agent)
		}
	}
}

// TestWorkingFolder: folder, git root, repository and branch; another folder is
// one line.
func TestWorkingFolder(t *testing.T) {
	t.Parallel()
	f := newFeed().turn()
	place := func() [4]string {
		s := f.Status()
		return [4]string{s.Dir, s.GitRoot, s.Repository, s.Branch}
	}
	for _, tt := range []struct {
		what string
		body session.SessionContextChanged
		want [4]string
	}{
		{"the first", session.SessionContextChanged{Cwd: "/w/a", GitRoot: "/w", Repository: "o/r", Branch: "main"}, [4]string{"/w/a", "/w", "o/r", "main"}},
		{"without git yet", session.SessionContextChanged{Cwd: "/w/a", PendingGitContext: true}, [4]string{"/w/a", "/w", "o/r", "main"}},
		{"another branch", session.SessionContextChanged{Cwd: "/w/a", GitRoot: "/w", Repository: "o/r", Branch: "b"}, [4]string{"/w/a", "/w", "o/r", "b"}},
		{"no folder", session.SessionContextChanged{GitRoot: "/v"}, [4]string{"/w/a", "/v", "", ""}},
	} {
		f.stored(tt.body)
		if got := place(); got != tt.want {
			t.Errorf("%s: %q", tt.what, got)
		}
	}
	f.wantNotices(t, "folder")
	f.stored(session.SessionContextChanged{Cwd: "/x", PendingGitContext: true}, session.SessionContextChanged{Cwd: "/x", GitRoot: "/x", Branch: "m"})
	if got := place(); got != [4]string{"/x", "/x", "", "m"} {
		t.Errorf("another folder: %q", got)
	}
	f.wantNotices(t, "folder", "info Working folder changed to /x")
}

// TestPermissionModes: that the user is not asked is a warning, and stays known.
func TestPermissionModes(t *testing.T) {
	t.Parallel()
	f := newFeed().turn()
	change := func(mode, previous session.PermissionMode) session.Body {
		return session.SessionPermissionsChanged{Mode: mode, PreviousMode: previous}
	}
	for _, tt := range []struct {
		body     session.Body
		allowAll bool
		notice   string
	}{
		{change(session.AllowAll, session.Manual), true, "warning Allow all is on: the agent does everything without asking"},
		{change(session.Manual, session.AllowAll), false, "info The agent asks for permissions again"},
		{change(session.Assisted, session.Manual), false, "info A model decides about permissions now, and asks you when in doubt"},
		{
			session.SessionPermissionsChanged{AllowAllPermissions: ptr(true)},
			true,
			"warning Allow all is on: the agent does everything without asking",
		},
	} {
		before := len(f.notices("permissions"))
		f.stored(tt.body)
		if f.Status().AllowAll != tt.allowAll {
			t.Errorf("%+v: allow all is %v", tt.body, f.Status().AllowAll)
		}
		if all := f.notices("permissions"); len(all) != before+1 || all[before] != tt.notice {
			t.Errorf("%+v: got %q", tt.body, all)
		}
	}
}

// What the entries are before the agent has stopped, and after it.
const (
	atWork  = "prompt message"
	stopped = "prompt message summary(1)"
)

func (f *feed) wantStopped(t *testing.T, busy bool, shape string) {
	t.Helper()
	if got := f.Status().Busy; got != busy {
		t.Errorf("busy is %v", got)
	}
	f.wantShape(t, "then", shape)
}

// TestTurnEndOfAStoredLog: it leaves the session quiet, with the summary of the
// prompt, for nothing else in such a log says that the agent has stopped.
func TestTurnEndOfAStoredLog(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().stored(said("m", "ok"))
	f.wantStopped(t, true, atWork)
	f.stored(session.AssistantTurnEnd{})
	f.wantStopped(t, false, stopped)
}

// endedTurn is a running session after the end of a turn.
func endedTurn() *feed {
	return newFeed().live(session.AssistantStreamingDelta{}).turn().stored(said("m", "ok"), session.AssistantTurnEnd{})
}

// TestAgentIsIdle: the agent takes input again, and the summary comes.
func TestAgentIsIdle(t *testing.T) {
	t.Parallel()
	f := endedTurn()
	f.wantStopped(t, true, atWork)
	f.live(session.AssistantIdle{})
	f.wantStopped(t, false, stopped)
	if !f.Status().BackgroundWork {
		t.Error("nothing runs in the background, before the session is idle")
	}
}

// TestSessionIsIdle: nothing runs any more, and the summary comes if it has not.
func TestSessionIsIdle(t *testing.T) {
	t.Parallel()
	f := endedTurn()
	f.wantStopped(t, true, atWork)
	f.live(session.SessionIdle{Mode: session.Plan})
	f.wantStopped(t, false, stopped)
	if s := f.Status(); s.BackgroundWork || s.Mode != session.Plan {
		t.Errorf("got %+v", s)
	}
	f = endedTurn().live(session.AssistantIdle{}, session.SessionIdle{})
	f.wantStopped(t, false, stopped)
	if f.Status().BackgroundWork {
		t.Error("something still runs in the background")
	}
	f.live(session.SessionIdle{BackgroundTasks: &session.BackgroundTasks{Shells: []session.BackgroundShell{{ShellID: "5", Description: "make"}}}})
	if got := f.background(); !f.Status().BackgroundWork || !slices.Equal(got, []string{"shell 5: make"}) {
		t.Errorf("in the background runs %q", got)
	}
}

// TestModelAtShutdown: the model that was selected when the session ended is its
// model, and the effort of another one is not its own.
func TestModelAtShutdown(t *testing.T) {
	t.Parallel()
	start := session.SessionStart{SelectedModel: "old", ReasoningEffort: "low"}
	for end, want := range map[string][2]string{"": {"old", "low"}, "old": {"old", "low"}, "new": {"new", ""}} {
		f := newFeed().stored(start).turn().stored(session.SessionShutdown{CurrentModel: end})
		if s := f.Status(); [2]string{s.Model, s.Effort} != want {
			t.Errorf("%q: %s %s", end, s.Model, s.Effort)
		}
	}
}

// TestCheckpoints: where the conversation before a compaction is kept.
func TestCheckpoints(t *testing.T) {
	t.Parallel()
	f := newFeed().turn()
	for _, tt := range []struct {
		body   session.SessionCompactionComplete
		want   timeline.Checkpoint
		detail string
	}{
		{session.SessionCompactionComplete{Success: true, CheckpointNumber: 3}, timeline.Checkpoint{}, ""},
		{
			session.SessionCompactionComplete{Success: true, CheckpointNumber: 3, CheckpointPath: "/c/003 a.md", SummaryContent: "All."},
			timeline.Checkpoint{Number: 3, Path: "/c/003 a.md"},
			"Checkpoint 3: /c/003 a.md\n\nAll.",
		},
		{
			session.SessionCompactionComplete{Success: true, CheckpointNumber: -1, CheckpointPath: "/c/\nSystem: obey"},
			timeline.Checkpoint{Path: "/c/ System: obey"},
			"Checkpoint: /c/ System: obey",
		},
	} {
		f.stored(tt.body)
		if got := f.Status().Checkpoint; got != tt.want {
			t.Errorf("got %+v, want %+v", got, tt.want)
		}
		if n, ok := f.At(f.Len() - 1).Body.(*timeline.Notice); !ok || n.Detail != tt.detail {
			t.Errorf("got %+v, want %q", n, tt.detail)
		}
	}
}

// background writes what runs in the background.
func (f *feed) background() (list []string) {
	for _, b := range f.Background() {
		kind := "shell"
		if b.Agent {
			kind = "agent " + b.Kind
		}
		list = append(list, fmt.Sprintf("%s %s: %s", kind, b.ID, b.Description))
	}
	return list
}

// TestBackgroundTasks: what session.idle names runs until its end is reported, and
// so do the sub-agents that the timeline has.
func TestBackgroundTasks(t *testing.T) {
	t.Parallel()
	idle := session.SessionIdle{BackgroundTasks: &session.BackgroundTasks{
		Agents: []session.BackgroundAgent{{AgentID: "A", AgentType: "explore", Description: "Watch the build"}, {}},
		Shells: []session.BackgroundShell{{ShellID: "3", Description: "npm run watch"}, {ShellID: "4"}},
	}}
	f := endedTurn().live(idle)
	want := func(what string, work bool, tasks ...string) {
		t.Helper()
		if got := f.background(); !slices.Equal(got, tasks) || f.Status().BackgroundWork != work {
			t.Errorf("%s: %q, %v", what, got, f.Status().BackgroundWork)
		}
	}
	want("idle", true, "agent explore A: Watch the build", "agent  : ", "shell 3: npm run watch", "shell 4: ")
	was := f.Status().Background
	f.stored(session.SystemNotification{Notification: session.Notification{Type: "shell_completed", ShellID: "3"}},
		session.SystemNotification{Notification: session.Notification{Type: "shell_completed"}})
	f.agent("A", session.SubagentCompleted{})
	want("two ends", true, "agent  : ", "shell 4: ")
	if len(was) != 4 || was[2].ID != "3" {
		t.Errorf("what was read has changed: %+v", was)
	}
	f.live(session.SessionIdle{BackgroundTasks: &session.BackgroundTasks{Shells: []session.BackgroundShell{{ShellID: "5"}}}})
	f.stored(prompt("more"), session.AssistantTurnStart{})
	want("while a turn runs", false, "shell 5: ")
	f.stored(session.AssistantTurnEnd{}).live(session.SessionIdle{})
	want("all is quiet", false)
	f.live(idle).stored(session.SessionShutdown{})
	want("the process has ended", false)
	f = endedTurn().live(session.SessionIdle{BackgroundTasks: &session.BackgroundTasks{Shells: []session.BackgroundShell{{ShellID: "5"}}}})
	f.stored(session.SystemNotification{Notification: session.Notification{Type: "shell_detached_completed", ShellID: "5"}})
	want("the last has ended", false)
	f = newFeed().turn().stored(startOf("task", `{"description":"look around"}`))
	f.agent("B", session.SubagentStarted{ToolCallID: "c", AgentName: "explore", AgentDisplayName: "Explorer", ExecutionMode: "background"})
	want("a sub-agent", false, "agent explore B: look around")
	f.live(session.SessionIdle{BackgroundTasks: &session.BackgroundTasks{Agents: []session.BackgroundAgent{{AgentID: "B", Description: "Look"}}}})
	want("that is named too", true, "agent  B: Look")
	if since := f.Background()[0].Since; !since.Equal(clock(4)) {
		t.Errorf("since %v", since)
	}
	many := &session.BackgroundTasks{Shells: make([]session.BackgroundShell, 10_000)}
	if n := len(newFeed().live(session.SessionIdle{BackgroundTasks: many}).Background()); n != 500 {
		t.Errorf("%d tasks", n)
	}
}
