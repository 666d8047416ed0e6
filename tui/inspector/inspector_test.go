package inspector

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
	"parley/session/modelview"
	"parley/settings"
	"parley/theme"
	"parley/timeline"
	"parley/tui/keymap"
	"parley/tui/overlay"
	"parley/tui/panel"
)

// started is when the session began.
var started = time.Date(2026, 11, 21, 10, 41, 0, 0, time.UTC)

// inspecting is the inspector of a model that was sent n prompts.
func inspecting(tb testing.TB, n int) *Inspector {
	tb.Helper()
	keys, mistakes := keymap.New(settings.Keys{})
	if len(mistakes) > 0 {
		tb.Fatal(mistakes)
	}
	f := overlay.Facts{Theme: theme.Plain(), Keys: keys, Unicode: true, Width: 80, Height: 24, Now: started, Zone: time.UTC}
	in := New(f, modelview.New(), timeline.New(), nil)
	for i := range n {
		in.apply(fmt.Sprint("u", i), session.UserMessage{Content: fmt.Sprintf("prompt %d\n%s", i, strings.Repeat("more of it\n", 30))})
	}
	in.Rows(80, 18)
	return in
}

// apply adds an event to what the model sees.
func (in *Inspector) apply(id string, b session.Body) {
	in.modelView.Apply(session.Event{ID: session.EventID(id), Time: started, Body: b})
}

// TestPartial: of an agent that keeps its sessions itself the view says that it is not all.
func TestPartial(t *testing.T) {
	t.Parallel()
	const note = "The agent does not say which instructions and tools it gives the model."
	in := inspecting(t, 1)
	if shown := strings.Join(rowsOf(in, 18), "\n"); strings.Contains(shown, note) {
		t.Errorf("of an agent that reports all:\n%s", shown)
	}
	in.apply("start", session.SessionStart{AgentSessionID: "its-own"})
	in.frame()
	if shown := strings.Join(rowsOf(in, 18), "\n"); !strings.Contains(shown, note) {
		t.Errorf("of one that does not:\n%s", shown)
	}
}

// TestInspectorKeepsTheChosen: when what stands above the messages grows, as the
// agent says what fills the context, and when the window shrinks, the chosen
// message stays in view.
func TestInspectorKeepsTheChosen(t *testing.T) {
	t.Parallel()
	in := inspecting(t, 4)
	in.press("end")
	chosen := in.Theme.Glyph(theme.MarkChosen)
	for _, height := range []int{18, 18, 7, 5} {
		if shown := strings.Join(rowsOf(in, height), "\n"); !strings.Contains(shown, chosen) {
			t.Errorf("%d rows, the chosen message is not in view:\n%s", height, shown)
		}
		in.use = &session.ContextUse{Limit: 100_000, Total: 20_000, Parts: []session.ContextPart{
			{Name: "System prompt", Tokens: 9000}, {Name: "Tool definitions", Tokens: 8000}, {Name: "Messages", Tokens: 3000},
		}}
	}
}

// TestInspectorFollows: what is unfolded stays so while more is said, and what a
// compaction takes away is gone.
// rowsOf are the rows of an inspector that has so many of the screen.
func rowsOf(in *Inspector, height int) []string {
	rows, _ := in.Rows(80, height)
	return rows
}

func TestInspectorFollows(t *testing.T) {
	t.Parallel()
	in := inspecting(t, 5)
	in.press("down")
	in.press("enter")
	in.apply("a", session.AssistantMessage{Content: "an answer"})
	shown := strings.Join(rowsOf(in, 18), "\n")
	if in.chosen != 1 || in.texts[1] == nil || len(in.messages) != 6 || !strings.Contains(shown, "more of it") {
		t.Errorf("message %d of %d is chosen:\n%s", in.chosen, len(in.messages), shown)
	}
	in.press("end")
	in.apply("k", session.SessionCompactionComplete{Success: true, SummaryContent: "short"})
	shown = strings.Join(rowsOf(in, 18), "\n")
	if len(in.messages) != 1 || in.chosen != 0 || in.texts[0] != nil || !strings.Contains(shown, "┊ marks what is out of context") {
		t.Errorf("message %d of %d is chosen:\n%s", in.chosen, len(in.messages), shown)
	}
}

// TestInspectorScrolls: every row comes into view by the wheel and by pages, the
// keys go along, and the ends hold.
func TestInspectorScrolls(t *testing.T) {
	t.Parallel()
	in := inspecting(t, 12)
	for range in.messages {
		in.press("enter")
		in.press("down")
	}
	for _, by := range []string{"pgdown", "wheel"} {
		in.press("home")
		seen := map[string]bool{}
		for range 300 {
			for _, row := range rowsOf(in, 18) {
				seen[strings.Trim(row, " ↑↓")] = true
			}
			if by == "wheel" {
				in.Scroll(3)
			} else {
				in.press(by)
			}
		}
		for i := range 12 {
			if !seen[fmt.Sprintf("prompt %d", i)] {
				t.Errorf("%s: prompt %d was never in view", by, i)
			}
		}
		if in.Rows(80, 18); in.chosen != 11 {
			t.Errorf("%s: message %d is chosen at the end", by, in.chosen)
		}
	}
	for range 300 {
		in.Scroll(-3)
	}
	if in.Rows(80, 18); in.top != 0 || in.chosen != 0 {
		t.Errorf("row %d, message %d at the beginning", in.top, in.chosen)
	}
}

// TestInspectorIsBounded: a frame makes no more for ten thousand messages than for
// a hundred, and none of a long one that is unfolded.
func TestInspectorIsBounded(t *testing.T) { // not parallel: it counts allocations
	cost := func(n int) float64 {
		in := inspecting(t, n)
		in.apply("long", session.UserMessage{Content: strings.Repeat("a long line of text\n", 10*n)})
		in.press("end")
		in.Rows(80, 18)
		in.press("end")
		in.press("enter")
		in.Rows(80, 18)
		return testing.AllocsPerRun(20, func() { in.Rows(80, 18) })
	}
	if few, many := cost(100), cost(10_000); many > 1.2*few+20 {
		t.Errorf("%.0f allocations for 10 000 messages, %.0f for 100", many, few)
	}
}

// BenchmarkInspector draws frames of what a model sees, ten thousand messages of
// it, one of them a megabyte.
func BenchmarkInspector(b *testing.B) {
	in := inspecting(b, 10_000)
	in.apply("long", session.UserMessage{Content: strings.Repeat("a long line of text\n", 50_000)})
	in.press("end")
	in.Rows(80, 18)
	in.press("end")
	in.press("enter")
	for b.Loop() {
		in.Rows(80, 18)
	}
}

// TestInspectorFolds: right only unfolds, left only folds, and at the first
// message up brings what stands above it.
func TestInspectorFolds(t *testing.T) {
	t.Parallel()
	in := inspecting(t, 30)
	in.SetUse(&session.ContextUse{Limit: 10, Total: 5})
	in.Rows(80, 6)
	open := func() bool { return in.texts[in.chosen] != nil }
	for _, c := range []struct {
		key  string
		open bool
	}{{"left", false}, {"right", true}, {"right", true}, {"left", false}, {"enter", true}, {"space", false}} {
		if in.press(c.key); open() != c.open {
			t.Errorf("%s: unfolded is %t", c.key, open())
		}
	}
	if in.top == 0 {
		t.Error("the first message is not in view where there is no room for both")
	}
	if in.press("up"); in.top != 0 || in.chosen != 0 {
		t.Errorf("up at the first message: row %d, message %d", in.top, in.chosen)
	}
	in.SetUse(&session.ContextUse{Limit: 10, Total: 5, Parts: []session.ContextPart{{Name: "tools", Tokens: 5}}})
	in.Rows(80, 6)
	for _, key := range []string{"end", "down"} {
		in.press(key)
		if below := strings.Contains(strings.Join(rowsOf(in, 6), "\n"), "tools"); below != (key == "down") || in.chosen != 29 {
			t.Errorf("%s: message %d, what fills the context in view: %t", key, in.chosen, below)
		}
	}
}

// TestInspectorAgents goes through the agents both ways, and leaves one that was
// taken back.
func TestInspectorAgents(t *testing.T) {
	t.Parallel()
	in := inspecting(t, 0)
	for _, agent := range []session.AgentID{"a", "b"} {
		in.modelView.Apply(session.Event{ID: session.EventID("of " + agent), Agent: agent, Time: started, Body: session.UserMessage{Content: "look"}})
	}
	for _, c := range []struct {
		key  string
		want session.AgentID
	}{{"tab", "a"}, {"tab", "b"}, {"tab", ""}, {"shift+tab", "b"}, {"shift+tab", "a"}, {"tab", "b"}} {
		if in.press(c.key); in.agent != c.want {
			t.Errorf("%s: the agent is %q, want %q", c.key, in.agent, c.want)
		}
	}
	in.modelView.Apply(session.Event{Body: session.SessionSnapshotRewind{UpToEventID: "of a"}})
	if in.Rows(80, 18); in.agent != "" {
		t.Errorf("the agent is %q, and was taken back", in.agent)
	}
}

// TestInspectorKeepsApart: what looks alike is not taken for one another, what
// says something else is drawn anew, and the chosen message stays.
func TestInspectorKeepsApart(t *testing.T) {
	t.Parallel()
	in := inspecting(t, 0)
	for _, content := range []string{"first", "second"} { // without ids
		in.modelView.Apply(session.Event{Body: session.UserMessage{Content: content}})
	}
	in.modelView.Apply(session.Event{Body: session.AssistantMessage{Content: "I look.", ReasoningText: "Hm.", ToolRequests: []session.ToolRequest{
		{ToolCallID: "1", Name: "one"}, {ToolCallID: "2", Name: "two"},
	}}})
	in.modelView.Apply(session.Event{Body: session.ToolExecutionComplete{ToolCallID: "2", Success: true, Result: &session.ToolResult{Content: "of two"}}})
	in.Rows(80, 18)
	in.press("down")
	in.press("enter")
	in.press("down")
	in.press("enter")
	in.press("end")
	in.modelView.Apply(session.Event{Body: session.ToolExecutionComplete{ToolCallID: "1", Success: true, Result: &session.ToolResult{Content: "of one"}}})
	in.modelView.Apply(session.Event{Body: session.SessionResume{}})
	shown := strings.Join(rowsOf(in, 18), "\n")
	if in.texts[0] != nil || in.texts[1] == nil || strings.Count(shown, "second") != 2 || strings.Contains(shown, "Hm.") {
		t.Errorf("shown:\n%s", shown)
	}
	if got := in.messages[in.chosen].Text(); got != "of two" {
		t.Errorf("%q is chosen", got)
	}
}

// press presses a key.
func (in *Inspector) press(key string) { in.Act(in.Keys.Action(in.Scope(), keymap.Stroke(key))) }

// TestInspectorByMouse: the wheel scrolls it and a click unfolds a message.
func TestInspectorByMouse(t *testing.T) {
	t.Parallel()
	in := inspecting(t, 40)
	p := panel.Panel{Body: in}
	p.SetFacts(in.Facts)
	p.View(80, 20)
	p.Wheel(0, 3)
	if in.top != 3 {
		t.Errorf("the wheel led to row %d", in.top)
	}
	p.Click(tea.MouseClickMsg{Button: tea.MouseLeft, Y: 4}) // below the title
	if i := in.chosen; in.texts[i] == nil || in.rowOf(i) < in.top {
		t.Errorf("message %d was clicked on, at row %d of a view from row %d", i, in.rowOf(i), in.top)
	}
}
