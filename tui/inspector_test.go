package tui

import (
	"fmt"
	"strings"
	"testing"

	"parley/render"
	"parley/session"
	"parley/settings"
	"parley/theme"
	"parley/timeline"
	"parley/tui/panel"
	"parley/tui/transcript"
)

// TestContextOfAnotherSession: the inspector closes with the session that it is
// of, and the figures follow what the events tell.
func TestContextOfAnotherSession(t *testing.T) {
	t.Parallel()
	m := newModel(t.Context(), Config{Settings: settings.Defaults()}, effects{})
	m.resize(80, 24)
	m.front.opening = false
	m.front.modelView.Apply(session.Event{ID: "u", Time: started, Body: session.UserMessage{Content: "a prompt"}})
	m.front.reports.inspect(nil)
	in := m.front.reports.inspecting()
	in.SetUse(&session.ContextUse{Model: "one", Limit: 100, Total: 90})
	m.front.metered = true
	m.front.timeline.Apply(session.Event{Ephemeral: true, Body: session.SessionUsageInfo{TokenLimit: 100, CurrentTokens: 20}})
	in.SetFacts(m.tabs.overlayFacts())
	if shown := strings.Join(in.Rows(79, 18), "\n"); !strings.Contains(shown, "20 of 100") {
		t.Errorf("shown:\n%s", shown)
	}
	m.front.reset()
	if over[*panel.Panel](m.win) != nil {
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
	m.front.pane.Enter(&timeline.Subagent{Timeline: timeline.New()})
	if m.front.pane.Outside == nil {
		t.Error("nothing is marked in a sub-agent")
	}
}
