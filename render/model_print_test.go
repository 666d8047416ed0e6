package render_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/render"
	"parley/render/text"
	"parley/session"
	"parley/session/modelview"
	"parley/theme"
)

// TestPrintModelOdd are texts and widths that TestPrintModelHostile met: marks
// without anything to stand on.
func TestPrintModelOdd(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"\t\u0600", "\u0300", " \u0300", "a      \u0600", "\x1b\u0301"} {
		for width := 4; width < 12; width++ {
			p := project([]session.Event{
				{ID: "1", Body: session.SystemMessage{Role: "developer", Name: s, Content: s}},
				{ID: "2", Body: session.UserMessage{Content: s, Source: s}},
				{ID: "3", Body: session.AssistantMessage{Content: s, ToolRequests: []session.ToolRequest{{Name: s}}}},
			})
			checkModel(t, p, width)
			if coloured := ansi.Strip(p.printed(t, width, theme.Dark())); coloured != p.printed(t, width, theme.Plain()) {
				t.Errorf("%q, width %d: without its colours it is another text:\n%q", s, width, coloured)
			}
			for i, m := range p.view.Messages() {
				coloured := render.MessageHead(m, i+1, 3, width, theme.Dark())
				same := ansi.Strip(coloured) == render.MessageHead(m, i+1, 3, width, theme.Plain())
				if text.Width(coloured) > width || !same && !strings.Contains(s, "\u0600") { // it takes the … to itself
					t.Errorf("%q, width %d: without its colours it is another head: %q", s, width, coloured)
				}
			}
		}
	}
}

// TestPrintModelAgents: a sub-agent has the name that the timeline knows, and one
// that sees nothing is left out.
func TestPrintModelAgents(t *testing.T) {
	t.Parallel()
	got := project([]session.Event{
		{ID: "1", Body: session.UserMessage{Content: "Look."}},
		{ID: "1a", Agent: "gone", Body: session.UserMessage{Content: "Look."}},
		{ID: "2", Agent: "gone", Body: session.SessionContextCleared{}},
		{ID: "3", Body: session.ToolExecutionStart{ToolCallID: "c", ToolName: "task"}},
		{ID: "4", Agent: "a", Body: session.SubagentStarted{ToolCallID: "c", AgentName: "explore"}},
		{ID: "5", Agent: "a", Body: session.UserMessage{Content: "Look well."}},
		{ID: "6", Agent: "b", Body: session.UserMessage{Content: "Look far."}},
	})
	if len(got.view.Agents()) != 3 {
		t.Fatalf("agents: %q", got.view.Agents())
	}
	const want = `What the model sees  1 message · 5 bytes

1  user  5 bytes
   Look.


What the sub-agent explore sees  1 message · 10 bytes

1  user  10 bytes
   Look well.


What the sub-agent b sees  1 message · 9 bytes

1  user  9 bytes
   Look far.
`
	inLine := regexp.MustCompile(`(\S) {2,}`)
	out := strings.ReplaceAll(got.printed(t, 80, theme.Plain()), theme.Plain().Glyph(theme.MarkSubAgent)+" ", "")
	if out = inLine.ReplaceAllString(out, "$1  "); out != want {
		t.Errorf("got\n%s", out)
	}
}

// TestModelWhole: the rows of a text hold every blank of it, and tokens in one
// piece where there is room.
func TestModelWhole(t *testing.T) {
	t.Parallel()
	const source = "  words  of a text   \x1bM that goes   on \n   \n and  on\u202eand on"
	want := strings.ReplaceAll(text.SanitizeShowHidden(source), "\n", "")
	for width := 1; width < 60; width++ {
		text := render.NewMessageText(modelview.Message{Content: []modelview.Part{{Text: source}}}, 0)
		rows := text.Rows(0, text.Layout(width), theme.Plain())
		all := strings.Join(rows, "")
		if all != want {
			t.Errorf("width %d: got %q", width, rows)
		}
		for token, n := range map[string]int{"⟦ESC⟧": 5, "⟦U+202E⟧": 8} {
			if whole := slices.ContainsFunc(rows, func(r string) bool { return strings.Contains(r, token) }); whole != (width >= n) {
				t.Errorf("width %d: %s in one piece: %t", width, token, whole)
			}
		}
	}
}
