package tui

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/go-json-experiment/json"

	"parley/render/text"
	"parley/session"
	"parley/session/sessiontest"
	"parley/timeline"
	"parley/tui/reporttext"
	"parley/tui/widget"
)

// oddValues are what a member of an event may be instead of what it should be.
var oddValues = []any{
	nil, -1.0, 1e308, -1e308, 9007199254740993.0, true,
	[]any{nil, map[string]any{}, "x"},
	map[string]any{"": nil},
	"\x1b[31mred\x1b]0;owned\a\u202e\n\r\u0000" + strings.Repeat("w", 300),
}

// TestOddUsageAndState gives each member of the events about usage and state each
// odd value, one at a time, or leaves it out. What shows them stays readable.
func TestOddUsageAndState(t *testing.T) {
	t.Parallel()
	m := newScenario(t, nil).m
	m.win.Front.Session = bareSession{m.win.Front.Session}
	for _, ev := range sessiontest.Log(t, "hand/usage") {
		var whole map[string]any
		if err := json.Unmarshal(ev.Wire, &whole); err != nil {
			t.Fatal(err)
		}
		data, _ := whole["data"].(map[string]any)
		variants(data, func() {
			line, err := json.Marshal(whole)
			if err != nil {
				t.Fatal(err)
			}
			odd := session.Decode(line)
			if odd.Kind() != ev.Kind() {
				t.Fatalf("read as %s: %s", odd.Kind(), line)
			}
			checkOdd(t, m, odd, string(line))
		})
	}
}

// variants calls check with each member of an object, and of what is in it, as
// each odd value, and without it. The object is as before then.
func variants(v any, check func()) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			was := v[name]
			for _, odd := range oddValues {
				v[name] = odd
				check()
			}
			delete(v, name)
			check()
			v[name] = was
			variants(was, check)
		}
	case []any:
		for i, was := range v {
			for _, odd := range oddValues {
				v[i] = odd
				check()
			}
			v[i] = was
			variants(was, check)
		}
	}
}

// checkOdd looks at all that shows an event of a session in its middle.
func checkOdd(t *testing.T, m *Model, ev session.Event, line string) {
	t.Helper()
	m.win.Front.Timeline = timeline.New()
	for _, before := range []session.Event{
		{ID: "p", Body: session.UserMessage{Content: "go"}},
		{ID: "c1", Body: session.ToolExecutionStart{ToolCallID: "c1", ToolName: "task"}},
		ev, ev,
	} {
		m.win.Front.Timeline.Apply(before)
	}
	for _, lines := range [][]string{
		reporttext.ReportedUsage(m.win.Front.Timeline, m.win.Zone).Draw(m.win.Theme, 77),
		m.win.Front.Reports.SessionReport().Draw(m.win.Theme, 77),
	} {
		for _, l := range lines {
			if plain := ansi.Strip(l); text.Width(l) > 77+widget.Margin || strings.ContainsAny(plain, "\x1b\a\u202e\r\n\x00") {
				t.Fatalf("%q after %s", l, line)
			}
		}
	}
	for _, r := range m.win.Front.Tasks.TaskRows() {
		if r.Label == "" || r.Right == "" {
			t.Fatalf("%+v after %s", r, line)
		}
	}
}
