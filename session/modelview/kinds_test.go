package modelview

import (
	"slices"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// TestEveryKindDecided fails for a kind that no switch names, whether its event
// is empty or a full sample, and for one that is named as unseen and is seen.
func TestEveryKindDecided(t *testing.T) {
	t.Parallel()
	samples := sessiontest.Events(t)
	for _, kind := range session.Kinds() {
		empty := session.Decode([]byte(`{"type":"` + string(kind) + `","data":{},"id":"e"}`))
		sample := session.Decode(samples[kind])
		for name, ev := range map[string]session.Event{"empty": empty, "sample": sample} {
			if ev.Kind() != kind {
				t.Fatalf("%s %s decodes to %T", name, kind, ev.Body)
			}
			v := primed()
			before, version := v.Dump(), v.Version()
			out := v.Apply(ev)
			switch {
			case out == Unhandled || New().Apply(ev) == Unhandled:
				t.Errorf("%s %s is unhandled: name it in a switch, or in unseen", name, kind)
			case out == Ignored && (v.Dump() != before || v.Version() != version):
				t.Errorf("%s %s is ignored, and changed the view", name, kind)
			case out == Applied && isUnseen(ev.Body):
				t.Errorf("%s %s is in unseen, and something handles it", name, kind)
			case out == Applied && v.Version() == version:
				t.Errorf("%s %s is applied, and the version stays", name, kind)
			}
			if slices.Contains(v.Agents(), "") {
				t.Errorf("%s %s made the session's own model a sub-agent", name, kind)
			}
		}
	}
}

// primed is the view of a session in which something runs.
func primed() *View {
	v := New()
	for i, b := range []session.Body{
		session.SystemMessage{Role: "system", Content: "be good"},
		session.UserMessage{Content: "go"},
		session.AssistantMessage{Content: "so", ToolRequests: []session.ToolRequest{{ToolCallID: "c", Name: "bash"}}},
		session.ToolExecutionStart{ToolCallID: "c", ToolName: "bash"},
	} {
		v.Apply(session.Event{ID: session.EventID("primed" + string(rune('0'+i))), Body: b})
	}
	return v
}

func TestUnhandledIsTheDefect(t *testing.T) {
	t.Parallel()
	if out := New().Apply(session.Event{}); out != Ignored {
		t.Errorf("an event without a body is %v", out)
	}
	if out := New().Apply(session.Event{ID: "e", Body: session.Unknown{Type: "x.y"}}); out != Ignored {
		t.Errorf("an event of an unknown type is %v", out)
	}
	if Unhandled != 0 {
		t.Error("the zero outcome must be the defect")
	}
}
