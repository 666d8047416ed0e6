package render_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/render"
	"parley/render/text/texttest"
	"parley/session"
	"parley/session/sessiontest"
	"parley/timeline"
)

// spoken are the lines of a timeline that is spoken whole.
func spoken(tl *timeline.Timeline) (lines []string) {
	for i := range tl.Len() {
		if e := tl.At(i); !e.VerboseOnly {
			lines = append(lines, render.Speak(e, exported(render.ExportText))...)
		}
	}
	return lines
}

// control is a character that is no text.
func control(r rune) bool { return r < ' ' && r != '\t' || r >= 0x7f && r < 0xa0 }

// TestSpeakLogs speaks every recorded log: in lines that are not empty, without a control
// character.
func TestSpeakLogs(t *testing.T) {
	t.Parallel()
	for name, tl := range allLogs(t) {
		lines := spoken(tl)
		for _, l := range lines {
			if strings.TrimSpace(l) == "" || strings.ContainsFunc(l, control) {
				t.Errorf("%s: the line %q", name, l)
			}
		}
		if slices.Contains(htmlGoldens, name) {
			sessiontest.Golden(t, "render/spoken/"+name, strings.Join(lines, "\n")+"\n")
		}
	}
}

// TestSpeakKindFirst begins an entry with what it is and how it ended.
func TestSpeakKindFirst(t *testing.T) {
	t.Parallel()
	call := func(id string, done session.ToolExecutionComplete) []session.Event {
		done.ToolCallID = session.CallID(id)
		return []session.Event{
			{ID: session.EventID(id), Body: session.ToolExecutionStart{ToolCallID: session.CallID(id), ToolName: "bash", Arguments: []byte(`{"command":"make"}`)}},
			{ID: session.EventID(id + "e"), Body: done},
		}
	}
	lines := spoken(reduced(slices.Concat(
		[]session.Event{{ID: "1", Body: session.UserMessage{Content: "go\non"}}},
		call("a", session.ToolExecutionComplete{Success: true, Result: &session.ToolResult{Content: strings.Repeat("line\n", 30)}}),
		call("b", session.ToolExecutionComplete{Error: &session.ToolError{Message: "no"}}),
		[]session.Event{
			{ID: "r", Body: session.AssistantReasoning{ReasoningID: "r", Content: "hm"}},
			{ID: "2", Body: session.AssistantMessage{MessageID: "m", Content: "a **b**"}},
			{ID: "3", Body: session.SessionError{ErrorType: "query", Message: "gone"}},
		},
	)))
	for _, want := range []string{"You: go", "on", "Tool, shell make", "line", "and 10 more lines", "Failed: Tool, shell make", "Thought", "Answer: a b", "Error: gone"} {
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, want) }) {
			t.Errorf("no line begins with %q:\n%s", want, strings.Join(lines, "\n"))
		}
	}
}

// TestSpeakHostile speaks no control character, whatever an agent says.
func TestSpeakHostile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		for _, l := range spoken(reduced(conversation(func() string { return texttest.Untrusted(rt) }))) {
			if strings.ContainsFunc(l, control) {
				rt.Fatalf("the line %q", l)
			}
		}
	})
}
