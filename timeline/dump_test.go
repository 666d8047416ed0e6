package timeline

import (
	"testing"
	"time"

	"parley/session"
)

// TestDumpIsComplete: a field that a dump leaves out is one that no golden
// holds.
func TestDumpIsComplete(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	inner := New()
	inner.entries = []*Entry{{State: Done, Body: &Divider{Text: "Resumed"}}}
	tl := New()
	tl.entries = []*Entry{
		{State: Done, VerboseOnly: true, Body: &Notice{
			Level: Success, Category: "mcp", Text: "a", Next: "b", URL: "c", StatusCode: 5, RetryAt: at, Detail: "d\ne",
		}},
		{State: Done, At: at, End: at.Add(time.Second), Body: &Summary{
			Files: []FileChange{{Path: "a.go", Kind: "edit", Added: 2, Removed: 1}}, Added: 2, Removed: 1, Calls: 3, Commands: 2,
			Failures: 1, Turns: 4, Usage: Usage{
				Requests: 1, Input: 2, Output: 3, CacheRead: 4, CacheWrite: 5,
				Reasoning: 6, Cost: 0.5, NanoAIU: 7,
			},
			Took: time.Minute,
		}},
		{State: Failed, Body: &SessionEnd{
			Failed: true, Reason: "power cut", Took: time.Hour, Thinking: time.Minute, Premium: 1.5, Added: 1, Removed: 2,
			Files: []string{"a.go"}, Models: []ModelUse{{Model: "m", Usage: Usage{Requests: 1}}},
		}},
		{State: Failed, Body: &SessionEnd{Failed: true}},
		{State: Live, Body: &ToolCall{
			Name: "task",
			Images: []Image{
				{Name: "a", MIMEType: "image/png", Bytes: 9, Width: 3, Height: 2, Data: "AAAA"},
				{MIMEType: "image/webp"},
			},
			Agent: &Subagent{
				Name: "explore", Title: "Scout", Description: "looks", Model: "m", Background: true, State: Failed,
				At: at, End: at.Add(time.Second), Activity: "reading", Calls: 2, Tokens: 30, Error: "lost", Timeline: inner,
			},
		}},
		{State: Live, Body: &ToolCall{Name: "task", Agent: &Subagent{Title: "Scout"}}},
	}
	tl.status = Status{
		SystemTokens: 1, ToolTokens: 2, ConversationTokens: 3, Usage: Usage{Requests: 4}, Objective: "active",
		Quotas: []session.Quota{{Name: "chat", Used: 1, Limit: 2, Resets: at}},
		Catalog: Catalog{
			Skills: []string{"a", "b"}, Agents: []string{"poet"}, Servers: []CatalogItem{{Name: "files", Status: "connected", Tools: 3}},
			Extensions: []CatalogItem{{Name: "x", Status: "failed", Error: "gone"}},
		},
	}
	const want = `1 success mcp [verbose] (done)
    a
    next: b
    see: c
    status: 5
    shows when it tries again
    detail: d
            e
2 summary (done, 1s)
    calls 3 commands 2 failures 1 turns 4 added 2 removed 1
    file: edit a.go +2 -1
    used: requests 1 in 2 out 3 cached 4 written 5 thought 6 cost 0.5 nano AIU 7
    took: 1m0s
3 session end (failed)
    failed: power cut
    took: 1h0m0s
    thinking: 1m0s
    premium requests: 1.5
    lines: added 1 removed 2
    file: a.go
    model: m requests 1
4 session end (failed)
    failed: for no known reason
5 tool task (live)
    image: a image/png bytes 9 3×2
    image: image/webp (facts only)
    agent: failed explore “Scout” m in the background 1s
    described as: looks
    does: reading
    used: calls 2 tokens 30
    agent's error: lost
    | 1 divider (done)
    |     Resumed
6 tool task (live)
    agent: live “Scout”
status
    is: quiet
    context parts: system 1 tools 2 conversation 3
    turns: 0
    used: requests 4
    quota: chat 1 of 2 2026-03-02
    objective: active
    skills: a, b
    custom agents: poet
    server: files connected tools 3
    extension: x failed gone
`
	if got := tl.Dump(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
