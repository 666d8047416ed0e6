package tui

import (
	"fmt"
	"strings"
	"testing"

	"parley/session"
)

// inspecting is a window in which a model was told n things, with the inspector
// open on them.
func inspecting(tb testing.TB, n int) (*Model, *inspector) {
	tb.Helper()
	m := newModel(tb.Context(), Config{}, effects{})
	m.resize(80, 24)
	m.opening = false
	for i := range n {
		tellModel(m, fmt.Sprint("u", i), session.UserMessage{Content: fmt.Sprintf("prompt %d\n%s", i, strings.Repeat("more of it\n", 30))})
	}
	m.inspect(nil)
	in, ok := m.panel.body.(*inspector)
	if !ok {
		tb.Fatal("the panel is not the inspector")
	}
	in.rows(m, 79, 18)
	return m, in
}

// tellModel tells the model of the session something.
func tellModel(m *Model, id string, b session.Body) {
	m.modelView.Apply(session.Event{ID: session.EventID(id), Time: started, Body: b})
}

// TestInspectorFollows: what is unfolded stays so while more is said, and what a
// compaction takes away is gone.
func TestInspectorFollows(t *testing.T) {
	t.Parallel()
	m, in := inspecting(t, 5)
	in.press(m, "down")
	in.press(m, "enter")
	tellModel(m, "a", session.AssistantMessage{Content: "an answer"})
	shown := strings.Join(in.rows(m, 79, 18), "\n")
	if in.chosen != 1 || in.texts[1] == nil || len(in.messages) != 6 || !strings.Contains(shown, "more of it") {
		t.Errorf("message %d of %d is chosen:\n%s", in.chosen, len(in.messages), shown)
	}
	in.press(m, "end")
	tellModel(m, "k", session.SessionCompactionComplete{Success: true, SummaryContent: "short"})
	shown = strings.Join(in.rows(m, 79, 18), "\n")
	if len(in.messages) != 1 || in.chosen != 0 || in.texts[0] != nil || !strings.Contains(shown, "┊ marks what was summarised") {
		t.Errorf("message %d of %d is chosen:\n%s", in.chosen, len(in.messages), shown)
	}
}

// TestInspectorScrolls: every row comes into view by the wheel and by pages, the
// keys go along, and the ends hold.
func TestInspectorScrolls(t *testing.T) {
	t.Parallel()
	m, in := inspecting(t, 12)
	for range in.messages {
		in.press(m, "enter")
		in.press(m, "down")
	}
	for _, by := range []string{"pgdown", "wheel"} {
		in.press(m, "home")
		seen := map[string]bool{}
		for range 300 {
			for _, row := range in.rows(m, 79, 18) {
				seen[strings.TrimSpace(row)] = true
			}
			if by == "wheel" {
				in.scroll(wheelLines)
			} else {
				in.press(m, by)
			}
		}
		for i := range 12 {
			if !seen[fmt.Sprintf("prompt %d", i)] {
				t.Errorf("%s: prompt %d was never in view", by, i)
			}
		}
		if in.rows(m, 79, 18); in.chosen != 11 {
			t.Errorf("%s: message %d is chosen at the end", by, in.chosen)
		}
	}
	for range 300 {
		in.scroll(-wheelLines)
	}
	if in.rows(m, 79, 18); in.top != 0 || in.chosen != 0 {
		t.Errorf("row %d, message %d at the beginning", in.top, in.chosen)
	}
}

// TestInspectorIsBounded: a frame makes no more for ten thousand messages than for
// a hundred, and none of a long one that is unfolded.
func TestInspectorIsBounded(t *testing.T) { // not parallel: it counts allocations
	cost := func(n int) float64 {
		m, in := inspecting(t, n)
		tellModel(m, "long", session.UserMessage{Content: strings.Repeat("a long line of text\n", 10*n)})
		in.press(m, "end")
		in.rows(m, 79, 18)
		in.press(m, "end")
		in.press(m, "enter")
		in.rows(m, 79, 18)
		return testing.AllocsPerRun(20, func() { in.rows(m, 79, 18) })
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
	in.press(m, "end")
	in.rows(m, 79, 18)
	in.press(m, "end")
	in.press(m, "enter")
	for b.Loop() {
		in.rows(m, 79, 18)
	}
}
