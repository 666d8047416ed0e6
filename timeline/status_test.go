package timeline_test

import (
	"reflect"
	"testing"
	"time"

	"parley/session"
	"parley/session/sessiontest"
	"parley/timeline"
)

func readLog(t testing.TB, name string) []session.Event {
	t.Helper()
	return sessiontest.Log(t, name)
}

// TestDoingOfCalls: what a call does is in words for the tools of the agent too.
func TestDoingOfCalls(t *testing.T) {
	t.Parallel()
	for tool, want := range map[string]string{
		"skill": "loading skill pdf", "task_complete": "completing the task", "read_agent": "waiting for a sub-agent", "sql": "using sql",
	} {
		if got := newFeed().turn().stored(startOf(tool, `{"skill":"pdf"}`)).Status().Activity; got != want {
			t.Errorf("%s: %q, want %q", tool, got, want)
		}
	}
}

// TestDoing walks through a turn and reads the status after each step.
func TestDoing(t *testing.T) {
	t.Parallel()
	f := newFeed()
	check := func(what, doing string, busy bool) {
		t.Helper()
		if s := f.Status(); s.Activity != doing || s.Busy != busy {
			t.Errorf("%s: doing %q, busy %v; want %q, %v", what, s.Activity, s.Busy, doing, busy)
		}
	}
	check("at first", "", false)
	f.live(session.PendingMessagesModified{}).stored(session.UserMessage{Content: "go"})
	check("after the prompt", "thinking", true)
	f.stored(session.AssistantTurnStart{TurnID: "0"}).live(session.AssistantIntent{Intent: "Exploring the code"})
	check("with an intent", "Exploring the code", true)
	f.live(session.AssistantTurnRetry{Reason: "api_error"}, session.AssistantTurnRetry{Reason: "api_error"})
	check("retrying", "trying again (attempt 3)", true)
	search := session.AssistantServerToolProgress{ToolKind: "web_search", Status: "in_progress"}
	f.live(search)
	check("searching at the provider", "searching the web", true)
	f.live(session.AssistantServerToolProgress{ToolKind: "code_interpreter", Status: "in_progress"})
	check("another tool there", "using code interpreter", true)
	search.Status = "completed"
	f.live(search)
	check("after it", "Exploring the code", true)
	f.live(session.AssistantServerToolProgress{})
	check("a tool without a name", "using a tool of the provider", true)
	f.live(delta("m", "I will"))
	check("answering", "answering", true)
	f.live(session.AssistantToolCallDelta{ToolCallID: "c", ToolName: "bash", InputDelta: "{"})
	check("writing a call", "preparing a tool call", true)
	f.stored(
		session.AssistantMessage{MessageID: "m", Content: "I will", ToolRequests: []session.ToolRequest{{ToolCallID: "c", Name: "bash"}}},
		startOf("bash", `{"command":"go test ./...\nrm -r x"}`))
	check("running", "running go test ./... …", true)
	f.stored(session.PermissionRequested{RequestID: "q", PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "shell", ToolCallID: "c"}}})
	check("asking", "waiting for you", true)
	if s := f.Status(); s.RunningShell || !s.AskedShell {
		t.Error("a command that waits for an answer runs, or is not waited for")
	}
	f.stored(session.PermissionCompleted{RequestID: "q", ToolCallID: "c", Result: session.PermissionResult{Kind: "approved"}})
	if s := f.Status(); !s.RunningShell || s.AskedShell {
		t.Error("a command does not run, or still waits for an answer")
	}
	f.stored(session.ToolExecutionStart{ToolCallID: "d", ToolName: "view", Arguments: []byte(`{"path":"a.go"}`)})
	check("two at once", "reading a.go and 1 more", true)
	f.stored(session.ToolExecutionComplete{ToolCallID: "d", Success: true}, completeOf("ok"), session.AssistantTurnEnd{TurnID: "0"})
	check("between turns", "Exploring the code", true)
	f.stored(session.AssistantTurnStart{TurnID: "1"}, said("n", "Done."), session.AssistantTurnEnd{TurnID: "1"})
	f.live(session.AssistantIdle{})
	check("idle, until all is", "working in the background", false)
	if s := f.Status(); !s.BackgroundWork || s.Turns != 2 || !s.Since.Equal(clock(2)) || !s.LastActivity.Equal(clock(f.n)) {
		t.Errorf("got %+v", s)
	}
	f.live(session.SessionIdle{Mode: session.Plan})
	if s := f.Status(); s.BackgroundWork || s.Mode != session.Plan {
		t.Errorf("got %+v", s)
	}
}

func TestSteeringDoesNotRestartTheClock(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().stored(session.UserMessage{Content: "and", Delivery: session.DeliveredSteering})
	if s := f.Status(); !s.Since.Equal(clock(1)) {
		t.Errorf("since %v", s.Since)
	}
	f.stored(session.UserMessage{Content: "next", Delivery: session.DeliveredQueued})
	if s := f.Status(); !s.Since.Equal(clock(4)) {
		t.Errorf("since %v", s.Since)
	}
}

func TestRunningShell(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]bool{
		`{"command":"make"}`:                          true,
		`{"command":"make","mode":"sync"}`:            true,
		`{"command":"make","mode":"async"}`:           false,
		`{"command":"make","detach":true}`:            false,
		`{"command":7,"mode":"async"}`:                false,
		`{"command":"make","run_in_background":true}`: false,
		`not json`: true,
		`{"command":"make","command":"make","x":[1,2]}`: true,
	} {
		f := newFeed().turn().stored(startOf("bash", args))
		if got := f.Status().RunningShell; got != want {
			t.Errorf("%s: %v", args, got)
		}
		f.live(asks("q"))
		if got := f.Status().AskedShell; got != want {
			t.Errorf("%s, asked about: %v", args, got)
		}
	}
	if newFeed().turn().stored(startOf("grep", `{"pattern":"x"}`)).Status().RunningShell {
		t.Error("grep is no shell")
	}
	f := newFeed().turn().stored(session.ToolUserRequested{ToolCallID: "c", ToolName: "bash"})
	if f.Status().RunningShell {
		t.Error("a command of the user's own does not hold the turn up")
	}
}

func TestDoingOfTools(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ tool, args, want string }{
		{"bash", `{"command":"  ls -l\n\n"}`, "running ls -l"},
		{"bash", `{}`, "running a command"},
		{"view", `{"path":"a.go","view_range":[1,2]}`, "reading a.go"},
		{"create", `{"path":"b.go","file_text":"x"}`, "editing b.go"},
		{"apply_patch", `{}`, "editing files"},
		{"grep", `{"pattern":"TODO"}`, "searching TODO"},
		{"web_fetch", `{"url":"https://example.com"}`, "fetching https://example.com"},
		{"task", `{"description":"review"}`, "delegating review"},
		{"ask_user", `{"question":"?"}`, "asking you"},
		{"read_bash", `{}`, "waiting for a background command"},
		{"sql", `{"query":"select 1"}`, "using sql"},
		{"read_file", `{"filePath":"auth.ts"}`, "reading auth.ts"},
		{"edit_file", `{"path":"auth.ts"}`, "editing auth.ts"},
		{"delete_file", `{"path":"auth.ts"}`, "deleting auth.ts"},
		{"list_directory", `{"path":"src"}`, "listing src"},
		{"list_dir", `{}`, "listing a folder"},
		{"file_search", `{"query":"*.ts"}`, "searching *.ts"},
		{"execute_command", `{"command":"make"}`, "running make"},
		{"run_in_terminal", `{"cmd":"make"}`, "running make"},
		{"skill", `{"skill":"hello"}`, "loading skill hello"},
		{"skill", `{"skill":7}`, "loading a skill"},
		{"task_complete", `{"summary":"x"}`, "completing the task"},
		{"", `{}`, "using a tool"},
		{"view", `{"path":"a\u001b[31m\nb"}`, "reading a\x1b[31m b"},
	} {
		if got := newFeed().turn().stored(startOf(tt.tool, tt.args)).Status().Activity; got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.tool, tt.args, got, tt.want)
		}
	}
	f := newFeed().turn().stored(session.ToolExecutionStart{
		ToolCallID: "c", ToolName: "files-read", McpServerName: "files", McpToolName: "read",
	})
	if got := f.Status().Activity; got != "using files read" {
		t.Errorf("got %q", got)
	}
}

func TestAbortStops(t *testing.T) {
	t.Parallel()
	f := newFeed().live(session.AssistantStreamingDelta{}).turn().live(delta("m", "x")).stored(session.Abort{})
	if s := f.Status(); !s.Stopping || s.Activity != "stopping" || !s.Busy {
		t.Errorf("got %+v", s)
	}
	f.stored(session.AssistantTurnEnd{}).live(session.AssistantIdle{Aborted: true}, session.SessionIdle{Aborted: true})
	if s := f.Status(); s.Stopping || s.Busy || s.Activity != "" {
		t.Errorf("got %+v", s)
	}
	if s := newFeed().turn().stored(session.Abort{}).Status(); s.Stopping || s.Busy {
		t.Errorf("a stored log is stopping: %+v", s)
	}
}

func TestStatusOfSettings(t *testing.T) {
	t.Parallel()
	f := newFeed().stored(session.SessionStart{
		SelectedModel: "a", ReasoningEffort: "low",
		Context: &session.WorkingContext{Cwd: "/w", GitRoot: "/", Repository: "o/r", Branch: "main"},
	})
	want := timeline.Status{
		Model: "a", Effort: "low", Dir: "/w", GitRoot: "/", Repository: "o/r", Branch: "main", LastActivity: clock(1),
	}
	if got := f.Status(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	f.stored(
		session.SessionModelChange{NewModel: "b"},
		session.SessionContextChanged{Cwd: "/w", PendingGitContext: true},
		session.SessionPermissionsChanged{Mode: session.AllowAll},
		session.SubagentSelected{AgentName: "poet"},
	)
	if s := f.Status(); s.Model != "b" || s.Effort != "" || s.Branch != "main" || !s.AllowAll || s.Persona.Title != "poet" {
		t.Errorf("got %+v", s)
	}
	f.agent("A", session.SessionModelChange{NewModel: "c"}, session.SessionUsageInfo{CurrentTokens: 1}, session.AssistantTurnStart{})
	if s := f.Status(); s.Model != "b" || s.ContextTokens != 0 || s.Turns != 0 || s.Busy {
		t.Errorf("a sub-agent changed the session: %+v", s)
	}
}

// TestNeverIdleWhileSomethingRuns: the agent takes input, and what runs beside
// it shows.
func TestNeverIdleWhileSomethingRuns(t *testing.T) {
	t.Parallel()
	f := newFeed().turn()
	check := func(what, doing string, busy bool) {
		t.Helper()
		if s := f.Status(); s.Activity != doing || s.Busy != busy {
			t.Errorf("%s: doing %q, busy %v; want %q", what, s.Activity, s.Busy, doing)
		}
	}
	start := func(call session.CallID, id session.AgentID, mode string) {
		f.stored(session.ToolExecutionStart{ToolCallID: call, ToolName: "task", Arguments: []byte(`{"description":"look"}`)})
		f.agent(id, session.SubagentStarted{ToolCallID: call, AgentDisplayName: "Agent " + string(id), ExecutionMode: mode})
	}
	start("a", "A", "sync")
	check("a sub-agent that is waited for", "Agent A: thinking", true)
	f.agent("A", session.ToolExecutionStart{ToolCallID: "x", ToolName: "view", Arguments: []byte(`{"path":"a.go"}`)})
	check("at work", "Agent A: reading a.go", true)
	f.agent("A", session.SubagentCompleted{ToolCallID: "a"})
	f.stored(session.ToolExecutionComplete{ToolCallID: "a", Success: true})
	start("b", "B", "background")
	f.stored(session.ToolExecutionComplete{ToolCallID: "b", Success: true})
	check("one beside the turn", "thinking", true)
	f.stored(session.AssistantTurnEnd{}).live(session.AssistantIdle{})
	check("one that is left", "Agent B in the background", false)
	if s := f.Status(); s.Agents != 1 || !s.BackgroundWork {
		t.Errorf("got %+v", s)
	}
	start("c", "C", "background")
	f.stored(session.ToolExecutionComplete{ToolCallID: "c", Success: true}, session.AssistantTurnEnd{}).live(session.AssistantIdle{})
	check("two that are left", "2 sub-agents in the background", false)
	f.agent("B", session.SubagentCompleted{ToolCallID: "b"}).agent("C", session.SubagentFailed{ToolCallID: "c"})
	check("a command", "working in the background", false)
	f.live(session.SessionIdle{})
	check("nothing", "", false)
}

func TestHooksShowWhenNothingElseRuns(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().stored(session.HookStart{HookInvocationID: "h", HookType: "preToolUse"})
	if s := f.Status(); s.Activity != "running hook “preToolUse”" {
		t.Errorf("doing %q", s.Activity)
	}
	f.stored(startOf("bash", `{"command":"ls"}`))
	if got := f.Status().Activity; got != "running ls" {
		t.Errorf("doing %q", got)
	}
	f.stored(completeOf(""), session.HookEnd{HookInvocationID: "h", Success: true})
	if got := f.Status().Activity; got != "thinking" {
		t.Errorf("doing %q", got)
	}
}

// The time that a turn takes is without the time in which it waited for the user, and
// each turn begins anew. What is not known is no time.
func TestTimeOfTurnIsWithoutWaiting(t *testing.T) {
	t.Parallel()
	f := newFeed()
	works := func(now int) int {
		s := f.Status()
		if since := s.WorkingSince(clock(now)); !since.IsZero() {
			return int(clock(now).Sub(since) / time.Second)
		}
		return -1
	}
	if got := works(9); got != -1 {
		t.Errorf("without a turn %d s", got)
	}
	f.turn() // from 1 on
	at := f.n
	if got := works(at + 5); got != at+5-1 {
		t.Errorf("%d s", got)
	}
	f.stored(startOf("bash", `{"command":"ls"}`))
	f.stored(session.PermissionRequested{RequestID: "r"})
	asked := f.n
	for _, now := range []int{asked, asked + 60} {
		if got := works(now); got != asked-1 {
			t.Errorf("while it waits %d s, want %d", got, asked-1)
		}
	}
	f.n += 60
	f.stored(session.PermissionCompleted{RequestID: "r", Result: session.PermissionResult{Kind: "approved"}})
	answered := f.n
	if got := works(answered + 7); got != asked-1+7 {
		t.Errorf("after it waited %d s, want %d", got, asked-1+7)
	}
	f.stored(session.AssistantTurnEnd{}).live(session.AssistantIdle{}).turn()
	if got := works(f.n + 3); got > 6 {
		t.Errorf("the next turn takes %d s", got)
	}
}
