package render_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/render"
	"parley/session"
	"parley/theme"
	"parley/timeline"
)

// TestPrompts draws what a message of the user's says and what came along with
// it, of whichever source it is.
func TestPrompts(t *testing.T) {
	t.Parallel()
	attached := []session.Attachment{
		{Type: "file", Path: "/src/a.go", DisplayName: "a.go", LineRange: &session.LineRange{Start: 3, End: 4}},
		{Type: "directory", Path: "/src", DisplayName: "src"},
		{
			Type: "selection", FilePath: "/src/x.ts", DisplayName: "x.ts", Text: "wait();",
			Selection: jsontext.Value(`{"start":{"line":9,"character":0},"end":{"line":19,"character":1}}`),
		},
		{Type: "github_reference", Number: 123, Title: "Fix the queue", State: "open", URL: "https://github.com/acme/queue/issues/123"},
	}
	const (
		chips = "[a.go:3-4] [src] [x.ts:10-20] [#123 Fix the queue · open]"
		more  = "wait();|https://github.com/acme/queue/issues/123"
	)
	for name, tt := range map[string]struct {
		m    session.UserMessage
		want string // lines, folded
		more string // lines that only unfolding shows
	}{
		"alone":             {session.UserMessage{Content: "go", Delivery: session.DeliveredIdle}, "▌ go", ""},
		"steering":          {session.UserMessage{Content: "go", Delivery: session.DeliveredSteering}, "▌ go|▌ read at the next step", ""},
		"queued":            {session.UserMessage{Content: "go", Delivery: session.DeliveredQueued}, "▌ go|▌ read after the turn", ""},
		"in plan mode":      {session.UserMessage{Content: "go", AgentMode: session.Plan}, "▌ go|▌ plan mode", ""},
		"with attachments":  {session.UserMessage{Content: "go", Attachments: attached}, "▌ go|▌ " + chips + " ⋯", more},
		"attachments alone": {session.UserMessage{Attachments: attached[:2]}, "▌ [a.go:3-4] [src]", ""},
		"of a source":       {session.UserMessage{Content: "go", Source: "schedule-1"}, "i schedule-1: go", ""},
		"of a source, with all": {
			session.UserMessage{Content: "go", Source: "schedule-1", Attachments: attached, AgentMode: session.Plan, Delivery: session.DeliveredQueued},
			"i schedule-1: go|  " + chips + " · read after the turn · plan mode ⋯", more,
		},
		"of an agent": {session.UserMessage{Content: "go", Source: "agent-a", Attachments: attached[:1]}, "◆ agent: go|  [a.go:3-4]", ""},
		"with fields of the wrong type": {decoded(t, `{"content":"go","delivery":7,"agentMode":{},"source":null,"attachments":[
			{"type":"github_reference","number":"123","title":["x"],"state":1,"url":7},
			{"type":"selection","displayName":"x.ts","selection":{"start":9}},{"type":3},null,{}]}`), "▌ go|▌ [github reference] [x.ts] [attachment] [attachment] [attachment]", ""},
		"hostile": {
			session.UserMessage{Content: "go", Source: "s\x1b[2J", Attachments: []session.Attachment{
				{Type: "github_reference", Number: 1, Title: "a\x1b]0;t\x07b\nc", State: "o\u202epen", URL: "https://x/\x1b[31m"},
				{Type: "selection", DisplayName: "\x9b31mx", Text: "\x1b[2Jtext"},
			}},
			"i s: go|  [#1 ab c · o⟦U+202E⟧pen] [�31mx] ⋯", "https://x/|text",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tl := timeline.New()
			tl.Apply(session.Event{ID: "e", Body: tt.m})
			draw := func(f render.Fold) string {
				lines := drawn(render.NewCache(100), tl.At(0), render.Options{Width: 120, Theme: theme.Plain(), Fold: f})
				for i := range lines {
					lines[i] = strings.TrimRight(lines[i], " ")
				}
				return strings.Join(lines, "|")
			}
			if got := draw(render.Folded); got != tt.want {
				t.Errorf("folded\n%s\nwant\n%s", got, tt.want)
			}
			whole := draw(render.Whole)
			for line := range strings.SplitSeq(tt.more, "|") {
				if !strings.Contains(whole, line) || line != "" && !render.Foldable(tl.At(0)) {
					t.Errorf("unfolded\n%s\nis without %q", whole, line)
				}
			}
			if strings.ContainsAny(whole, "\x1b\x07\u009b\u202e") {
				t.Errorf("unfolded it is not safe: %q", whole)
			}
		})
	}
}

// decoded is a message as it comes over the wire.
func decoded(t *testing.T, data string) session.UserMessage {
	t.Helper()
	m, ok := session.Decode([]byte(`{"type":"user.message","id":"e","data":` + data + `}`)).Body.(session.UserMessage)
	if !ok {
		t.Fatalf("it was not decoded: %s", data)
	}
	return m
}
