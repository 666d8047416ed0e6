package modelview_test

import (
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// TestDumpIsComplete: a message of each role and source, images without
// their bytes, and what does not print.
func TestDumpIsComplete(t *testing.T) {
	t.Parallel()
	seen := result("b", "seen")
	seen.Result.BinaryResultsForLLM = []session.BinaryResult{
		{Data: image, MIMEType: "image/png", Description: "a dot"}, {AssetID: "unknown", MIMEType: "application/pdf"},
	}
	k := newTalk(
		system("system", "style", "be good\nand kind"), user("go\x1b[31m\x07\u202e"),
		session.AssistantMessage{Content: "two", ReasoningText: "hm\nhm", ToolRequests: []session.ToolRequest{
			{ToolCallID: "a", Name: "bash", Arguments: []byte(`{ "command": "ls" }`)},
			{ToolCallID: "b", Name: "view"},
			{ToolCallID: "c", Name: "broken", Arguments: []byte(`{`)},
		}},
		result("a", strings.Repeat("line\n", 100)), seen, session.Abort{},
		notification("agent_idle", "idle"), user(""), says(""), compacts("k"),
	)
	k.agent("A", user("look"), says("found")).agent("B", user("hear"))
	sessiontest.Golden(t, "modelview/dump", k.Dump())
	if a, b := k.Dump(), k.Dump(); a != b {
		t.Error("two dumps of one view differ")
	}
}
