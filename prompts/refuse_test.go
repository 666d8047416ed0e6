package prompts

import (
	"fmt"
	"strings"
	"testing"

	"parley/render/text"
	"parley/session"
	"parley/session/sessiontest"
)

// TestRefusals prints what the agent and the user read of each question that
// has no dialog. It never holds what would drive a terminal, and never much.
func TestRefusals(t *testing.T) {
	t.Parallel()
	long := "x\x1b[2J\n\u202e" + strings.Repeat("long ", 200)
	var b strings.Builder
	for _, a := range []session.Ask{
		session.SamplingRequested{
			ServerName: "tst",
			Sampling:   []byte(`{"messages":[{"role":"user","content":{"type":"text","text":"Say\n hi"}}],"maxTokens":50}`),
		},
		session.SamplingRequested{ServerName: "tst", Sampling: []byte(`{"messages":[]}`)},
		session.SamplingRequested{ServerName: long, Sampling: []byte(`{"messages":[{"content":{"text":` + quoteJSON(long) + `}}]}`)},
		session.ExternalToolRequested{ToolName: "get_weather"},
		session.ExternalToolRequested{ToolName: long},
		session.CommandQueued{Command: "/deploy now"},
		session.CommandExecute{Command: "/deploy now", CommandName: "deploy"},
		session.CommandExecute{CommandName: "deploy"},
		session.McpHeadersRefreshRequired{ServerName: "web", Reason: "startup"},
		session.McpHeadersRefreshRequired{ServerName: "web", Reason: "ttl-expired"},
		session.McpHeadersRefreshRequired{ServerName: "web", Reason: "auth-failed"},
		session.McpHeadersRefreshRequired{ServerName: "web", Reason: "?"},
	} {
		feedback, notice := refusal(a)
		if notice != Notice(a) {
			t.Errorf("%T: two notices", a)
		}
		if text.Sanitize(notice) != notice || len(notice) > 400 || strings.Contains(notice, "\n") {
			t.Errorf("%T: not safe, or too long: %q", a, notice)
		}
		fmt.Fprintf(&b, "%T\n  agent:  %.200q\n  person: %s\n", a, feedback, notice)
	}
	sessiontest.Golden(t, "prompts/refusals", b.String())
}

func quoteJSON(s string) string {
	return `"` + strings.NewReplacer("\x1b", `\u001b`, "\n", `\n`).Replace(s) + `"`
}
