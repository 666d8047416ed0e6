package timeline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/timeline"
)

// summaries returns every summary with where it is.
func (f *feed) summaries() (list []*timeline.Summary, at []int) {
	for i := range f.Len() {
		if s, ok := f.At(i).Body.(*timeline.Summary); ok {
			list, at = append(list, s), append(at, i)
		}
	}
	return list, at
}

// shape writes what kinds of entries there are, in one word each.
func (f *feed) shape() string {
	var parts []string
	for i := range f.Len() {
		e := f.At(i)
		name := strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", e.Body), "*timeline."))
		if s, ok := e.Body.(*timeline.Summary); ok {
			name = fmt.Sprintf("summary(%d)", s.Turns)
		}
		parts = append(parts, name)
	}
	return strings.Join(parts, " ")
}

func (f *feed) wantShape(t *testing.T, when, want string) {
	t.Helper()
	if got := f.shape(); got != want {
		t.Errorf("%s: got  %s\nwant %s", when, got, want)
	}
}

func prompt(text string) session.UserMessage { return session.UserMessage{Content: text} }

// endTurn is the rest of a turn that says something.
func (f *feed) endTurn(id session.MessageID) *feed {
	return f.stored(said(id, "ok"), session.AssistantTurnEnd{})
}

func TestSummaryComesWhenTheAgentStops(t *testing.T) {
	t.Parallel()
	f := newFeed().live(session.AssistantStreamingDelta{}).turn().endTurn("a")
	f.wantShape(t, "between turns", "prompt message")
	f.stored(session.AssistantTurnStart{}).endTurn("b")
	f.live(session.AssistantIdle{})
	f.wantShape(t, "at the stop", "prompt message message summary(2)")
	e := f.At(3)
	if e.ID != "interaction:e2" || len(e.Origin) != 1 || e.Origin[0] != "e2" || e.State != timeline.Done {
		t.Errorf("got %+v", e)
	}
	if !e.At.Equal(clock(2)) || !e.End.Equal(clock(8)) {
		t.Errorf("it went from %v to %v", e.At, e.End)
	}
	f.live(session.SessionIdle{})
	f.wantShape(t, "when all is quiet", "prompt message message summary(2)")
}

func TestSummaryOfAStoredLogGrows(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().endTurn("a")
	f.wantShape(t, "after a turn", "prompt message summary(1)")
	f.stored(session.AssistantTurnStart{})
	f.wantShape(t, "in a turn", "prompt message")
	f.endTurn("b")
	f.wantShape(t, "after two", "prompt message message summary(2)")
	f.stored(prompt("next"))
	f.wantShape(t, "after a prompt", "prompt message message summary(2) prompt")
}

// TestWhatFollowsTheStop: what is reported after the agent stopped follows the
// summary, which comes again below it when the agent continues by itself.
func TestWhatFollowsTheStop(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]*feed{
		"live":   newFeed().live(session.AssistantStreamingDelta{}),
		"stored": newFeed(),
	} {
		f.turn().endTurn("a").stored(session.SystemNotification{Content: "done"})
		if name == "live" {
			f.live(session.AssistantIdle{})
		}
		f.wantShape(t, name+" with a notification", "prompt message summary(1) notice")
		f.stored(session.AssistantMessage{MessageID: "s", ToolRequests: []session.ToolRequest{{ToolCallID: "r", Name: "read_bash"}}},
			session.ToolExecutionStart{ToolCallID: "r", ToolName: "read_bash"})
		f.wantShape(t, name+" reading what ended", "prompt message notice toolcall")
		f.stored(session.ToolExecutionComplete{ToolCallID: "r", Success: true})
		if name == "live" {
			f.live(session.AssistantIdle{})
		}
		f.wantShape(t, name+" after that", "prompt message notice toolcall summary(1)")
		f.stored(session.AssistantTurnStart{}).endTurn("b")
		f.live(session.AssistantIdle{})
		f.wantShape(t, name+" at the end", "prompt message notice toolcall message summary(2)")
	}
}

func TestOneSummaryForEachPrompt(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		next session.UserMessage
		want string
	}{
		{"another prompt", prompt("more"), "prompt message summary(1) prompt message summary(1)"},
		{"a queued one", session.UserMessage{Content: "more", Delivery: session.DeliveredQueued}, "prompt message summary(1) prompt message summary(1)"},
		{"a schedule", session.UserMessage{Content: "more", Source: "schedule-1"}, "prompt message summary(1) prompt message summary(1)"},
		{"steering", session.UserMessage{Content: "more", Delivery: session.DeliveredSteering}, "prompt message prompt message summary(2)"},
		{"autopilot", session.UserMessage{Source: "autopilot", IsAutopilotContinuation: true}, "prompt message message summary(2)"},
		{"an image alone", session.UserMessage{Attachments: []session.Attachment{{Type: "blob", MIMEType: "image/png"}}}, "prompt message summary(1) prompt message summary(1)"},
		{"nothing at all", session.UserMessage{Content: " \n"}, "prompt message message summary(2)"},
		{"the text of a skill", session.UserMessage{Content: "more", Source: "skill-pdf"}, "prompt message prompt message summary(2)"},
	} {
		f := newFeed().live(session.AssistantStreamingDelta{}).turn().endTurn("a")
		f.stored(tt.next, session.AssistantTurnStart{}).endTurn("b").live(session.AssistantIdle{})
		f.wantShape(t, tt.name, tt.want)
	}
}

func TestNoSummaryOfNothing(t *testing.T) {
	t.Parallel()
	f := newFeed().stored(session.ToolUserRequested{ToolCallID: "c", ToolName: "bash"}, completeOf("x")).live(session.SessionIdle{})
	f.wantShape(t, "a command of the user's own", "toolcall")
	f = newFeed().stored(prompt("hello")).live(session.AssistantIdle{})
	f.wantShape(t, "a prompt without a turn", "prompt")
	f.stored(prompt("again"))
	f.wantShape(t, "and the next", "prompt prompt")
	f = newFeed().stored(session.AssistantTurnStart{}, said("m", "x"), session.AssistantTurnEnd{}).live(session.AssistantIdle{})
	f.wantShape(t, "a turn without a prompt", "message")
}

func TestErrorsAndAbortsBelongToThePrompt(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().stored(session.AssistantTurnEnd{}, session.SessionError{Message: "no"})
	f.wantShape(t, "an error after the turn", "prompt notice summary(1)")
	f.stored(session.SystemNotification{Content: "done"})
	f.wantShape(t, "a notification", "prompt notice summary(1) notice")

	f = newFeed().turn().stored(session.Abort{}, session.AssistantTurnEnd{}, session.Abort{})
	f.wantShape(t, "an abort sent twice", "prompt divider summary(1)")

	f = newFeed().live(session.AssistantStreamingDelta{}).turn().stored(session.Abort{}, session.AssistantTurnEnd{})
	f.wantShape(t, "while it stops", "prompt divider")
	f.live(session.AssistantIdle{Aborted: true})
	f.wantShape(t, "when it has", "prompt divider summary(1)")
	if s, at := f.summaries(); s[0].Took != 3*time.Second || !f.At(at[0]).End.Equal(clock(5)) {
		t.Errorf("it took %v", s[0].Took)
	}

	f = newFeed().turn().stored(session.AssistantTurnEnd{}, session.SessionTaskComplete{Summary: "All done."})
	f.wantShape(t, "a task that is complete", "prompt notice message summary(1)")
}

func TestSummaryDoesNotPartChanges(t *testing.T) {
	t.Parallel()
	mode := func(to session.Mode) session.Body { return session.SessionModeChanged{NewMode: to} }
	f := newFeed().turn().endTurn("a").stored(mode(session.Plan), session.AssistantTurnStart{}, session.AssistantTurnEnd{}, mode(session.Autopilot))
	f.want(t, "prompt go | message ok | info Mode changed from interactive to autopilot")
	f.wantShape(t, "a change on either side", "prompt message notice summary(2)")
	f.stored(mode(session.Interactive))
	f.wantShape(t, "and back", "prompt message summary(2)")
	f.stored(session.AssistantTurnStart{}).live(delta("b", "x")).stored(session.AssistantTurnEnd{}).live(session.AssistantIdle{})
	f.wantShape(t, "text that was void goes", "prompt message summary(3)")
}

func TestSummaryDoesNotCountTheUsersTime(t *testing.T) {
	t.Parallel()
	after := func(f *feed, b ...session.Body) *feed {
		f.n += 600
		return f.stored(b...)
	}
	took := func(name string, want time.Duration, f *feed) {
		t.Helper()
		if s, _ := f.summaries(); len(s) != 1 || s[0].Took != want*time.Second {
			t.Errorf("%s: %+v, want %d s", name, s, want)
		}
	}
	shell, allowed := startOf("bash", `{"command":"make"}`), answered("p", "approved", "")
	f := newFeed().turn().stored(shell, asks("p"))
	took("a permission", 5, after(f, allowed, completeOf("ok"), session.AssistantTurnEnd{}))
	f = newFeed().turn().stored(shell, asks("p"), asks("q"))
	took("two at once", 5, after(after(f, answered("q", "approved", "")), allowed, completeOf("ok"), session.AssistantTurnEnd{}))
	f = newFeed().turn().stored(startOf("ask_user", "{}"))
	took("a question", 3, after(f, completeOf("ok"), session.AssistantTurnEnd{}))
	f = newFeed().turn().stored(shell, asks("p"))
	took("stopped", 4, after(f, session.Abort{}, session.AssistantTurnEnd{}))
	f = newFeed().turn().stored(shell, asks("p"))
	f = after(f, session.SessionResume{}, session.AssistantTurnStart{})
	took("its process ended", 2, f.stored(session.AssistantTurnEnd{}))
}

func TestSummaryEndsWithTheProcess(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().stored(startOf("bash", `{"command":"make"}`))
	f.n += 3600
	f.stored(session.SessionResume{})
	f.wantShape(t, "resumed", "prompt toolcall summary(1) divider")
	if s, _ := f.summaries(); s[0].Took != time.Second {
		t.Errorf("it took %v", s[0].Took)
	}
	f.stored(startOf("bash", `{"command":"make"}`))
	f.wantShape(t, "the call is taken up", "prompt toolcall divider")
	f.stored(completeOf("ok"), session.AssistantTurnEnd{})
	f.wantShape(t, "and ends", "prompt toolcall divider summary(1)")
	if s, _ := f.summaries(); s[0].Took != 3*time.Second || s[0].Calls != 1 {
		t.Errorf("with an hour away: %+v", s[0])
	}

	f = newFeed().turn().endTurn("a").stored(session.SessionShutdown{ShutdownType: "error"})
	if _, at := f.summaries(); len(at) != 1 || at[0] != 2 {
		t.Errorf("got %s", f.shape())
	}
	f = newFeed().turn().stored(session.SessionResume{SessionWasActive: true})
	f.wantShape(t, "joined", "prompt divider")
}

func TestSummaryAfterARewind(t *testing.T) {
	t.Parallel()
	two := func() *feed {
		f := newFeed().stored(prompt("one"), session.AssistantTurnStart{}, startOf("bash", "{}"), completeOf("x"), session.AssistantTurnEnd{},
			prompt("two"), session.AssistantTurnStart{})
		f.stored(session.ToolExecutionStart{ToolCallID: "d", ToolName: "bash"}, session.ToolExecutionComplete{ToolCallID: "d"},
			session.AssistantTurnEnd{})
		return f
	}
	f := two().live(session.SessionSnapshotRewind{UpToEventID: "e6"})
	f.wantShape(t, "the second prompt is gone", "prompt toolcall summary(1) divider")
	f.stored(session.SystemNotification{Content: "x"}, session.AssistantTurnStart{}).endTurn("m").live(session.AssistantIdle{})
	f.wantShape(t, "the first continues", "prompt toolcall divider notice message summary(2)")
	if s, _ := f.summaries(); s[0].Calls != 1 || s[0].Failures != 0 {
		t.Errorf("got %+v", s[0])
	}

	f = two().live(session.SessionSnapshotRewind{UpToEventID: "e1"})
	f.wantShape(t, "all is gone", "divider")
	f.stored(prompt("three"), session.AssistantTurnStart{}).endTurn("m").live(session.AssistantIdle{})
	f.wantShape(t, "and begins anew", "divider prompt message summary(1)")

	f = two().live(session.SessionSnapshotRewind{UpToEventID: "e9", EventIDs: []session.EventID{"e8", "e9", "e10"}})
	f.wantShape(t, "a part is gone", "prompt toolcall summary(1) prompt divider")
	f.stored(session.AssistantTurnEnd{})
	if s, at := f.summaries(); len(at) != 2 || s[1].Calls != 0 || s[1].Failures != 0 || s[1].Turns != 1 {
		t.Errorf("got %s, %+v", f.shape(), s)
	}
}

// TestWhatWasRefusedDidNotRun: a call that was not allowed is a call and no
// command, and one that waited for an answer when it was cancelled neither.
func TestWhatWasRefusedDidNotRun(t *testing.T) {
	t.Parallel()
	asks := session.PermissionRequested{RequestID: "q", PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "shell", ToolCallID: "c"}}}
	again := asks
	again.RequestID = "r"
	for name, tt := range map[string]struct {
		then     []session.Body
		commands int
	}{
		"refused":                        {[]session.Body{asks, answered("q", "denied", "no"), session.AssistantTurnEnd{}}, 0},
		"cancelled unanswered":           {[]session.Body{asks, session.Abort{}}, 0},
		"cancelled as it ran":            {[]session.Body{asks, answered("q", "approved", ""), session.Abort{}}, 1},
		"and never asked":                {[]session.Body{session.Abort{}}, 1},
		"settled by the end of a replay": {[]session.Body{asks, answered("q", "cancelled", ""), session.AssistantIdle{}}, 0},
		"answered without a word":        {[]session.Body{asks, answered("q", "", ""), session.Abort{}}, 0},
		"never answered":                 {[]session.Body{asks, session.AssistantTurnEnd{}}, 0},
		"allowed, then asked again":      {[]session.Body{asks, again, answered("q", "approved", ""), session.Abort{}}, 0},
	} {
		for _, replayed := range []bool{false, true} {
			f := newFeed().turn().stored(startOf("bash", `{"command":"make"}`))
			for _, b := range tt.then {
				ev := f.next(b)
				ev.Replayed = replayed
				f.Apply(ev)
			}
			if s, _ := f.summaries(); len(s) != 1 || s[0].Calls != 1 || s[0].Commands != tt.commands {
				t.Errorf("%s, replayed %t: %s, %+v", name, replayed, f.shape(), s)
			}
		}
	}
}

func TestSummaryCounts(t *testing.T) {
	t.Parallel()
	call := func(id, tool, args string, done session.ToolExecutionComplete) []session.Body {
		done.ToolCallID = session.CallID(id)
		return []session.Body{
			session.ToolExecutionStart{ToolCallID: session.CallID(id), ToolName: tool, Arguments: jsontext.Value(args)}, done,
		}
	}
	ok := session.ToolExecutionComplete{Success: true}
	f := newFeed().turn()
	f.stored(call("1", "bash", `{"command":"make"}`, session.ToolExecutionComplete{
		Success: true, ShellExecution: &session.ShellExecution{ExitCode: ptr(2)},
	})...)
	f.stored(call("2", "view", `{"path":"a.go"}`, session.ToolExecutionComplete{Error: &session.ToolError{Message: "no", Code: "failure"}})...)
	f.stored(call("3", "bash", `{}`, session.ToolExecutionComplete{Error: &session.ToolError{Message: "no", Code: "denied"}})...)
	f.stored(call("4", "create", `{"path":"a.go","file_text":"a\nb\n"}`, ok)...)
	f.stored(call("5", "edit", `{"path":"a.go","old_str":"a\nb\nc","new_str":"a\nB\nBB\nc"}`, ok)...)
	f.stored(call("6", "bash", `{}`, session.ToolExecutionComplete{Success: true, IsUserRequested: true})...)
	f.stored(session.ToolUserRequested{ToolCallID: "7", ToolName: "bash"}, session.ToolExecutionComplete{ToolCallID: "7"})
	f.stored(session.AssistantTurnEnd{})
	s, _ := f.summaries()
	if len(s) != 1 {
		t.Fatalf("got %s", f.shape())
	}
	got := *s[0]
	if got.Calls != 5 || got.Commands != 1 || got.Failures != 2 || got.Turns != 1 || got.Added != 4 || got.Removed != 1 {
		t.Errorf("got %+v", got)
	}
	if len(got.Files) != 1 || got.Files[0] != (timeline.FileChange{Path: "a.go", Kind: "create", Added: 4, Removed: 1}) {
		t.Errorf("got %+v", got.Files)
	}
}

// TestSummaryCountsSubagents: what a sub-agent does counts for the prompt that
// started it, also when it ends after the next one.
func TestSummaryCountsSubagents(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().stored(startOf("task", `{"description":"look"}`))
	f.agent("A", session.SubagentStarted{ToolCallID: "c", AgentName: "explore", ExecutionMode: "background"})
	f.stored(completeOf("started"), session.AssistantTurnEnd{}, prompt("next"), session.AssistantTurnStart{})
	version := f.Version()
	f.agent("A", session.UserMessage{Content: "look"}, session.AssistantTurnStart{},
		session.ToolExecutionStart{ToolCallID: "d", ToolName: "bash"}, session.ToolExecutionComplete{ToolCallID: "d"},
		session.ToolExecutionStart{ToolCallID: "e", ToolName: "edit", Arguments: jsontext.Value(`{"path":"x","old_str":"","new_str":"y"}`)},
		session.ToolExecutionComplete{ToolCallID: "e", Success: true},
		session.AssistantTurnEnd{})
	f.endTurn("m")
	s, at := f.summaries()
	if len(s) != 2 {
		t.Fatalf("got %s", f.shape())
	}
	if s[0].Calls != 3 || s[0].Commands != 1 || s[0].Failures != 1 || s[0].Turns != 1 || s[0].Added != 1 {
		t.Errorf("the first prompt: %+v", s[0])
	}
	if s[1].Calls != 0 || s[1].Turns != 1 {
		t.Errorf("the second prompt: %+v", s[1])
	}
	if f.At(at[0]).Version <= version {
		t.Error("a summary that grew has its old version")
	}
	i, _ := f.Find("call:c")
	c, _ := f.At(i).Body.(*timeline.ToolCall)
	for j := range c.Agent.Timeline.Len() {
		if _, ok := c.Agent.Timeline.At(j).Body.(*timeline.Summary); ok {
			t.Error("the timeline of a sub-agent has a summary")
		}
	}
}

func TestSummariesOfLittleAreMinor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		after int // seconds
		calls []session.Body
		minor bool
	}{
		{"a quick answer", 0, nil, true},
		{"a slow one", 60, nil, false},
		{"a call", 0, []session.Body{startOf("view", "{}"), completeOf("x")}, false},
	} {
		f := newFeed().turn().stored(tt.calls...)
		f.n += tt.after
		f.stored(session.AssistantTurnEnd{})
		if _, at := f.summaries(); len(at) != 1 || f.At(at[0]).VerboseOnly != tt.minor {
			t.Errorf("%s: %s", tt.name, f.shape())
		}
	}
}

// TestAFileChangedTwice: a file is named once, with what became of it and the lines
// of all its changes.
func TestAFileChangedTwice(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ first, second, want string }{
		{"create", "edit", "create"},
		{"create", "delete", "delete"},
		{"edit", "edit", "edit"},
		{"edit", "delete", "delete"},
		{"delete", "create", "create"},
	} {
		f := newFeed().turn()
		for i, kind := range []string{tt.first, tt.second} {
			id := session.CallID(fmt.Sprint(i))
			f.stored(session.ToolExecutionStart{ToolCallID: id, ToolName: "apply_patch"}, session.ToolExecutionComplete{
				ToolCallID: id, Success: true, FileEdits: []session.FileEdit{{Path: "a", Kind: kind}},
				Result: &session.ToolResult{DetailedContent: "--- a/a\n+++ b/a\n@@ -1,1 +1,2 @@\n-x\n+y\n+z\n"},
			})
		}
		f.endTurn("m")
		list, _ := f.summaries()
		want := timeline.FileChange{Path: "a", Kind: tt.want, Added: 4, Removed: 2}
		if len(list) != 1 || len(list[0].Files) != 1 || list[0].Files[0] != want || list[0].Added != 4 || list[0].Removed != 2 {
			t.Errorf("%s, %s: got %+v", tt.first, tt.second, list)
		}
	}
}

// TestEmptyMessageContinues: a message without words is no prompt: the agent continues,
// and the summary goes until it stops.
func TestEmptyMessageContinues(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().stored(said("m", "yes"), session.AssistantTurnEnd{TurnID: "0"})
	if n := f.Len(); n != 3 {
		t.Fatalf("no summary: %s", f.Dump())
	}
	if f.stored(session.UserMessage{Content: " \n"}); f.Len() != 2 {
		t.Errorf("it stays: %s", f.Dump())
	}
}
