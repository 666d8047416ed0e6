package prompts

import (
	"strings"
	"testing"

	"parley/session"
	"parley/theme"
)

// A card with long texts everywhere costs its length once; a further frame
// costs what is on the screen.
func TestFrameOfALongCard(t *testing.T) { // not parallel: it counts allocations
	th := theme.Dark()
	text := strings.Repeat("some words of a long text \n", 1000)
	for _, kind := range permissionKinds() {
		q := NewQueue()
		q.Apply(session.Event{Body: session.PermissionRequested{RequestID: "r", PermissionRequest: session.PermissionRequest{
			PermissionDetails: session.PermissionDetails{
				Kind: kind, FullCommandText: text, Intention: text, Warning: text, FileName: text, Diff: text, Path: text, URL: text,
				ServerName: text, ToolName: text, ToolTitle: text, ToolDescription: text, Subject: text, Fact: text,
				HookMessage: text, CanOfferSessionApproval: true,
			},
			Commands:      []session.ShellCommand{{Identifier: text}},
			PossiblePaths: []string{text},
		}}}, start)
		frame := func() { q.View(80, 40, th) }
		frame()
		if allocs := testing.AllocsPerRun(5, frame); allocs > 1500 {
			t.Errorf("%s: a further frame makes %.0f allocations", kind, allocs)
		}
	}
}

// permissionKinds are the kinds of requests (session.PermissionRequest), and
// an unknown one.
func permissionKinds() []string {
	return []string{
		"shell", "write", "read", "mcp", "url", "memory", "custom-tool", "hook", "extension-management", "workflow",
		"extension-permission-access", "extension-env-access", "teleport",
	}
}
