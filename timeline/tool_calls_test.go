package timeline_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/session/sessiontest"
	"parley/timeline"
)

// TestACallIsBornAnywhere: whichever event names a call first makes its entry,
// and the rest finds it.
// TestToolsOfTheClient: the answer to a client's tool ends its call, which may
// get no other end. What comes later says how it ended.
func TestToolsOfTheClient(t *testing.T) {
	t.Parallel()
	requested := session.ExternalToolRequested{RequestID: "x", ToolCallID: "c", ToolName: "get_weather", Arguments: []byte(`{"city":"Oslo"}`)}
	completed := session.ExternalToolCompleted{RequestID: "x"}
	for name, begin := range map[string][]session.Body{
		"alone": {requested}, "after its start": {startOf("get_weather", "{}"), requested},
	} {
		f := newFeed().turn().stored(begin...)
		e, c := f.call(t)
		if e.State != timeline.Live || f.Apply(f.next(session.ExternalToolCompleted{RequestID: "y"})) != timeline.Ignored {
			t.Errorf("%s: it does not wait for its answer: %v", name, e.State)
		}
		f.stored(completed)
		if e.State != timeline.Done || !c.Answered || !e.End.Equal(clock(f.n)) || f.Status().Activity == "using get_weather" {
			t.Errorf("%s: %v, %+v, %s", name, e.State, c, f.Status().Activity)
		}
		f.stored(completeOf("sunny"))
		if e.State != timeline.Done || c.Answered || c.Result != "sunny" || !e.End.Equal(clock(f.n)) {
			t.Errorf("%s, with its end: %v, %+v", name, e.State, c)
		}
		f.stored(completed)
		if c.Answered {
			t.Errorf("%s: answered twice", name)
		}
	}
	f := newFeed().turn().stored(requested, completed,
		session.ToolExecutionComplete{ToolCallID: "c", Error: &session.ToolError{Message: "no weather"}})
	if e, _ := f.call(t); e.State != timeline.Failed {
		t.Errorf("it failed: %v", e.State)
	}
	f = task(newFeed(), "sync")
	inner := requested
	inner.ToolCallID = "d"
	f.agent("A", inner)
	f.stored(completed) // does not say whose it is
	_, c := f.call(t)
	if i, ok := c.Agent.Timeline.Find("call:d"); !ok || c.Agent.Timeline.At(i).State != timeline.Done {
		t.Errorf("a sub-agent's: %s", f.Dump())
	}
}

func TestACallIsBornAnywhere(t *testing.T) {
	t.Parallel()
	args := jsontext.Value(`{"command":"make"}`)
	births := map[string]func(*feed){
		"arguments": func(f *feed) {
			f.live(session.AssistantToolCallDelta{ToolCallID: "c", ToolName: "bash", InputDelta: "{"})
		},
		"message": func(f *feed) {
			f.stored(session.AssistantMessage{ToolRequests: []session.ToolRequest{{ToolCallID: "c", Name: "bash"}}})
		},
		"start":    func(f *feed) { f.stored(startOf("bash", "{}")) },
		"progress": func(f *feed) { f.live(session.ToolExecutionProgress{ToolCallID: "c", ProgressMessage: "1 of 2"}) },
		"snapshot": func(f *feed) { f.live(session.ToolExecutionPartialResult{ToolCallID: "c", PartialOutput: "o"}) },
		"output":   func(f *feed) { f.live(session.ToolShellOutput{ToolCallID: "c", Text: "o"}) },
		"permission": func(f *feed) {
			f.stored(session.PermissionRequested{RequestID: "q", PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "shell", ToolCallID: "c"}}})
		},
		"answer": func(f *feed) {
			f.stored(session.PermissionCompleted{RequestID: "q", ToolCallID: "c", Result: session.PermissionResult{Kind: "approved"}})
		},
		"external":       func(f *feed) { f.stored(session.ExternalToolRequested{ToolCallID: "c", ToolName: "bash"}) },
		"user requested": func(f *feed) { f.stored(session.ToolUserRequested{ToolCallID: "c", ToolName: "bash"}) },
	}
	for name, birth := range births {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFeed()
			birth(f)
			f.stored(startOf("bash", string(args)), completeOf("ok"))
			e, c := f.call(t)
			if f.Len() != 1 || c.Name != "bash" || string(c.Arguments) != string(args) || c.Result != "ok" ||
				e.State != timeline.Done || c.Status != "" || c.ArgumentText.Len() != 0 {
				t.Errorf("%s: %+v", f.outline(), c)
			}
		})
	}
	f := newFeed().stored(completeOf("ok"), startOf("bash", "{}"))
	if e, _ := f.call(t); e.State != timeline.Done {
		t.Error("a start after the end restarted the call")
	}
	f = newFeed().stored(session.ToolExecutionStart{ToolName: "bash"}, session.ToolExecutionComplete{})
	f.want(t, "")
}

func TestCallOutcomes(t *testing.T) {
	t.Parallel()
	failed := func(code string) session.ToolExecutionComplete {
		return session.ToolExecutionComplete{ToolCallID: "c", Error: &session.ToolError{Message: "no", Code: code}}
	}
	exit := func(code int) session.ToolExecutionComplete {
		c := completeOf("out")
		c.ShellExecution = &session.ShellExecution{ExitCode: ptr(code)}
		return c
	}
	for name, tt := range map[string]struct {
		end  session.Body
		want timeline.State
	}{
		"success":                    {completeOf("out"), timeline.Done},
		"exit 0":                     {exit(0), timeline.Done},
		"exit 3":                     {exit(3), timeline.Failed},
		"exit 3 in the text":         {completeOf("out\n<shellId: 15 completed with exit code 3>"), timeline.Failed},
		"exit 0 in the text":         {completeOf("<shellId: 15 completed with exit code 0>"), timeline.Done},
		"no exit code in the text":   {completeOf("<shellId: 15 completed with exit code x>"), timeline.Done},
		"failure":                    {failed("failure"), timeline.Failed},
		"no code":                    {failed(""), timeline.Failed},
		"denied":                     {failed("denied"), timeline.Refused},
		"rejected":                   {failed("rejected"), timeline.Refused},
		"neither success nor reason": {session.ToolExecutionComplete{ToolCallID: "c"}, timeline.Failed},
		"aborted":                    {session.Abort{}, timeline.Cancelled},
		"idle without a result":      {session.AssistantIdle{}, timeline.Cancelled},
		"the end of the process":     {session.SessionShutdown{ShutdownType: "routine"}, timeline.Cancelled},
		"resumed elsewhere":          {session.SessionResume{}, timeline.Cancelled},
		"another window joins":       {session.SessionResume{SessionWasActive: true}, timeline.Live},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFeed().turn().stored(startOf("bash", `{"command":"make"}`), tt.end)
			if e, _ := f.call(t); e.State != tt.want {
				t.Errorf("got %v, want %v", e.State, tt.want)
			}
		})
	}
}

func TestACallTakesWhatItsEndHas(t *testing.T) {
	t.Parallel()
	end := session.ToolExecutionComplete{
		ToolCallID: "c", Success: true, IsUserRequested: true,
		Result:    &session.ToolResult{Content: "same", DetailedContent: "same"},
		FileEdits: []session.FileEdit{{Path: "a.go", Kind: "edit"}},
	}
	f := newFeed().stored(startOf("edit", `{"path":"a.go"}`), end)
	e, c := f.call(t)
	if c.Detail != "" || c.Result != "same" || !c.UserRequested || len(c.Edits) != 1 {
		t.Errorf("got %+v", c)
	}
	if !e.At.Equal(clock(1)) || !e.End.Equal(clock(2)) {
		t.Errorf("from %v to %v", e.At, e.End)
	}
	before := *e
	f.stored(session.ToolExecutionComplete{ToolCallID: "c", Error: &session.ToolError{Message: "late"}}).
		live(session.ToolExecutionProgress{ToolCallID: "c", ProgressMessage: "late"},
			session.ToolShellOutput{ToolCallID: "c", Text: "late"},
			session.ToolExecutionPartialResult{ToolCallID: "c", PartialOutput: "late"},
			session.AssistantToolCallDelta{ToolCallID: "c", InputDelta: "late"})
	if e.Version != before.Version || c.Status != "" || c.Output.Len() != 0 {
		t.Errorf("late news changed the call: %+v", c)
	}
}

// TestProgressOfACall: each message takes the place of the one before, under a call
// that runs, and none is left when it has ended.
func TestProgressOfACall(t *testing.T) {
	t.Parallel()
	progress := func(text string) session.Body {
		return session.ToolExecutionProgress{ToolCallID: "c", ProgressMessage: text}
	}
	f := newFeed().turn().stored(startOf("tst-do", `{}`)).live(progress("1 of 2"))
	e, c := f.call(t)
	if c.Status != "1 of 2" {
		t.Errorf("got %q", c.Status)
	}
	before := e.Version
	if f.live(progress("2 of 2")); c.Status != "2 of 2" || e.Version == before || e.State != timeline.Live {
		t.Errorf("got %q, %v", c.Status, e.State)
	}
	if f.stored(completeOf("ok")); c.Status != "" {
		t.Errorf("%q is left", c.Status)
	}
	if f.live(progress("late")); c.Status != "" || e.State != timeline.Done {
		t.Errorf("late news: %q, %v", c.Status, e.State)
	}
}

// TestEndOfACall: all that the end of a call reports is in its entry, and what it
// did to files in the summary of the prompt.
func TestEndOfACall(t *testing.T) {
	t.Parallel()
	data, size := drawn(t, "image/png")
	end := completeOf("File updated.")
	end.Result.DetailedContent = "--- a/a.go\n+++ b/a.go\n@@ -1 +1,2 @@\n-x\n+y\n+z\n"
	end.Result.BinaryResultsForLLM = []session.BinaryResult{{Type: "image", MIMEType: "image/png", Data: data}}
	end.Result.Contents = []session.ContentBlock{
		{Type: "terminal", Text: "formatted", ExitCode: ptr(0), Cwd: "/w"}, {Type: "audio", MIMEType: "audio/wav", Data: "UklGRg=="},
	}
	end.FileEdits = []session.FileEdit{{Path: "a.go", Kind: "edit"}}
	f := newFeed().turn().stored(startOf("edit_file", `{"path":"a.go"}`))
	f.live(session.ToolExecutionPartialResult{ToolCallID: "c", PartialOutput: "working"}).stored(end)
	e, c := f.call(t)
	if e.State != timeline.Done || !e.At.Equal(clock(3)) || !e.End.Equal(clock(5)) {
		t.Errorf("%v from %v to %v", e.State, e.At, e.End)
	}
	if c.Result != "File updated." || !strings.Contains(c.Shown(), end.Result.DetailedContent[:20]) || !strings.Contains(c.Shown(), "formatted") || c.Output.Len() > 0 {
		t.Errorf("result %q, shown %q, streamed %q", c.Result, c.Shown(), c.Output.String())
	}
	if len(c.Images) != 1 || c.Images[0].Bytes != size || len(c.Blocks) != 1 || c.Blocks[0].MIMEType != "audio/wav" {
		t.Errorf("images %+v, blocks %+v", c.Images, c.Blocks)
	}
	if c.ExitCode == nil || *c.ExitCode != 0 || c.Dir != "/w" || len(c.Edits) != 1 {
		t.Errorf("exit %v in %q, edits %v", c.ExitCode, c.Dir, c.Edits)
	}
	want := timeline.FileChange{Path: "a.go", Kind: "edit", Added: 2, Removed: 1}
	f.live(session.AssistantIdle{})
	if list, _ := f.summaries(); len(list) != 1 || !slices.Equal(list[0].Files, []timeline.FileChange{want}) {
		t.Errorf("summaries %+v", list)
	}

	f = newFeed().turn().stored(startOf("fetch", `{}`), session.ToolExecutionComplete{
		ToolCallID: "c", Error: &session.ToolError{Message: "no route", Code: "EHOSTUNREACH"},
	})
	if e, c = f.call(t); e.State != timeline.Failed || c.ErrorText() != "no route (EHOSTUNREACH)" {
		t.Errorf("%v: %q", e.State, c.ErrorText())
	}
}

// TestInterruptedCall: the remark that no result was recorded does not make an
// interrupted call a failed one, but a result that comes after all counts.
func TestInterruptedCall(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().stored(startOf("bash", "{}"), session.Abort{})
	f.stored(session.ToolExecutionComplete{ToolCallID: "c", Error: &session.ToolError{Message: "interrupted", Code: "failure"}})
	if e, c := f.call(t); e.State != timeline.Cancelled || c.Error != "interrupted" || !e.End.Equal(clock(4)) {
		t.Errorf("%v: %+v", e.State, c)
	}
	f = newFeed().turn().stored(startOf("bash", "{}"), session.Abort{}, completeOf("after all"))
	if e, _ := f.call(t); e.State != timeline.Done {
		t.Errorf("got %v", e.State)
	}
}

func TestLiveOutput(t *testing.T) {
	t.Parallel()
	shell := func(seq int, text string) session.Body {
		return session.ToolShellOutput{ToolCallID: "c", Stream: "stdout", Text: text, Sequence: seq}
	}
	partial := func(text string) session.Body {
		return session.ToolExecutionPartialResult{ToolCallID: "c", PartialOutput: text}
	}
	runtime := session.AssistantMessageStart{MessageID: "m"}
	for name, tt := range map[string]struct {
		events   []session.Body
		want     string
		replaced int
	}{
		"chunks":                        {[]session.Body{shell(0, "a\n"), shell(1, "b\n")}, "a\nb\n", 0},
		"chunks without numbers":        {[]session.Body{shell(0, "a\n"), shell(0, "b\n")}, "a\nb\n", 0},
		"a chunk that comes late":       {[]session.Body{shell(0, "a\n"), shell(2, "c\n"), shell(1, "b\n"), shell(3, "d\n")}, "a\nb\nc\nd\n", 1},
		"chunks, not snapshots":         {[]session.Body{shell(0, "a\n"), partial("a\n"), partial("a\n")}, "a\n", 0},
		"a snapshot first, then chunks": {[]session.Body{partial("a\n"), shell(0, "a\n"), partial("a\nb\n")}, "a\n", 1},
		"growing snapshots":             {[]session.Body{partial("a\n"), partial("a\nb\n"), partial("a\nb\n"), partial("")}, "a\nb\n", 0},
		"a tail, once they are known":   {[]session.Body{partial("a\n"), partial("a\nb\n"), partial("b\nc\n")}, "b\nc\n", 1},
		"a tail of the runtime's":       {[]session.Body{runtime, partial("a\n"), partial("b\nc\n")}, "b\nc\n", 1},
		"the runtime repeats itself":    {[]session.Body{runtime, partial("."), partial("."), partial("..")}, "..", 0},
		"increments":                    {[]session.Body{partial("a\n"), partial("b\n"), partial("a\nb\na\n")}, "a\nb\na\nb\na\n", 0},
		"increments that repeat":        {[]session.Body{partial("."), partial("."), partial("."), partial("!"), partial(".")}, "...!.", 0},
		"nothing":                       {[]session.Body{partial(""), partial("")}, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFeed().stored(startOf("bash", "{}")).live(tt.events...)
			_, c := f.call(t)
			if got := c.Output.String(); got != tt.want || c.Replaced != tt.replaced {
				t.Errorf("got %q, replaced %d times; want %q, %d", got, c.Replaced, tt.want, tt.replaced)
			}
		})
	}
}

// TestSnapshotsAloneAreRight takes the chunks out of every recorded command, and
// the results that take the place of what streamed: its snapshots alone must end
// in the same text, or in its tail.
func TestSnapshotsAloneAreRight(t *testing.T) {
	t.Parallel()
	compared := 0
	for _, name := range sessiontest.LogNames(t) {
		if strings.HasPrefix(name, "hand/") {
			continue
		}
		events := slices.DeleteFunc(readLog(t, name), func(ev session.Event) bool {
			return ev.Kind() == "tool.execution_complete"
		})
		without := slices.DeleteFunc(slices.Clone(events), func(ev session.Event) bool {
			return ev.Kind() == session.KindToolShellOutput
		})
		both, alone := reduce(events), reduce(without)
		for i := range both.Len() {
			c, ok := both.At(i).Body.(*timeline.ToolCall)
			if !ok || c.Output.Len() == 0 {
				continue
			}
			k, ok := alone.Find(both.At(i).ID)
			if !ok {
				t.Fatalf("%s: %s is gone", name, both.At(i).ID)
			}
			o, ok := alone.At(k).Body.(*timeline.ToolCall)
			if !ok || o.Output.Len() == 0 {
				t.Errorf("%s: snapshots alone give %+v", name, o)
				continue
			}
			compared++
			// Recorded chunks of large output were shortened, so only what a
			// snapshot of small output says can be compared to the letter.
			if name != "tool_large_output" && c.Output.String() != o.Output.String() {
				t.Errorf("%s: %q, with chunks %q", name, o.Output.String(), c.Output.String())
			}
		}
	}
	if compared < 8 {
		t.Errorf("only %d calls were compared", compared)
	}
}

func TestReopenedAfterPendingWorkIsContinued(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().stored(
		startOf("bash", "{}"),
		session.SessionShutdown{ShutdownType: "routine"},
		session.SessionResume{},
		startOf("bash", "{}"))
	if e, _ := f.call(t); e.State != timeline.Live || !e.End.IsZero() || !e.At.Equal(clock(6)) {
		t.Errorf("got %v, from %v to %v", e.State, e.At, e.End)
	}
	f.stored(completeOf("ok"))
	if e, _ := f.call(t); e.State != timeline.Done {
		t.Errorf("got %v", e.State)
	}
}

// TestWhatRanIsNoLostAttempt: arguments that streamed are void when the model is
// called again, but not once the call has reported anything.
func TestWhatRanIsNoLostAttempt(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		sent []session.Body
		want string
	}{
		"nothing":  {nil, "prompt go"},
		"progress": {[]session.Body{session.ToolExecutionProgress{ToolCallID: "c", ProgressMessage: "1 of 2"}}, "prompt go | call bash (live)"},
		"snapshot": {[]session.Body{session.ToolExecutionPartialResult{ToolCallID: "c", PartialOutput: "o"}}, "prompt go | call bash (live)"},
		"output":   {[]session.Body{session.ToolShellOutput{ToolCallID: "c", Text: "o"}}, "prompt go | call bash (live)"},
		"external": {[]session.Body{session.ExternalToolRequested{ToolCallID: "c"}}, "prompt go | call bash (live)"},
	} {
		f := newFeed().turn().live(session.AssistantToolCallDelta{ToolCallID: "c", ToolName: "bash", InputDelta: "{"})
		f.live(tt.sent...).live(session.AssistantTurnRetry{})
		if got := f.outline(); !strings.HasPrefix(got+" | ", tt.want+" | ") || strings.Contains(got, "call") != strings.Contains(tt.want, "call") {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
}

// TestWhatIsSaidOfACall: what a message says of a call is shown before it runs, and
// what a client's tool is asked for takes the place of nothing that is known.
func TestWhatIsSaidOfACall(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().stored(session.AssistantMessage{ToolRequests: []session.ToolRequest{{
		ToolCallID: "c", Name: "srv-get", ToolTitle: "Get", McpServerName: "srv", McpToolName: "get", Arguments: jsontext.Value(`{"a":1}`),
	}}})
	_, c := f.call(t)
	if c.Name != "srv-get" || c.Title != "Get" || c.Server != "srv" || c.Tool != "get" || string(c.Arguments) != `{"a":1}` {
		t.Errorf("asked for: %+v", c)
	}
	other := session.ExternalToolRequested{RequestID: "x", ToolCallID: "c", ToolName: "other", Arguments: []byte(`{"b":2}`)}
	if f.stored(other); c.Name != "srv-get" || string(c.Arguments) != `{"a":1}` {
		t.Errorf("asked of the client: %+v", c)
	}
	_, c = newFeed().turn().stored(other).call(t)
	if c.Name != "other" || string(c.Arguments) != `{"b":2}` {
		t.Errorf("only asked of the client: %+v", c)
	}
}
