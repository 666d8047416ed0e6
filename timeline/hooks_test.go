package timeline_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/timeline"
)

func TestHooks(t *testing.T) {
	t.Parallel()
	begin := session.HookStart{HookInvocationID: "h", HookType: "preToolUse", Input: jsontext.Value(`{"toolCalls":[{"name":"bash"}]}`)}
	failed := func(e *session.HookError) session.HookEnd {
		return session.HookEnd{HookInvocationID: "h", HookType: "preToolUse", Error: e}
	}
	worked := session.HookEnd{HookInvocationID: "h", HookType: "preToolUse", Success: true}
	checkNotices(t, map[string]noticeCase{
		"one that runs": {[]session.Body{begin}, "minor info hook: Hook “preToolUse” for bash runs (live)"},
		"what it does": {
			[]session.Body{begin, session.HookProgress{Message: "checking\nit"}},
			"minor info hook: Hook “preToolUse” for bash: checking it (live)",
		},
		"one that worked": {
			[]session.Body{begin, session.HookProgress{Message: "checking"}, worked},
			"minor info hook: Hook “preToolUse” for bash ran",
		},
		"its output": {
			[]session.Body{begin, session.HookEnd{HookInvocationID: "h", Success: true, Output: jsontext.Value(`"fine"`)}},
			"minor info hook: Hook “preToolUse” for bash ran {fine}",
		},
		"one that failed": {
			[]session.Body{begin, failed(&session.HookError{Message: "exit status 1"})},
			"warning hook: Hook “preToolUse” for bash failed: exit status 1 (failed)",
		},
		"and says why": {
			[]session.Body{begin, failed(&session.HookError{Message: "no", Source: "guard", Stack: "at a\nat b"})},
			"warning hook: Hook “preToolUse” for bash failed: no {From: guard//at a/at b} (failed)",
		},
		"and does not say why": {
			[]session.Body{begin, failed(nil)}, "warning hook: Hook “preToolUse” for bash failed (failed)",
		},
		"an end without a start": {[]session.Body{worked}, "minor info hook: Hook “preToolUse” ran"},
		"the end, twice":         {[]session.Body{begin, worked, failed(nil)}, "minor info hook: Hook “preToolUse” for bash ran"},
		"the start, twice":       {[]session.Body{begin, worked, begin}, "minor info hook: Hook “preToolUse” for bash ran"},
		"late progress":          {[]session.Body{begin, worked, session.HookProgress{Message: "late"}}, "minor info hook: Hook “preToolUse” for bash ran"},
		"progress of none":       {[]session.Body{session.HookProgress{Message: "late"}}, ""},
		"two at once": {
			[]session.Body{
				begin,
				session.HookProgress{Message: "first"},
				session.HookStart{HookInvocationID: "i", HookType: "agentStop", Input: jsontext.Value(`{"toolName":"view"}`)},
				session.HookProgress{Message: "second"},
				worked,
			},
			"minor info hook: Hook “preToolUse” for bash ran\nminor info hook: Hook “agentStop” for view: second (live)",
		},
		"one that the end of the process ended": {
			[]session.Body{begin, session.SessionShutdown{ShutdownType: "routine"}},
			"minor info hook: Hook “preToolUse” for bash runs (cancelled)",
		},
	})
}

// TestAHookIsTimed: the entry lasts from the start of the hook to its end, and
// says of which events it was made.
func TestAHookIsTimed(t *testing.T) {
	t.Parallel()
	f := newFeed().stored(session.HookStart{HookInvocationID: "h", HookType: "agentStop"}).
		live(session.HookProgress{Message: "wait"}).
		stored(session.HookEnd{HookInvocationID: "h", HookType: "agentStop", Success: true})
	e := f.At(0)
	if f.Len() != 1 || !e.At.Equal(clock(1)) || !e.End.Equal(clock(3)) || len(e.Origin) != 2 || e.State != timeline.Done {
		t.Errorf("got %+v", e)
	}
}

// TestHookChangesCommand: where a hook has changed a command, the call shows what is asked
// about and runs, and an entry shows what the agent asked for.
func TestHookChangesCommand(t *testing.T) {
	t.Parallel()
	start := session.ToolExecutionStart{ToolCallID: "c", ToolName: "bash", Arguments: jsontext.Value(`{"command":"go test\n./..."}`)}
	asked := func(command string) session.PermissionRequested {
		r := session.PermissionRequest{}
		r.Kind, r.ToolCallID, r.FullCommandText = "shell", "c", command
		return session.PermissionRequested{RequestID: "r", PermissionRequest: r}
	}
	f := newFeed().stored(start, asked("go vet ./..."))
	if c, _ := f.At(0).Body.(*timeline.ToolCall); c == nil || c.Command() != "go vet ./..." {
		t.Errorf("the call is %+v", f.At(0).Body)
	}
	if n, _ := f.At(1).Body.(*timeline.Notice); n == nil || n.Text != "A hook changed the command; the agent asked for: go test ./..." {
		t.Errorf("it is shown as %+v", f.At(1).Body)
	}
	if f := newFeed().stored(start, asked("go test\n./...")); f.Len() != 1 {
		t.Errorf("one that is the same has %d entries", f.Len())
	}
}
