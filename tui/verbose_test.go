package tui

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// TestVerboseSaysWhatItLeavesOut: the verbose density shows a file that was read,
// of a long one how it begins, and the key for the rest, which shows it.
func TestVerboseSaysWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	sc := played(t, nil, "")
	sc.say(session.Event{Body: session.ToolExecutionStart{ToolCallID: "c", ToolName: "read_file", Arguments: jsontext.Value(`{"path":"a.go"}`)}})
	sc.say(session.Event{Body: session.ToolExecutionComplete{ToolCallID: "c", Success: true, Result: &session.ToolResult{
		Content: strings.Repeat("a line\n", 20_000) + "the last line\n",
	}}})
	screen := func() string { return strings.Join(sc.screen(), "\n") }
	if text := screen(); strings.Contains(text, "a line") {
		t.Fatalf("a file that was read is not folded away:\n%s", text)
	}
	sc.pressed("ctrl+x").pressed("y").pressed("ctrl+end")
	if text := screen(); !strings.Contains(text, "a line") || !strings.Contains(text, "more lines · ctrl+o shows all") {
		t.Errorf("got:\n%s", text)
	}
	sc.pressed("ctrl+o").pressed("ctrl+end")
	if text := screen(); !strings.Contains(text, "the last line") || strings.Contains(text, "shows all") {
		t.Errorf("got:\n%s", text)
	}
}
