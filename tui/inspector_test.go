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
	"parley/tui/conversation"
	"parley/tui/panel"
	"parley/tui/transcript"
)

// TestContextOfAnotherSession: the inspector closes with the session that it is
// of, and the figures follow what the events say.
func TestContextOfAnotherSession(t *testing.T) {
	t.Parallel()
	m := newModel(t.Context(), Config{Settings: settings.Defaults()}, conversation.Effects{})
	m.display.Resize(80, 24)
	m.win.Front.Opening = false
	m.win.Front.ModelView.Apply(session.Event{ID: "u", Time: started, Body: session.UserMessage{Content: "a prompt"}})
	m.win.Front.Reports.Inspect(nil)
	in := m.win.Front.Reports.Inspecting()
	in.SetUse(&session.ContextUse{Model: "one", Limit: 100, Total: 90})
	m.win.Front.Metered = true
	m.win.Front.Timeline.Apply(session.Event{Ephemeral: true, Body: session.SessionUsageInfo{TokenLimit: 100, CurrentTokens: 20}})
	in.SetFacts(m.tabs.overlayFacts())
	rows, _ := in.Rows(80, 18)
	if shown := strings.Join(rows, "\n"); !strings.Contains(shown, "20 of 100") {
		t.Errorf("shown:\n%s", shown)
	}
	m.win.Front.Reset()
	if conversation.Over[*panel.Panel](m.win) != nil {
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
	m := newModel(t.Context(), Config{Settings: settings.Defaults()}, conversation.Effects{})
	m.win.Front.Pane = p
	m.win.Front.Pane.Enter(&timeline.Subagent{Timeline: timeline.New()})
	if m.win.Front.Pane.Outside == nil {
		t.Error("nothing is marked in a sub-agent")
	}
}
