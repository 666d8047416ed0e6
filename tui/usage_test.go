package tui

import (
	"math"
	"strings"
	"testing"
	"time"

	"parley/render/text"

	"github.com/charmbracelet/x/ansi"

	"parley/session"
	"parley/session/sessiontest"
	"parley/tui/conversation"
	"parley/tui/panel"
	"parley/tui/reporttext"
	"parley/tui/widget"
)

// bareSession is one that can only be talked to.
type bareSession struct{ session.Session }

// bare runs a command as if the session had nothing that not every agent has.
func (sc *scenario) bare(name string) {
	sc.m.win.Front.Session = bareSession{sc.s}
	sc.step("type", name)
	sc.step("key", "enter")
	sc.m.win.Front.Session = sc.s
}

// log plays a log as it came.
func (sc *scenario) log(name string) {
	sc.t.Helper()
	sc.say(sessiontest.Log(sc.t, name)...)
}

// report is what a panel says, without its frame.
func (sc *scenario) report(width int) string {
	sc.t.Helper()
	if conversation.Over[*panel.Panel](sc.m.win) == nil {
		sc.t.Fatal("no panel is open:\n" + strings.Join(sc.screen(), "\n"))
	}
	var b strings.Builder
	for _, l := range conversation.Over[*panel.Panel](sc.m.win).Text(sc.m.win.Theme, width) {
		if w := text.Width(l); w > width+widget.Margin {
			sc.t.Errorf("%d cells of %d: %q", w, width+widget.Margin, l)
		}
		b.WriteString(strings.TrimRight(ansi.Strip(l), " ") + "\n")
	}
	return b.String()
}

// TestUsageReport: what the events say of each model, at the widths of a small
// and of a large window.
func TestUsageReport(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.log("hand/usage")
	sc.bare("/usage")
	sessiontest.Golden(t, "tui/usage_137", sc.report(137))
	sessiontest.Golden(t, "tui/usage_77", sc.report(77))
	sessiontest.Golden(t, "tui/usage_40", sc.report(40))
	for width := range 40 {
		sc.report(width)
	}
}

// TestUsageFacts: what the agent counts, with what only the events hold.
func TestUsageFacts(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	yes, no := true, false
	sc.say(
		session.Event{Ephemeral: true, Body: session.AssistantUsage{Model: "a", InputTokens: 1, Duration: 2400}},
		session.Event{Ephemeral: true, Body: session.AssistantUsage{Model: "a", Initiator: "sub-agent"}},
		session.Event{Body: session.SessionCompactionComplete{CompactionTokensUsed: &session.CompactionTokensUsed{Input: 500, Output: 6}}},
	)
	sc.m.win.Front.Reports.OpenUsage(reporttext.AskedUsage(sc.m.win.Front.Timeline, session.Usage{
		Requests: 3, Cost: 1.5, CostUnit: "AI credits", APITime: 95 * time.Second, Started: started,
		Models: []session.ModelTotal{
			{Model: "a", Requests: 3, Cost: 1, Tokens: session.ModelUsage{InputTokens: 1000, OutputTokens: 20, ReasoningTokens: 5}},
			{Model: "b", Requests: 1, Cost: 0.5, Tokens: session.ModelUsage{InputTokens: 234, CacheReadTokens: 200}},
		},
		Quotas: []session.Quota{
			{Name: "chat_requests", Used: 2.5, Limit: 300, Overage: 12, UsageAllowed: &yes, OverageAllowed: &no, Resets: started},
			{Name: "odd", Used: 1},
		},
	}, sc.m.win.Zone))
	sessiontest.Golden(t, "tui/usage_asked", sc.report(77))
}

// TestUsageWithoutRecords: of a log that holds no usage, the messages say what
// they took, and the turns how often a model was called.
func TestUsageWithoutRecords(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.bare("/usage")
	sc.contains("This agent has not reported what it used.")
	sc.say(
		session.Event{ID: "p", Body: session.UserMessage{Content: "go"}},
		session.Event{ID: "t", Body: session.AssistantTurnStart{}},
		session.Event{ID: "m", Body: session.AssistantMessage{MessageID: "m", Content: "x", OutputTokens: 1200}},
		session.Event{ID: "c", Body: session.ToolExecutionStart{ToolCallID: "c", ToolName: "task"}},
		session.Event{ID: "s", Agent: "A", Body: session.SubagentStarted{ToolCallID: "c", AgentName: "explore"}},
		session.Event{ID: "u", Agent: "A", Body: session.AssistantTurnStart{}},
		session.Event{ID: "n", Agent: "A", Body: session.AssistantMessage{MessageID: "n", Content: "y", OutputTokens: 40}},
	)
	sc.bare("/usage")
	for _, want := range []string{
		"model calls    1, and 1 by sub-agents (2 in all)", "output tokens  1 240 by the messages",
		"not known      input, cache and cost: this log has no usage records",
	} {
		if got := sc.report(77); !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	sc.only("tokens")
	if got := sc.line(); !strings.HasSuffix(got, "· 1.2 k out") {
		t.Errorf("the status line says %q", got)
	}
	sc.step("key", "esc")
	sc.say(session.Event{Ephemeral: true, Body: session.AssistantUsage{Model: "a", InputTokens: 9, OutputTokens: 10}})
	sc.bare("/usage")
	if got := sc.report(77); !strings.Contains(got, "1 240 by the messages; the table is of the calls with") ||
		strings.Contains(got, "not known") || !strings.Contains(got, "tokens out         10") {
		t.Errorf("got\n%s", got)
	}
}

// TestUsageInMoney: what an agent reports in a currency is shown as it says, and stays until it says anew.
func TestUsageInMoney(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.say(
		session.Event{ID: "t", Body: session.AssistantTurnStart{}},
		session.Event{Ephemeral: true, Body: session.SessionUsageInfo{
			CurrentTokens: 1, TokenLimit: 9, Cost: &session.Money{Amount: 0.009084000000000002, Currency: "USD"},
		}},
		session.Event{Ephemeral: true, Body: session.SessionUsageInfo{CurrentTokens: 2, TokenLimit: 9}},
	)
	sc.bare("/usage")
	if got := sc.report(77); !strings.Contains(got, "cost         0.0091 USD") {
		t.Errorf("got\n%s", got)
	}
}

// TestSessionReport: what the session is, with where its repository and its last
// checkpoint are, who handles it with which tools, and how much is in the context.
func TestSessionReport(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.log("hand/usage")
	sc.command("/session")
	sessiontest.Golden(t, "tui/session_77", sc.report(77))
	sc.say(
		session.Event{ID: "s", Body: session.SubagentSelected{AgentName: "r", Tools: strings.Fields(strings.Repeat("a_tool_with_a_name ", 40))}},
		session.Event{ID: "e", Body: session.SessionShutdown{CurrentModel: "gpt-5.4-nano"}},
	)
	got := sc.report(77)
	for _, want := range []string{"handled by    r\n", "\n                a_tool_with_a_name", "…\n", "model         gpt-5.4-nano\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "a_tool_with_a_name"); n < 12 || n > 40 {
		t.Errorf("%d tools are named in\n%s", n, got)
	}
	sc.step("key", "esc")
	sc.command("/context")
	sc.contains("in context  42 messages")
}

// TestUsageOfAnything: no number and no name makes a line wider than the window,
// or unreadable.
func TestUsageOfAnything(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	hostile := "\x1b[31mred\x1b]0;title\a\n\u202e" + strings.Repeat("long ", 400)
	odd := session.AssistantUsage{
		Model: hostile, Initiator: hostile, InputTokens: math.MaxInt, OutputTokens: -1, Cost: math.Inf(1), Duration: 1e12,
		CopilotUsage: &session.CopilotUsage{TotalNanoAIU: 1, TokenDetails: []session.TokenDetail{
			{TokenType: hostile, TokenCount: math.MaxInt, CostPerBatch: math.MaxFloat64, BatchSize: 1}, {TokenCount: 1},
		}},
		QuotaSnapshots: map[string]session.QuotaSnapshot{
			hostile: {UsedRequests: math.MaxFloat64, Overage: 1e300, EntitlementRequests: math.NaN(), ResetDate: hostile},
		},
	}
	for range 70 {
		odd.Model += "x"
		sc.say(session.Event{Ephemeral: true, Body: odd})
	}
	sc.m.win.Front.Reports.OpenUsage(reporttext.ReportedUsage(sc.m.win.Front.Timeline, sc.m.win.Zone))
	for _, width := range []int{1, 2, 7, 20, 77, 137} {
		if got := sc.report(width); strings.ContainsAny(got, "\x1b\a\u202e") {
			t.Errorf("at %d: %q", width, got)
		}
	}
}
