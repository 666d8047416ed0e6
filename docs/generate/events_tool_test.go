package generate

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
	"parley/session/modelview"
	"parley/timeline"
)

// TestToolsOfTheUser: a call that the user made is an entry that is marked as
// theirs, for which the turn does not wait; once it has ended the model reads it
// with its output, a shell command as such and any other tool by its name.
func TestToolsOfTheUser(t *testing.T) {
	t.Parallel()
	for tool, tc := range map[string]struct{ arguments, does, reads string }{
		"bash": {`{"command":"make lint"}`, "running make lint", "The user executed a shell command directly in their terminal (exit code 0).\n\nCommand:\nmake lint"},
		"grep": {`{"pattern":"TODO"}`, "searching TODO", "The user ran the tool grep.\n\nArguments:\n{\"pattern\":\"TODO\"}"},
	} {
		tl, view := timeline.New(), modelview.New()
		apply := func(id session.EventID, b session.Body) {
			tl.Apply(session.Event{ID: id, Body: b})
			view.Apply(session.Event{ID: id, Body: b})
		}
		apply("a", session.ToolUserRequested{ToolCallID: "u", ToolName: tool, Arguments: jsontext.Value(tc.arguments)})
		i, ok := tl.Find("call:u")
		if !ok {
			t.Fatalf("%s has no entry", tool)
		}
		e := tl.At(i)
		c, ok := e.Body.(*timeline.ToolCall)
		if !ok || c.Name != tool || !c.UserRequested || e.State != timeline.Live || string(c.Arguments) != tc.arguments {
			t.Errorf("%s: %v %+v", tool, e.State, e.Body)
		}
		if s := tl.Status(); s.RunningShell || s.Busy || s.Activity != tc.does {
			t.Errorf("%s: %+v", tool, s)
		}
		if n := len(view.Messages()); n != 0 {
			t.Errorf("%s is read before it has ended", tool)
		}
		apply("b", session.ToolExecutionComplete{ToolCallID: "u", Success: true, Result: &session.ToolResult{Content: "cart.go:7"}})
		if e.State != timeline.Done || c.Shown() != "cart.go:7" {
			t.Errorf("%s: %v %q", tool, e.State, c.Shown())
		}
		list := view.Messages()
		if len(list) != 1 || list[0].Role != modelview.User || !strings.Contains(list[0].Text(), tc.reads) || !strings.Contains(list[0].Text(), "Output:\ncart.go:7") {
			t.Errorf("%s is read as %+v", tool, list)
		}
	}
}
