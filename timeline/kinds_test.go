package timeline

import (
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// TestEveryKindReduced fails for a kind that no switch names, whether its event
// is empty or a full sample, and writes down which kinds have no place here.
func TestEveryKindReduced(t *testing.T) {
	t.Parallel()
	samples := sessiontest.Events(t)
	var ignored []string
	for _, kind := range session.Kinds() {
		empty := session.Decode([]byte(`{"type":"` + string(kind) + `","data":{},"id":"e"}`))
		sample := session.Decode(samples[kind])
		for name, ev := range map[string]session.Event{"empty": empty, "sample": sample} {
			if ev.Kind() != kind {
				t.Fatalf("%s %s decodes to %T", name, kind, ev.Body)
			}
			if out := New().Apply(ev); out == Unhandled {
				t.Errorf("%s %s is %v: name it in a switch, or in later", name, kind, out)
			}
			if later(ev.Body) && New().Apply(ev) != Ignored {
				t.Errorf("%s %s is in later, and something handles it", name, kind)
			}
		}
		if later(sample.Body) {
			ignored = append(ignored, string(kind))
		}
	}
	slices.Sort(ignored)
	list := strings.Join(ignored, "\n")
	t.Logf("ignored by name:\n%s", list)
	sessiontest.Golden(t, "timeline/ignored", list)
}

// TestLateKindsLeaveNothing: a kind ignored by name changes nothing at all.
func TestLateKindsLeaveNothing(t *testing.T) {
	t.Parallel()
	for kind, line := range sessiontest.Events(t) {
		ev := session.Decode(line)
		if !later(ev.Body) {
			continue
		}
		tl := New()
		tl.Apply(ev)
		if tl.Len() != 0 || tl.Version() != 0 {
			t.Errorf("%s made %d entries", kind, tl.Len())
		}
	}
}

func TestUnhandledIsOnlyForStrangers(t *testing.T) {
	t.Parallel()
	if out := New().Apply(session.Event{}); out != Ignored {
		t.Errorf("an event without a body is %v", out)
	}
	if out := New().Apply(session.Event{ID: "e", Body: session.Unknown{Type: "x.y"}}); out != Applied {
		t.Errorf("a stored event of an unknown type is %v", out)
	}
	if Unhandled != 0 || Unhandled.String() != "unhandled" || Applied.String() != "applied" {
		t.Error("the zero outcome must be the defect")
	}
}
