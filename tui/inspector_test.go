package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/render"
	"parley/session"
	"parley/settings"
	"parley/theme"
	"parley/timeline"
	"parley/tui/keymap"
	"parley/tui/transcript"
)

// inspecting is a window in which a model was told n things, with the inspector
// open on them.
func inspecting(tb testing.TB, n int) (*Model, *inspector) {
	tb.Helper()
	m := newModel(tb.Context(), Config{Settings: settings.Defaults()}, effects{})
	m.resize(80, 24)
	m.front.opening = false
	for i := range n {
		tellModel(m, fmt.Sprint("u", i), session.UserMessage{Content: fmt.Sprintf("prompt %d\n%s", i, strings.Repeat("more of it\n", 30))})
	}
	m.front.inspect(nil)
	in := m.front.inspecting()
	if in == nil {
		tb.Fatal("the panel is not the inspector")
	}
	in.rows(79, 18)
	return m, in
}

// tellModel tells the model of the session something.
func tellModel(m *Model, id string, b session.Body) {
	m.front.modelView.Apply(session.Event{ID: session.EventID(id), Time: started, Body: b})
}

// TestInspectorKeepsTheChosen: when what stands above the messages grows, as the
// agent says what fills the context, and when the window shrinks, the chosen
// message stays in view.
func TestInspectorKeepsTheChosen(t *testing.T) {
	t.Parallel()
	m, in := inspecting(t, 4)
	pressOn(m, in, "end")
	chosen := m.theme.Glyph(theme.MarkChosen)
	for _, height := range []int{18, 18, 7, 5} {
		if shown := strings.Join(in.rows(79, height), "\n"); !strings.Contains(shown, chosen) {
			t.Errorf("%d rows, the chosen message is not in view:\n%s", height, shown)
		}
		in.use = &session.ContextUse{Limit: 100_000, Total: 20_000, Parts: []session.ContextPart{
			{Name: "System prompt", Tokens: 9000}, {Name: "Tool definitions", Tokens: 8000}, {Name: "Messages", Tokens: 3000},
		}}
	}
}

// TestInspectorFollows: what is unfolded stays so while more is said, and what a
// compaction takes away is gone.
func TestInspectorFollows(t *testing.T) {
	t.Parallel()
	m, in := inspecting(t, 5)
	pressOn(m, in, "down")
	pressOn(m, in, "enter")
	tellModel(m, "a", session.AssistantMessage{Content: "an answer"})
	shown := strings.Join(in.rows(79, 18), "\n")
	if in.chosen != 1 || in.texts[1] == nil || len(in.messages) != 6 || !strings.Contains(shown, "more of it") {
		t.Errorf("message %d of %d is chosen:\n%s", in.chosen, len(in.messages), shown)
	}
	pressOn(m, in, "end")
	tellModel(m, "k", session.SessionCompactionComplete{Success: true, SummaryContent: "short"})
	shown = strings.Join(in.rows(79, 18), "\n")
	if len(in.messages) != 1 || in.chosen != 0 || in.texts[0] != nil || !strings.Contains(shown, "┊ marks what is out of context") {
		t.Errorf("message %d of %d is chosen:\n%s", in.chosen, len(in.messages), shown)
	}
}

// TestInspectorScrolls: every row comes into view by the wheel and by pages, the
// keys go along, and the ends hold.
func TestInspectorScrolls(t *testing.T) {
	t.Parallel()
	m, in := inspecting(t, 12)
	for range in.messages {
		pressOn(m, in, "enter")
		pressOn(m, in, "down")
	}
	for _, by := range []string{"pgdown", "wheel"} {
		pressOn(m, in, "home")
		seen := map[string]bool{}
		for range 300 {
			for _, row := range in.rows(79, 18) {
				seen[strings.TrimSpace(row)] = true
			}
			if by == "wheel" {
				in.scroll(wheelLines)
			} else {
				pressOn(m, in, by)
			}
		}
		for i := range 12 {
			if !seen[fmt.Sprintf("prompt %d", i)] {
				t.Errorf("%s: prompt %d was never in view", by, i)
			}
		}
		if in.rows(79, 18); in.chosen != 11 {
			t.Errorf("%s: message %d is chosen at the end", by, in.chosen)
		}
	}
	for range 300 {
		in.scroll(-wheelLines)
	}
	if in.rows(79, 18); in.top != 0 || in.chosen != 0 {
		t.Errorf("row %d, message %d at the beginning", in.top, in.chosen)
	}
}

// TestInspectorIsBounded: a frame makes no more for ten thousand messages than for
// a hundred, and none of a long one that is unfolded.
func TestInspectorIsBounded(t *testing.T) { // not parallel: it counts allocations
	cost := func(n int) float64 {
		m, in := inspecting(t, n)
		tellModel(m, "long", session.UserMessage{Content: strings.Repeat("a long line of text\n", 10*n)})
		pressOn(m, in, "end")
		in.rows(79, 18)
		pressOn(m, in, "end")
		pressOn(m, in, "enter")
		in.rows(79, 18)
		return testing.AllocsPerRun(20, func() { in.rows(79, 18) })
	}
	if few, many := cost(100), cost(10_000); many > 1.2*few+20 {
		t.Errorf("%.0f allocations for 10 000 messages, %.0f for 100", many, few)
	}
}

// BenchmarkInspector draws frames of what a model sees, ten thousand messages of
// it, one of them a megabyte.
func BenchmarkInspector(b *testing.B) {
	m, in := inspecting(b, 10_000)
	tellModel(m, "long", session.UserMessage{Content: strings.Repeat("a long line of text\n", 50_000)})
	pressOn(m, in, "end")
	in.rows(79, 18)
	pressOn(m, in, "end")
	pressOn(m, in, "enter")
	for b.Loop() {
		in.rows(79, 18)
	}
}

// TestInspectorFolds: right only unfolds, left only folds, and at the first
// message up brings what stands above it.
func TestInspectorFolds(t *testing.T) {
	t.Parallel()
	m, in := inspecting(t, 30)
	in.fill(&session.ContextUse{Limit: 10, Total: 5})
	in.rows(79, 6)
	open := func() bool { return in.texts[in.chosen] != nil }
	for _, c := range []struct {
		key  string
		open bool
	}{{"left", false}, {"right", true}, {"right", true}, {"left", false}, {"enter", true}, {"space", false}} {
		if pressOn(m, in, c.key); open() != c.open {
			t.Errorf("%s: unfolded is %t", c.key, open())
		}
	}
	if in.top == 0 {
		t.Error("the first message is not in view where there is no room for both")
	}
	if pressOn(m, in, "up"); in.top != 0 || in.chosen != 0 {
		t.Errorf("up at the first message: row %d, message %d", in.top, in.chosen)
	}
	in.fill(&session.ContextUse{Limit: 10, Total: 5, Parts: []session.ContextPart{{Name: "tools", Tokens: 5}}})
	in.rows(79, 6)
	for _, key := range []string{"end", "down"} {
		pressOn(m, in, key)
		if below := strings.Contains(strings.Join(in.rows(79, 6), "\n"), "tools"); below != (key == "down") || in.chosen != 29 {
			t.Errorf("%s: message %d, what fills the context in view: %t", key, in.chosen, below)
		}
	}
}

// TestInspectorAgents goes through the agents both ways, and leaves one that was
// taken back.
func TestInspectorAgents(t *testing.T) {
	t.Parallel()
	m, in := inspecting(t, 0)
	for _, agent := range []session.AgentID{"a", "b"} {
		m.front.modelView.Apply(session.Event{ID: session.EventID("of " + agent), Agent: agent, Time: started, Body: session.UserMessage{Content: "look"}})
	}
	for _, c := range []struct {
		key  string
		want session.AgentID
	}{{"tab", "a"}, {"tab", "b"}, {"tab", ""}, {"shift+tab", "b"}, {"shift+tab", "a"}, {"tab", "b"}} {
		if pressOn(m, in, c.key); in.agent != c.want {
			t.Errorf("%s: the agent is %q, want %q", c.key, in.agent, c.want)
		}
	}
	m.front.modelView.Apply(session.Event{Body: session.SessionSnapshotRewind{UpToEventID: "of a"}})
	if in.rows(79, 18); in.agent != "" {
		t.Errorf("the agent is %q, and was taken back", in.agent)
	}
}

// TestInspectorKeepsApart: what looks alike is not taken for one another, what
// says something else is drawn anew, and the chosen message stays.
func TestInspectorKeepsApart(t *testing.T) {
	t.Parallel()
	m, in := inspecting(t, 0)
	for _, content := range []string{"first", "second"} { // without ids
		m.front.modelView.Apply(session.Event{Body: session.UserMessage{Content: content}})
	}
	m.front.modelView.Apply(session.Event{Body: session.AssistantMessage{Content: "I look.", ReasoningText: "Hm.", ToolRequests: []session.ToolRequest{
		{ToolCallID: "1", Name: "one"}, {ToolCallID: "2", Name: "two"},
	}}})
	m.front.modelView.Apply(session.Event{Body: session.ToolExecutionComplete{ToolCallID: "2", Success: true, Result: &session.ToolResult{Content: "of two"}}})
	in.rows(79, 18)
	pressOn(m, in, "down")
	pressOn(m, in, "enter")
	pressOn(m, in, "down")
	pressOn(m, in, "enter")
	pressOn(m, in, "end")
	m.front.modelView.Apply(session.Event{Body: session.ToolExecutionComplete{ToolCallID: "1", Success: true, Result: &session.ToolResult{Content: "of one"}}})
	m.front.modelView.Apply(session.Event{Body: session.SessionResume{}})
	shown := strings.Join(in.rows(79, 18), "\n")
	if in.texts[0] != nil || in.texts[1] == nil || strings.Count(shown, "second") != 2 || strings.Contains(shown, "Hm.") {
		t.Errorf("shown:\n%s", shown)
	}
	if got := in.messages[in.chosen].Text(); got != "of two" {
		t.Errorf("%q is chosen", got)
	}
}

// TestInspectorByMouse: the wheel scrolls it and a click unfolds a message.
func TestInspectorByMouse(t *testing.T) {
	t.Parallel()
	m, in := inspecting(t, 40)
	m.View()
	m.wheel(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	if in.top != wheelLines {
		t.Errorf("the wheel led to row %d", in.top)
	}
	m.click(tea.MouseClickMsg{Button: tea.MouseLeft, Y: m.layout.timeline.y + over[*panel](m.shared).head + 1}, m.now)
	if i := in.chosen; in.texts[i] == nil || in.rowOf(i) < in.top {
		t.Errorf("message %d was clicked on, at row %d of a view from row %d", i, in.rowOf(i), in.top)
	}
}

// TestContextOfAnotherSession: the inspector closes with the session that it is
// of, and the figures follow what the events tell.
func TestContextOfAnotherSession(t *testing.T) {
	t.Parallel()
	m, in := inspecting(t, 3)
	in.fill(&session.ContextUse{Model: "one", Limit: 100, Total: 90})
	m.front.metered = true
	m.front.timeline.Apply(session.Event{Ephemeral: true, Body: session.SessionUsageInfo{TokenLimit: 100, CurrentTokens: 20}})
	in.SetFacts(m.overlayFacts())
	if shown := strings.Join(in.rows(79, 18), "\n"); !strings.Contains(shown, "20 of 100") {
		t.Errorf("shown:\n%s", shown)
	}
	m.front.reset()
	if over[*panel](m.shared) != nil {
		t.Error("the context of a session that is gone is shown")
	}
}

// TestOutside: what the model does not see any more is marked, also in the
// timeline of a sub-agent, and neither what it never saw nor the space before.
func TestOutside(t *testing.T) {
	t.Parallel()
	tl := timeline.New()
	for i, b := range []session.Body{
		session.UserMessage{Content: "seen"}, session.UserMessage{Content: "gone"}, session.SessionInfo{InfoType: "x", Message: "a notice"},
	} {
		tl.Apply(session.Event{ID: session.EventID(fmt.Sprint(i)), Time: started, Body: b})
	}
	p := transcript.New(tl, render.Options{Width: 20, Theme: theme.Plain()})
	p.Height = 10
	p.Outside = func(id session.EventID) bool { return id == "1" }
	p.Highlight = func(line string) string { return strings.ReplaceAll(line, "┊", "!") }
	var marked []string
	for _, line := range p.View() {
		if text, ok := strings.CutSuffix(line, "┊"); ok {
			marked = append(marked, strings.TrimSpace(text))
		}
	}
	if len(marked) != 1 || marked[0] != "▌ gone" {
		t.Errorf("marked: %q", marked)
	}
	m := newModel(t.Context(), Config{Settings: settings.Defaults()}, effects{})
	m.front.pane = p
	m.front.enterAgent(&timeline.Subagent{Timeline: timeline.New()})
	if m.front.pane.Outside == nil {
		t.Error("nothing is marked in a sub-agent")
	}
}

// pressOn presses a key on the body of a panel.
func pressOn(m *Model, body panelBody, key string) {
	body.act(m.keymap.Action(body.scope(), keymap.Stroke(key)))
}
