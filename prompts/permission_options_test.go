package prompts

import (
	"fmt"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// agentOptions are options of an agent, in an order in which what is meant for good comes first.
func agentOptions() []session.PermissionOption {
	return []session.PermissionOption{
		{ID: "all", Name: "Allow for this session", Kind: session.AllowAlways},
		{ID: "one", Name: "Allow\x1b[31m", Kind: session.AllowOnce},
		{ID: "odd", Name: "Allow and never look back", Kind: "allow_everything"},
		{ID: "no", Name: "Reject", Kind: session.RejectOnce},
		{ID: "never", Name: "Reject from now on", Kind: session.RejectAlways},
	}
}

// TestAgentOptions: each option is on the card by its name, what is meant for once has a key, and all else
// that allows takes a second one.
func TestAgentOptions(t *testing.T) {
	t.Parallel()
	r := shell("make it")
	r.Options = agentOptions()
	bare := session.PermissionRequested{RequestID: "r1", Options: agentOptions()[:2]}
	bare.PermissionRequest.Kind, bare.PermissionRequest.ToolTitle = "custom-tool", "Something"
	var b strings.Builder
	for _, ask := range []session.PermissionRequested{r, bare} {
		for _, width := range []int{60, 100} {
			d := newDesk(t)
			d.width = width
			d.ready(ask)
			fmt.Fprintf(&b, "-- %d\n%s\n", width, d.text())
		}
	}
	sessiontest.Golden(t, "prompts/agent_options", b.String())
	for _, tt := range []struct {
		keys     string
		option   string
		decision session.Decision
	}{
		{"y", "one", session.ApproveOnce},
		{"2 enter", "all", session.ApproveForSession},
		{"3 enter", "odd", session.ApproveForSession},
		{"n enter", "no", session.Reject},
		{"5 enter", "never", session.Reject},
	} {
		d := newDesk(t)
		d.ready(r)
		d.press(strings.Fields(tt.keys)...)
		a, ok := d.answer().(session.PermissionAnswer)
		if !ok || a.OptionID != tt.option || a.Decision != tt.decision {
			t.Errorf("%s answers %+v", tt.keys, a)
		}
	}
	for _, keys := range []string{"2", "3", "5"} {
		d := newDesk(t)
		d.ready(r)
		d.press(keys)
		d.none()
	}
	d := newDesk(t)
	d.ready(bare)
	d.press("y") // it does not say what it is about
	d.none()
}
