package timeline_test

import (
	"testing"

	"parley/session"
	"parley/timeline"
)

// TestCancellations: the remark that something was cancelled is shown, unless an
// abort of the same prompt shows it, whichever comes first.
func TestCancellations(t *testing.T) {
	t.Parallel()
	remark := session.SessionInfo{InfoType: "cancellation", Message: "Operation cancelled by user"}
	prompt, start := session.UserMessage{Content: "go"}, session.AssistantTurnStart{TurnID: "0"}
	const line = "info cancellation: Operation cancelled by user"
	checkNotices(t, map[string]noticeCase{
		"alone":                {[]session.Body{remark}, line},
		"in a turn":            {[]session.Body{prompt, start, remark}, line},
		"twice":                {[]session.Body{remark, remark}, line},
		"after an abort":       {[]session.Body{prompt, start, session.Abort{}, remark}, "boundary Interrupted"},
		"before an abort":      {[]session.Body{prompt, start, remark, session.Abort{}}, "boundary Interrupted"},
		"around an abort":      {[]session.Body{prompt, start, remark, session.Abort{}, remark}, "boundary Interrupted"},
		"of the next prompt":   {[]session.Body{prompt, start, session.Abort{}, prompt, remark}, "boundary Interrupted\n" + line},
		"of the next turn":     {[]session.Body{prompt, start, session.Abort{}, start, remark}, "boundary Interrupted\n" + line},
		"of the prompt before": {[]session.Body{prompt, start, remark, prompt, session.Abort{}}, line + "\nboundary Interrupted"},
		"without words":        {[]session.Body{session.SessionInfo{InfoType: "cancellation"}}, ""},
	})
}

// TestFilesCreated: the remark that a file was made is shown, unless a call shows
// that, whichever comes first.
func TestFilesCreated(t *testing.T) {
	t.Parallel()
	remark := session.SessionInfo{InfoType: "file_created", Message: "/src/a.txt"}
	folder := session.SessionContextChanged{Cwd: "/src"}
	drive, onDrive := session.SessionContextChanged{Cwd: `C:\src`}, session.SessionInfo{InfoType: "file_created", Message: `C:\src\sub\b.txt`}
	start := func(path string) session.Body { return startOf("create", `{"path":"`+path+`","file_text":"x"}`) }
	edited := session.ToolExecutionComplete{ToolCallID: "c", Success: true, FileEdits: []session.FileEdit{{Path: "/src/a.txt", Kind: "create"}}}
	const line = "info file_created: File created: /src/a.txt"
	for name, tt := range map[string]struct {
		log  []session.Body
		want string
	}{
		"alone":                         {[]session.Body{remark}, "info File created: /src/a.txt"},
		"while a call makes it":         {[]session.Body{start("/src/a.txt"), remark}, "call create (live)"},
		"by a path of the folder":       {[]session.Body{folder, start("a.txt"), remark}, "call create (live)"},
		"while a call makes another":    {[]session.Body{start("/src/b.txt"), remark}, "call create (live) | info File created: /src/a.txt"},
		"while a command runs":          {[]session.Body{startOf("bash", `{"path":"/src/a.txt"}`), remark}, "call bash (live) | info File created: /src/a.txt"},
		"after the call":                {[]session.Body{start("/src/a.txt"), completeOf("ok"), remark}, "call create"},
		"after the call, of the folder": {[]session.Body{folder, start("a.txt"), completeOf("ok"), remark}, "call create"},
		"after a call that failed":      {[]session.Body{start("/src/a.txt"), session.ToolExecutionComplete{ToolCallID: "c", Error: &session.ToolError{Message: "no"}}, remark}, "call create (failed) | info File created: /src/a.txt"},
		"before the call":               {[]session.Body{remark, start("/src/a.txt"), completeOf("ok")}, "call create"},
		"before the end of a patch":     {[]session.Body{startOf("apply_patch", `"x"`), remark, edited}, "call apply_patch"},
		"of a folder on Windows":        {[]session.Body{drive, start("sub/b.txt"), completeOf("ok"), onDrive}, "call create"},
		"by a path on Windows":          {[]session.Body{drive, start(`C:\\src\\sub\\b.txt`), onDrive}, "call create (live)"},
		"in words":                      {[]session.Body{session.SessionInfo{InfoType: "file_created", Message: "Created a.txt"}}, "info Created a.txt"},
		"without words":                 {[]session.Body{session.SessionInfo{InfoType: "file_created", Message: " "}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newFeed().stored(tt.log...).want(t, tt.want)
		})
	}
	checkNotices(t, map[string]noticeCase{"its type": {[]session.Body{remark}, line}})
}

// TestCopiesHaveNoIDs: a copy names its original and no id, and the copy that continues
// when a rewind is undone is not shown as one.
func TestCopiesHaveNoIDs(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		`Forked from "a (b)" (fd9f-1) as "c" (990f-2).`:                        `info Forked from "a (b)".`,
		`Forked from "a" (fd9f-1) before event 7f73-4 as "a (fork)" (990f-2).`: `info Forked from "a".`,
		`Forked from "a" (fd9f-1) as "before rewind: a" (990f-2).`:             "",
		`Forked from "a" as "before rewind: a".`:                               `info Forked from "a" as "before rewind: a".`,
	} {
		newFeed().stored(session.SessionInfo{InfoType: "fork", Message: message}).want(t, want)
	}
}

// TestEveryInfoIsShown: a remark of any type makes one line with its type and its
// link, unless an abort or a call shows the same.
func TestEveryInfoIsShown(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{
		"timing", "context_window", "mcp", "snapshot", "configuration", "authentication", "model", "notification", "cancellation",
		"file_created", "of_a_later_version", "",
	} {
		f := newFeed().stored(session.SessionInfo{InfoType: kind, Message: "/src/created", URL: "https://a.example", Tip: "Look."})
		n, ok := f.At(0).Body.(*timeline.Notice)
		if f.Len() != 1 || f.At(0).VerboseOnly || !ok || n.Category != kind || n.URL != "https://a.example" || n.Next != "Look." {
			t.Errorf("%s: %+v", kind, f.At(0))
		}
	}
	f := newFeed().turn().stored(startOf("create", `{"path":"/src/a"}`), session.SessionInfo{InfoType: "file_created", Message: "/src/a"})
	f.want(t, "prompt go | call create (live)")
	f.stored(completeOf("ok"), session.SessionInfo{InfoType: "file_created", Message: "/src/a"})
	f.stored(session.Abort{}, session.SessionInfo{InfoType: "cancellation", Message: "Operation cancelled by user"})
	f.want(t, "prompt go | call create | boundary Interrupted")
}
