package tui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"parley/session"
	"parley/settings"
	"parley/tui/conversation"
	"parley/tui/status"
)

// line is the status line as text.
func (sc *scenario) line() string {
	return strings.TrimSpace(ansi.Strip(sc.m.statusLine(sc.m.display.View.StatusFacts())))
}

// only shows these parts at the left, and nothing at the right.
func (sc *scenario) only(left ...string) { sc.m.status.Arrange(settings.Status{Left: left}) }

// said is an event without a place in the log.
func said(b session.Body) session.Event {
	return session.Event{Time: started, Ephemeral: true, Body: b}
}

// statusCases are what each part of the status line shows, and when.
func statusCases() map[string][]statusCase {
	turn := (*scenario).working
	usage := session.AssistantUsage{Model: "m", InputTokens: 41_000, OutputTokens: 950, Cost: 2.5}
	full := session.SessionUsageInfo{CurrentTokens: 31, TokenLimit: 100}
	say := func(bodies ...session.Body) func(sc *scenario) {
		return func(sc *scenario) {
			for _, b := range bodies {
				sc.say(said(b))
			}
		}
	}
	return map[string][]statusCase{
		"activity": {
			{nil, ""},
			{func(sc *scenario) { sc.readsAbove(); sc.working(); sc.wait(3 * time.Second) }, "⠹ thinking 2 s · esc esc stops"},
			{func(sc *scenario) { sc.m.win.Config.Settings.Interrupt = "single"; sc.working() }, "⠋ thinking 0 s · esc stops"},
			{func(sc *scenario) {
				if wrong := sc.m.win.Bind(settings.Keys{Bindings: map[string][]string{"interrupt": {"f7"}}}); wrong != nil {
					sc.t.Error(wrong)
				}
				sc.working()
			}, "⠋ thinking 0 s · f7 f7 stops"},
			{say(session.UserInputRequested{RequestID: "1", Question: "Which?"}), "◇ waiting for you: enlarge the window"},
			{func(sc *scenario) {
				sc.say(said(session.UserInputRequested{RequestID: "1", Question: "Which?"}))
				sc.screen()
			}, "◇ waiting for you"},
			{func(sc *scenario) {
				sc.readsAbove()
				sc.working()
				sc.run(sc.m.win.Front.Input.Interrupt())
				sc.wait(2 * time.Second)
			}, "⠇ cancelling 1 s"},
			{func(sc *scenario) { sc.step("end", "") }, "disconnected, enter reconnects"},
		},
		"rewording": {{nil, ""}, {func(sc *scenario) { sc.m.win.Front.Draft.Rewording.ID = "q" }, "editing: enter keeps it, esc does not"}},
		"allow-all": {
			{nil, ""},
			{say(session.SessionPermissionsChanged{Mode: session.AllowAll}), "▲ allow-all: nothing asks"},
			{func(sc *scenario) { sc.m.win.Config.AllowAll = true }, "▲ allow-all: nothing asks"},
		},
		"sessions": {
			{nil, ""},
			{func(sc *scenario) {
				sc.step("key", "ctrl+x w")
				sc.sayIn(0, asking("p", "git push"))
			}, "◇ queue waits for you"},
		},
		"demo":  {{nil, ""}, {func(sc *scenario) { sc.m.win.Front.Info.Demo = true }, "Copilot CLI 1.0.102"}},
		"vim":   {{nil, ""}, {func(sc *scenario) { sc.m.win.Front.Composer.SetVim(true) }, "INSERT"}},
		"mode":  {{nil, "interactive"}, {say(session.SessionModeChanged{NewMode: session.Autopilot}), "▲ autopilot"}},
		"model": {{nil, "gpt-5.4"}, {say(session.SessionModelChange{NewModel: "opus", ReasoningEffort: "high"}), "opus high"}},
		"folder": {
			{nil, "queue"},
			{say(session.SessionContextChanged{Cwd: "/home/ada/src/tide", Branch: "main"}), "tide (main)"},
		},
		"session": {{nil, ""}, {say(session.SessionTitleChanged{Title: "Why the\x1b[31m queue is slow"}), "Why the queue is slow"}},
		"queued":  {{nil, ""}, {func(sc *scenario) { sc.m.win.Front.Queue.Pending = []session.Pending{{ID: "a"}, {ID: "b"}} }, "2 queued"}},
		"background": {
			{func(sc *scenario) { sc.step("task", "agent running a Look around") }, ""}, // it is what runs
			{func(sc *scenario) { turn(sc); sc.step("task", "agent running a Look around") }, "1 agent"},
		},
		"servers": {
			{nil, ""},
			{say(session.SessionMcpServersLoaded{Servers: []session.McpServer{{Name: "x", Status: "failed"}}}), "1 server down"},
			{say(session.SessionMcpServersLoaded{Servers: []session.McpServer{{Name: "x", Status: "needs-auth"}}}), "1 server to sign in to"},
		},
		"todo": {
			{nil, ""},
			{func(sc *scenario) {
				sc.m.win.Front.Todos.Items, sc.m.win.Front.Todos.Shape = todoItems("done", "pending"), conversation.TodoHidden
			}, "to do 1/2"},
			{func(sc *scenario) {
				sc.m.win.Front.Todos.Items, sc.m.win.Front.Todos.Shape = todoItems("done", "done"), conversation.TodoHidden
			}, ""},
		},
		"spent":       {{nil, ""}, {say(usage), "2.5 premium"}},
		"tokens":      {{nil, ""}, {say(usage), "41 k in, 950 out"}},
		"model-calls": {{nil, ""}, {turn, "1 model call"}},
		"elapsed": {
			{nil, ""},
			{func(sc *scenario) { sc.working(); sc.wait(62 * time.Second) }, "turn 1 m 02 s"},
			{func(sc *scenario) { sc.working(); sc.wait(62 * time.Second); sc.idle() }, "since 10:41"},
			{func(sc *scenario) { sc.working(); sc.m.win.Pass(sc.at.Add(48 * time.Hour)) }, "turn since 2026-11-21"},
			{func(sc *scenario) { sc.working(); sc.idle(); sc.m.win.Pass(sc.at.Add(48 * time.Hour)) }, "since 2026-11-21"},
			{func(sc *scenario) {
				sc.m.win.Config.Settings.Motion = "none"
				sc.working()
				sc.m.win.Pass(sc.at.Add(time.Minute))
			}, "turn since 10:41"},
		},
		"clock": {
			{func(sc *scenario) { sc.wait(150 * time.Second) }, "10:43"},
			{func(sc *scenario) { sc.m.win.Config.Settings.Motion = "none" }, ""},
		},
		"agent": {{nil, "Copilot CLI 1.0.102"}, {func(sc *scenario) { sc.m.win.Front.Info.Demo = true }, ""}},
		"script": {
			{nil, ""},
			{func(sc *scenario) { sc.m.status.script.Ended(0, "two files", nil) }, "two files"},
			{func(sc *scenario) {
				sc.m.status.script.Ended(0, "two files", nil)
				sc.m.status.script.Ended(0, "", errors.New("x"))
			}, "~two files"},
		},
		"context": {
			{nil, ""},
			{say(full), "ctx 31 %"},
			{say(full, session.SessionModelChange{PreviousModel: "a", NewModel: "b"}), "ctx ~31 %"},
			{say(full, session.SessionModelChange{PreviousModel: "a", NewModel: "a", ReasoningEffort: "low"}), "ctx 31 %"},
			{say(full, session.SessionModelChange{NewModel: "b"}, session.SessionUsageInfo{CurrentTokens: 1, TokenLimit: 50}), "ctx 2 %"},
		},
	}
}

// statusCase is what a part shows once something has happened; "" is nothing.
type statusCase struct {
	first func(sc *scenario)
	want  string
}

// Each part shows what its documentation says, alone, at either side, and not
// where it is left out.
func TestStatusItems(t *testing.T) {
	t.Parallel()
	const left, right = "gpt-5.4 · interactive", "queue"
	sc := newScenario(t, func(c *Config) {
		c.Settings.Status = settings.Status{Left: []string{"model", "mode"}, Right: []string{"folder"}}
	})
	if !strings.HasPrefix(sc.line(), left) || !strings.HasSuffix(sc.line(), right) {
		t.Errorf("%q, want %q at the left and %q at the right", sc.line(), left, right)
	}
	cases := statusCases()
	for _, item := range status.Items() {
		if len(cases[item.Name]) == 0 {
			t.Errorf("%s has no case", item.Name)
		}
		for _, c := range cases[item.Name] {
			t.Run(item.Name+"/"+c.want, func(t *testing.T) { //nolint:tparallel // below
				t.Parallel()
				c.check(t, item)
			})
		}
	}
}

// check sees one case of an item in three status lines.
func (c statusCase) check(t *testing.T, item status.Item) {
	t.Helper()
	sc := newScenario(t, nil)
	sc.size(100, 24)
	sc.only(item.Name)
	if c.first != nil {
		c.first(sc)
	}
	sc.m.win.Front.Hint = conversation.Hint{}
	sc.only()
	without := sc.line()
	if got := c.want != "" && strings.Contains(without, c.want); got != (item.Always && c.want != "") {
		t.Errorf("left out: %q", without)
	}
	sc.only(item.Name)
	if got := sc.line(); !strings.Contains(got, c.want) || c.want == "" && got != without || c.want == "" && item.Always && got != "" {
		t.Errorf("%q is not at the left: %q", c.want, got)
	}
	sc.m.status.Arrange(settings.Status{Right: []string{item.Name}})
	if before, ok := strings.CutSuffix(sc.line(), c.want); !ok || c.want != "" && before != "" && !strings.HasSuffix(before, "  ") {
		t.Errorf("it is not %q at the right: %q", c.want, sc.line())
	}
}

// The clock asks to be called when its minute is over, and only while it is shown.
func TestStatusClock(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) { c.Settings.Status.Right = []string{"clock"} })
	sc.wait(90 * time.Second)
	if got := sc.screen(); !strings.HasSuffix(got[len(got)-1], "10:42") {
		t.Errorf("%q", got[len(got)-1])
	}
	sc.only()
	sc.wait(2 * time.Minute)
	if len(sc.timers) > 0 {
		t.Errorf("%d timers wait for nothing", len(sc.timers))
	}
}

// BenchmarkStatusLine is what the status line costs a frame.
func BenchmarkStatusLine(b *testing.B) {
	m := newBench(b)
	prefer := settings.Defaults().Status
	prefer.Left = slices.DeleteFunc(settings.StatusItems(), func(name string) bool { return slices.Contains(prefer.Right, name) })
	m.status.Arrange(prefer)
	m.frame(said(session.UserMessage{Content: "go"}), said(session.AssistantTurnStart{}),
		said(session.SessionUsageInfo{CurrentTokens: 90, TokenLimit: 100}), said(session.SessionTitleChanged{Title: "Tides"}))
	b.ReportAllocs()
	for b.Loop() {
		_ = m.statusLine(m.display.View.StatusFacts())
	}
}
