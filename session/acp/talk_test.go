package acp

import (
	"fmt"
	"strings"
	"testing"

	"parley/session"
)

// feed gives a talk updates and returns what they say.
func feed(t *talk, updates ...string) (all []session.Body) {
	for _, u := range updates {
		all = append(all, t.update([]byte(u))...)
	}
	return all
}

// TestUpdateAfterTheEnd: what is said of a call that has ended makes no other one.
func TestUpdateAfterTheEnd(t *testing.T) {
	t.Parallel()
	const call = `{"sessionUpdate":"tool_call_update","toolCallId":"c","kind":"execute","title":"ls","status":"completed","rawInput":{"command":"ls"}}`
	said := newTalk(func() string { return "m" }, func(string) (string, bool) { return "", false })
	first := feed(said, call)
	starts, ends := 0, 0
	for _, b := range first {
		switch b.(type) {
		case session.ToolExecutionStart:
			starts++
		case session.ToolExecutionComplete:
			ends++
		}
	}
	if starts != 1 || ends != 1 {
		t.Errorf("it starts %d times and ends %d times", starts, ends)
	}
	if more := feed(said, call, strings.Replace(call, "completed", "failed", 1)); len(more) > 0 {
		t.Errorf("it says more: %+v", more)
	}
}

// TestOutput: output that comes in pieces and output that comes whole each time is the same.
func TestOutput(t *testing.T) {
	t.Parallel()
	const start = `{"sessionUpdate":"tool_call","toolCallId":"c","kind":"execute","title":"ls","status":"in_progress","rawInput":{"command":"ls"}}`
	piece := func(text string) string {
		return fmt.Sprintf(`{"sessionUpdate":"tool_call_update","toolCallId":"c","_meta":{"terminal_output_delta":{"terminal_id":"c","data":%q}}}`, text)
	}
	whole := func(text string) string {
		return fmt.Sprintf(`{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"in_progress",`+
			`"content":[{"type":"content","content":{"type":"text","text":%q}}]}`, text)
	}
	for name, updates := range map[string][]string{
		"pieces": {start, piece("one\n"), piece("two\n")}, "whole": {start, whole("one\n"), whole("one\ntwo\n"), whole("one\ntwo\n")},
	} {
		said := newTalk(func() string { return "m" }, func(string) (string, bool) { return "", false })
		shown := ""
		for _, b := range feed(said, updates...) {
			switch b := b.(type) {
			case session.ToolShellOutput:
				shown += b.Text
			case session.ToolExecutionPartialResult:
				shown = b.PartialOutput
			}
		}
		if shown != "one\ntwo\n" {
			t.Errorf("%s: %q", name, shown)
		}
	}
}
