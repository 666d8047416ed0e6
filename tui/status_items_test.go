package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"parley/render"
	"parley/session"
	"parley/settings"
	"parley/tui/widget"
)

// line is the status line as text.
func (sc *scenario) line() string { return strings.TrimSpace(ansi.Strip(sc.m.statusLine())) }

// only shows these parts at the left, and nothing at the right.
func (sc *scenario) only(left ...string) { sc.m.status.arrange(settings.Status{Left: left}) }

// said is an event without a place in the log.
func said(b session.Body) session.Event {
	return session.Event{Time: started, Ephemeral: true, Body: b}
}

// statusCases are what each part of the status line tells, and when.
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
			{func(sc *scenario) { sc.working(); sc.wait(3 * time.Second) }, "⠹ thinking 3 s · esc esc stops"},
			{func(sc *scenario) { sc.m.config.Settings.Interrupt = "single"; sc.working() }, "⠋ thinking 0 s · esc stops"},
			{func(sc *scenario) {
				if wrong := sc.m.bind(settings.Keys{Bindings: map[string][]string{"interrupt": {"f7"}}}); wrong != nil {
					sc.t.Error(wrong)
				}
				sc.working()
			}, "⠋ thinking 0 s · f7 f7 stops"},
			{say(session.UserInputRequested{RequestID: "1", Question: "Which?"}), "◇ waiting for you: enlarge the window"},
			{func(sc *scenario) {
				sc.say(said(session.UserInputRequested{RequestID: "1", Question: "Which?"}))
				sc.screen()
			}, "◇ waiting for you"},
			{func(sc *scenario) { sc.working(); sc.run(sc.m.interrupt()); sc.wait(2 * time.Second) }, "⠇ cancelling 2 s"},
			{func(sc *scenario) { sc.step("end", "") }, "lost, enter reconnects"},
		},
		"rewording": {{nil, ""}, {func(sc *scenario) { sc.m.rewording.ID = "q" }, "rewording: enter keeps it, esc does not"}},
		"allow-all": {
			{nil, ""},
			{say(session.SessionPermissionsChanged{Mode: session.AllowAll}), "allow-all: nothing asks"},
			{func(sc *scenario) { sc.m.config.AllowAll = true }, "allow-all: nothing asks"},
		},
		"sessions": {
			{nil, ""},
			{func(sc *scenario) {
				sc.step("key", "ctrl+x w")
				sc.tell(0, asking("p", "git push"))
			}, "◇ queue waits for you"},
		},
		"demo":  {{nil, ""}, {func(sc *scenario) { sc.m.info.Demo = true }, "Copilot CLI 1.0.102"}},
		"vim":   {{nil, ""}, {func(sc *scenario) { sc.m.composer.editor.SetVim(true) }, "INSERT"}},
		"mode":  {{nil, "interactive"}, {say(session.SessionModeChanged{NewMode: session.Autopilot}), "autopilot"}},
		"model": {{nil, "gpt-5.4"}, {say(session.SessionModelChange{NewModel: "opus", ReasoningEffort: "high"}), "opus high"}},
		"folder": {
			{nil, "queue"},
			{say(session.SessionContextChanged{Cwd: "/home/ada/src/tide", Branch: "main"}), "tide (main)"},
		},
		"session": {{nil, ""}, {say(session.SessionTitleChanged{Title: "Why the\x1b[31m queue is slow"}), "Why the queue is slow"}},
		"waiting": {{nil, ""}, {func(sc *scenario) { sc.m.pending = []session.Pending{{ID: "a"}, {ID: "b"}} }, "2 waiting"}},
		"besides": {
			{func(sc *scenario) { sc.step("task", "agent running a Look around") }, ""}, // it is what goes on
			{func(sc *scenario) { turn(sc); sc.step("task", "agent running a Look around") }, "1 agent"},
		},
		"servers": {
			{nil, ""},
			{say(session.SessionMcpServersLoaded{Servers: []session.McpServer{{Name: "x", Status: "failed"}}}), "1 server down"},
			{say(session.SessionMcpServersLoaded{Servers: []session.McpServer{{Name: "x", Status: "needs-auth"}}}), "1 server to sign in to"},
		},
		"todo": {
			{nil, ""},
			{func(sc *scenario) { sc.m.todos.items, sc.m.todos.shape = todoItems("done", "pending"), todoHidden }, "to do 1/2"},
			{func(sc *scenario) { sc.m.todos.items, sc.m.todos.shape = todoItems("done", "done"), todoHidden }, ""},
		},
		"spent":  {{nil, ""}, {say(usage), "2.5 premium"}},
		"tokens": {{nil, ""}, {say(usage), "41 k in, 950 out"}},
		"turns":  {{nil, ""}, {turn, "1 turn"}},
		"elapsed": {
			{nil, ""},
			{func(sc *scenario) { sc.working(); sc.wait(62 * time.Second) }, "turn 1 m 02 s"},
			{func(sc *scenario) { sc.working(); sc.wait(62 * time.Second); sc.idle() }, "since 10:41"},
			{func(sc *scenario) { sc.working(); sc.m.pass(sc.at.Add(48 * time.Hour)) }, "turn since 2026-11-21"},
			{func(sc *scenario) { sc.working(); sc.idle(); sc.m.pass(sc.at.Add(48 * time.Hour)) }, "since 2026-11-21"},
			{func(sc *scenario) {
				sc.m.config.Settings.Motion = "none"
				sc.working()
				sc.m.pass(sc.at.Add(time.Minute))
			}, "turn since 10:41"},
		},
		"clock": {
			{func(sc *scenario) { sc.wait(150 * time.Second) }, "10:43"},
			{func(sc *scenario) { sc.m.config.Settings.Motion = "none" }, ""},
		},
		"agent": {{nil, "Copilot CLI 1.0.102"}, {func(sc *scenario) { sc.m.info.Demo = true }, ""}},
		"script": {
			{nil, ""},
			{func(sc *scenario) { sc.m.status.script.text = "two files" }, "two files"},
			{func(sc *scenario) { sc.m.status.script = script{text: "two files", stale: true} }, "~two files"},
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

// statusCase is what a part tells once something has happened; "" is nothing.
type statusCase struct {
	first func(sc *scenario)
	want  string
}

// Each part tells what its documentation says, alone, at either side, and not
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
	ranks := map[int]string{}
	for _, part := range StatusItems() {
		if other := ranks[part.Rank]; other != "" || part.Tells == "" {
			t.Errorf("%s has the rank of %q, or says nothing of itself", part.Name, other)
		}
		ranks[part.Rank] = part.Name
		if len(cases[part.Name]) == 0 {
			t.Errorf("%s has no case", part.Name)
		}
		for _, c := range cases[part.Name] {
			t.Run(part.Name+"/"+c.want, func(t *testing.T) { //nolint:tparallel // below
				t.Parallel()
				part.check(t, c)
			})
		}
	}
}

// check sees one case of a part in four status lines.
func (i StatusItem) check(t *testing.T, c statusCase) {
	t.Helper()
	sc := newScenario(t, nil)
	sc.size(100, 24)
	sc.only(i.Name)
	if c.first != nil {
		c.first(sc)
	}
	sc.m.hint = hint{}
	tells := func() string { return i.make(sc.m.statusFacts()).text }
	if got := tells(); got != c.want && render.SanitizeLine(got) != c.want {
		t.Fatalf("it tells %q, want %q", got, c.want)
	}
	if !strings.Contains(sc.line(), c.want) {
		t.Errorf("%q is not at the left: %q", c.want, sc.line())
	}
	sc.m.status.arrange(settings.Status{Right: []string{i.Name}})
	if !strings.HasSuffix(sc.line(), c.want) {
		t.Errorf("%q is not at the right: %q", c.want, sc.line())
	}
	sc.only()
	if got := c.want != "" && strings.Contains(sc.line(), c.want); got != (i.Standing && c.want != "") {
		t.Errorf("left out: %q", sc.line())
	}
}

// The names are those of the settings, in their order, and the defaults are
// among them.
func TestStatusNames(t *testing.T) {
	t.Parallel()
	var names []string
	for _, part := range StatusItems() {
		names = append(names, part.Name)
	}
	if want := settings.StatusItems(); !slices.Equal(names, want) {
		t.Errorf("the table has %q\nthe settings %q", names, want)
	}
	usual := settings.Defaults().Status
	for _, name := range slices.Concat(usual.Left, usual.Right) {
		if !slices.Contains(names, name) {
			t.Errorf("%q is shown by default and is no part", name)
		}
	}
}

// The parts come in the order of the settings, each once, and what stands comes
// first where it is not among them.
func TestStatusOrder(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.size(100, 24)
	sc.say(said(session.SessionUsageInfo{CurrentTokens: 31, TokenLimit: 100}), said(session.SessionTitleChanged{Title: "Tides"}))
	for _, c := range []struct{ left, right, want string }{
		{"mode model", "", "interactive · gpt-5.4"},
		{"model mode", "", "gpt-5.4 · interactive"},
		{"model model mode", "model", "gpt-5.4 · interactive"},
		{"model nothing", "", "gpt-5.4"},
		{"", "", ""},
		{"", "model context", "gpt-5.4 · ctx 31 %"},
		{"context session", "mode", "ctx 31 % · Tides" + strings.Repeat(" ", 97-16-11) + "interactive"},
	} {
		sc.m.status.arrange(settings.Status{Left: strings.Fields(c.left), Right: strings.Fields(c.right)})
		if got := sc.line(); got != c.want {
			t.Errorf("left %q, right %q: %q, want %q", c.left, c.right, got, c.want)
		}
	}
	sc.m.config.AllowAll = true
	if got := sc.line(); !strings.HasPrefix(got, "allow-all: nothing asks · ctx") {
		t.Errorf("what must be known of is not first: %q", got)
	}
	sc.only("mode", "allow-all")
	if got := sc.line(); got != "interactive · allow-all: nothing asks" {
		t.Errorf("it has a place of its own: %q", got)
	}
}

// However wide the line and whatever is chosen for it, it is never too wide, and
// what must be known of is there as long as there is room for it.
func TestStatusLineFits(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, func(c *Config) { c.AllowAll = true })
	sc.working()
	sc.say(
		said(session.SessionMcpServersLoaded{Servers: []session.McpServer{{Name: "x", Status: "failed"}}}),
		said(session.SessionUsageInfo{CurrentTokens: 90, TokenLimit: 100}),
		said(session.AssistantUsage{Model: "m", InputTokens: 41_000, OutputTokens: 950, Cost: 2.5}),
		said(session.SessionTitleChanged{Title: strings.Repeat("潮汐 👩‍🚀 ", 40)}),
		said(session.UserInputRequested{RequestID: "1", Question: "Which?"}),
	)
	sc.m.pending = []session.Pending{{ID: "q"}}
	sc.m.status.script.text = strings.Repeat("long ", 500)
	names := rapid.SliceOfDistinct(rapid.SampledFrom(settings.StatusItems()), rapid.ID[string])
	rapid.Check(t, func(rt *rapid.T) {
		width := rapid.IntRange(0, 200).Draw(rt, "width")
		left, right := names.Draw(rt, "left"), names.Draw(rt, "right")
		sc.m.status.arrange(settings.Status{Left: left, Right: right})
		sc.m.width = width
		line := sc.m.statusLine()
		if w := render.Width(line); w > max(width, widget.Margin) {
			rt.Fatalf("%d cells of %d: %q", w, width, line)
		}
		for least, want := range map[int]string{widget.Margin + 9 + 1: "allow-all", widget.Margin + 9 + 3 + 17 + 1: "waiting for you"} {
			if width >= least && !strings.Contains(line, want) {
				rt.Fatalf("at %d columns %q is not in %q", width, want, line)
			}
		}
	})
}

// A part that is megabytes long costs no more than what is shown of it.
func TestStatusLineIsBounded(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.say(said(session.SessionContextChanged{Cwd: "/x", Branch: strings.Repeat("\x1b]0;x\a", 1<<20)}))
	if got := sc.m.statusNow(80); slices.ContainsFunc(got, func(i item) bool { return len(i.text) > 16*80 }) {
		t.Errorf("%d parts, one of them longer than the line", len(got))
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
	m.status.arrange(prefer)
	m.frame(said(session.UserMessage{Content: "go"}), said(session.AssistantTurnStart{}),
		said(session.SessionUsageInfo{CurrentTokens: 90, TokenLimit: 100}), said(session.SessionTitleChanged{Title: "Tides"}))
	b.ReportAllocs()
	for b.Loop() {
		_ = m.statusLine()
	}
}
