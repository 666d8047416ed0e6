package timeline_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/timeline"
)

// TestSource: what is copied of an entry is all that it says, and nothing of how it
// is drawn.
func TestSource(t *testing.T) {
	t.Parallel()
	const diff = "--- a/x.go\n+++ b/x.go\n@@ -1,1 +1,1 @@\n-a\n+b"
	const shown = "--- a/x.go\n+++ b/x.go\n@@ -1,1 +1,1 @@\n a"
	one := 1
	for _, tt := range []struct {
		name string
		body timeline.Body
		want string
	}{
		{"nothing", nil, ""},
		{"a prompt", &timeline.Prompt{Text: "go\n"}, "go\n"},
		{"a notice", &timeline.Notice{Text: "no", Detail: "why\n", URL: "http://x", Next: "/login"}, "no\nwhy\nhttp://x\n/login"},
		{"a notice without a detail", &timeline.Notice{Text: "no"}, "no"},
		{"a question", &timeline.AnsweredQuestion{Question: "Sure?", Answer: "yes"}, "Sure?\nyes"},
		{"a boundary", &timeline.Divider{Text: "Compacted"}, "Compacted"},
		{"a summary", &timeline.Summary{Files: []timeline.FileChange{{Path: "a"}, {Path: "b"}}}, "a\nb"},
		{"an end", &timeline.SessionEnd{Reason: "full", Files: []string{"a", "b"}}, "full\na\nb"},
		{"what is not known", &timeline.Unrecognised{Raw: jsontext.Value(`{"a":1}`)}, `{"a":1}`},
		{
			"a command",
			&timeline.ToolCall{Name: "bash", Arguments: jsontext.Value(`{"command":"make","timeout":1}`), Result: "ok\n", ExitCode: &one},
			"make\nok",
		},
		{"a read", &timeline.ToolCall{Name: "view", Arguments: jsontext.Value(`{"a":1}`), Result: "text"}, "view {\"a\":1}\ntext"},
		{"a read as a diff", &timeline.ToolCall{Name: "view", Result: "text", Detail: shown}, "view\ntext"},
		{"a failure", &timeline.ToolCall{Name: "view", Error: "no such file", ErrorCode: "E2"}, "view\nno such file (E2)"},
		{"a change", &timeline.ToolCall{Name: "edit", Arguments: jsontext.Value(`{"path":"x.go"}`), Result: "done", Detail: diff}, diff},
		{"a change that failed", &timeline.ToolCall{Name: "edit", Detail: diff, Error: "no"}, diff + "\nno"},
		{"a skill", &timeline.ToolCall{Name: "skill", Result: "loaded", Detail: "How to."}, "How to."},
		{
			"a sub-agent",
			&timeline.ToolCall{Arguments: jsontext.Value(`{"prompt":"Look."}`), Result: "Found.", Agent: &timeline.Subagent{Error: "late"}},
			"Look.\nFound.\nlate",
		},
		{"a sub-agent whose call failed", &timeline.ToolCall{Error: "no", Agent: &timeline.Subagent{}}, "no"},
	} {
		if got := timeline.Source(&timeline.Entry{Body: tt.body}); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestTurnSource: a turn is what was said from its prompt to the next, without
// thinking, whichever of its entries is asked.
func TestTurnSource(t *testing.T) {
	t.Parallel()
	f := newFeed().stored(session.SessionError{Message: "early"}).turn().live(thought("r", "hm")).endTurn("a")
	f.stored(startOf("bash", `{"command":"make"}`), completeOf("built\n")).endTurn("b")
	f.stored(session.UserMessage{Content: "more"}).endTurn("c")
	next := f.Len()
	for i := range f.Len() {
		if p, ok := f.At(i).Body.(*timeline.Prompt); ok && p.Text == "more" {
			next = i
		}
		want := "go\n\nok\n\nmake\nbuilt\n\nok"
		switch {
		case i == 0:
			want = timeline.Source(f.At(0))
		case i >= next:
			want = "more\n\nok"
		}
		if got := f.TurnSource(i); got != want {
			t.Errorf("of entry %d: %q, want %q", i, got, want)
		}
	}
}

// TestFailure: what went wrong is found, and what was cancelled or refused did not go
// wrong.
func TestFailure(t *testing.T) {
	t.Parallel()
	zero, one := 0, 1
	for _, tt := range []struct {
		name  string
		entry timeline.Entry
		want  bool
	}{
		{"an answer that failed", timeline.Entry{State: timeline.Failed, Body: &timeline.Message{}}, true},
		{"an answer", timeline.Entry{State: timeline.Done, Body: &timeline.Message{}}, false},
		{"a command that ended badly", timeline.Entry{State: timeline.Done, Body: &timeline.ToolCall{ExitCode: &one}}, true},
		{"a command that runs", timeline.Entry{State: timeline.Live, Body: &timeline.ToolCall{ExitCode: &one}}, false},
		{"a command that was stopped", timeline.Entry{State: timeline.Cancelled, Body: &timeline.ToolCall{ExitCode: &one}}, false},
		{"a command that ended well", timeline.Entry{State: timeline.Done, Body: &timeline.ToolCall{ExitCode: &zero}}, false},
		{"a call without a command", timeline.Entry{State: timeline.Done, Body: &timeline.ToolCall{}}, false},
		{"a warning", timeline.Entry{State: timeline.Done, Body: &timeline.Notice{Level: timeline.Warning}}, false},
		{"an error", timeline.Entry{State: timeline.Done, Body: &timeline.Notice{Level: timeline.Error}}, true},
		{"an end", timeline.Entry{State: timeline.Done, Body: &timeline.SessionEnd{}}, false},
		{"an end by an error", timeline.Entry{State: timeline.Done, Body: &timeline.SessionEnd{Failed: true}}, true},
	} {
		if got := tt.entry.Failure(); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// TestFindingSubagents: a sub-agent is found by its id, below others too, and one
// without an id by its call.
func TestFindingSubagents(t *testing.T) {
	t.Parallel()
	start := func(call, parent session.CallID) session.Body {
		return session.ToolExecutionStart{ToolCallID: call, ToolName: "task", ParentToolCallID: parent}
	}
	f := newFeed().stored(start("c", "")).agent("A", session.SubagentStarted{ToolCallID: "c", AgentName: "outer"})
	f.agent("A", start("d", "")).agent("B", session.SubagentStarted{ToolCallID: "d", AgentName: "inner"})
	f.stored(start("e", ""), session.SubagentStarted{ToolCallID: "e", AgentName: "nameless"})
	for id, want := range map[session.AgentID]string{"A": "outer", "B": "inner", "e": "nameless"} {
		if a, ok := f.Subagent(id); !ok || a.Name != want {
			t.Errorf("%s: %v, %+v", id, ok, a)
		}
	}
	if a, ok := f.Subagent("nobody"); ok || a != nil {
		t.Errorf("one that is not there: %+v", a)
	}
}

// TestChunksInAnyOrder: chunks of a command's output that come out of order stand
// where they belong.
func TestChunksInAnyOrder(t *testing.T) {
	t.Parallel()
	texts := []string{"a", "bb", "ccc", "d", "ee"}
	var arrive func(order, left []int)
	arrive = func(order, left []int) {
		if len(left) == 0 {
			f := newFeed().turn().stored(startOf("bash", `{"command":"make"}`))
			for _, n := range order {
				f.live(session.ToolShellOutput{ToolCallID: "c", Stream: "stdout", Text: texts[n], Sequence: n})
			}
			if _, c := f.call(t); c.Output.String() != "abbcccdee" {
				t.Errorf("%v: got %q", order, c.Output.String())
			}
			return
		}
		for i, n := range left {
			rest := append(append([]int{}, left[:i]...), left[i+1:]...)
			arrive(append(append([]int{}, order...), n), rest)
		}
	}
	arrive(nil, []int{0, 1, 2, 3, 4})
}

// TestFilesHaveBytes: what can be saved of an entry is what has bytes.
func TestFilesHaveBytes(t *testing.T) {
	t.Parallel()
	e := &timeline.Entry{Body: &timeline.ToolCall{
		Images: []timeline.Image{{Name: "image", Data: "AAAA"}, {Name: "not stored"}},
		Blocks: []timeline.Block{{Name: "sound", Data: "AAAA"}, {Name: "link", URI: "http://x"}},
	}}
	var got []string
	for _, b := range timeline.Files(e) {
		got = append(got, b.Name)
	}
	if strings.Join(got, " ") != "image sound" {
		t.Errorf("got %q", got)
	}
	if all := timeline.Files(&timeline.Entry{Body: &timeline.Message{}}); len(all) != 0 {
		t.Errorf("an answer has %v", all)
	}
}
