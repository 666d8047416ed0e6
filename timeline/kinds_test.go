package timeline

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

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
				t.Errorf("%s %s is %v: name it in a switch, or in isIgnored", name, kind, out)
			}
			if isIgnored(ev.Body) && New().Apply(ev) != Ignored {
				t.Errorf("%s %s is in isIgnored, and something handles it", name, kind)
			}
		}
		if isIgnored(sample.Body) {
			ignored = append(ignored, string(kind))
		}
	}
	slices.Sort(ignored)
	list := strings.Join(ignored, "\n")
	t.Logf("ignored by name:\n%s", list)
	sessiontest.Golden(t, "timeline/ignored", list)
}

// TestIgnoredKindsLeaveNothing: a kind ignored by name changes nothing at all,
// neither at the start nor while a call runs.
func TestIgnoredKindsLeaveNothing(t *testing.T) {
	t.Parallel()
	running := []session.Body{
		session.UserMessage{Content: "go"},
		session.AssistantTurnStart{TurnID: "0"},
		session.AssistantMessageDelta{MessageID: "m", DeltaContent: "half"},
		session.ToolExecutionStart{ToolCallID: "c", ToolName: "bash"},
	}
	for kind, line := range sessiontest.Events(t) {
		ev := session.Decode(line)
		if !isIgnored(ev.Body) {
			continue
		}
		for _, before := range [][]session.Body{nil, running} {
			tl := New()
			for i, b := range before {
				tl.Apply(session.Event{ID: session.EventID(strconv.Itoa(i)), Body: b, Ephemeral: true})
			}
			dump, version := tl.Dump(), tl.Version()
			for _, ev.Ephemeral = range []bool{false, true} {
				if out := tl.Apply(ev); out != Ignored || tl.Dump() != dump || tl.Version() != version {
					t.Errorf("%s is %v and left\n%s", kind, out, tl.Dump())
				}
			}
		}
	}
}

// TestKindsInAnyOrder feeds the samples of all kinds shuffled, some of them
// twice and some as if they came from a sub-agent.
func TestKindsInAnyOrder(t *testing.T) {
	t.Parallel()
	var samples []session.Event
	for _, line := range sessiontest.Events(t) {
		samples = append(samples, session.Decode(line))
	}
	slices.SortFunc(samples, func(a, b session.Event) int { return strings.Compare(string(a.Kind()), string(b.Kind())) })
	rapid.Check(t, func(rt *rapid.T) {
		tl := New()
		for _, ev := range rapid.SliceOfN(rapid.SampledFrom(samples), 1, 80).Draw(rt, "events") {
			ev.Agent = session.AgentID(rapid.SampledFrom([]string{"", "", "a", "b"}).Draw(rt, "agent"))
			ev.Ephemeral = rapid.Bool().Draw(rt, "ephemeral")
			if out := tl.Apply(ev); out == Unhandled {
				rt.Fatalf("%s is %v", ev.Kind(), out)
			}
		}
		consistent(rt, tl)
		_ = tl.Dump()
	})
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
		t.Error("the zero result must be the defect")
	}
}

// TestBookkeepingLeavesNothing: undocumented types whose content is for
// the runtime alone are no entry, unlike any other that is not known.
func TestBookkeepingLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, kind := range []session.Kind{
		"human_response.recorded", "prompt_cache_break", "session.auto_tier_recommendation", "session.completion_receipt",
		"session.extensions.attachments_pushed", "session.memory_changed", "session.quota_observation",
		"session.request_body_compression_disabled", "assistant.fusion_x", "session.fusion_x", "session.canvas.x", "permission.x",
		"sandbox.decision", "model.x",
	} {
		tl := New()
		if out := tl.Apply(session.Event{ID: "e", Body: session.Unknown{Type: kind}}); out != Ignored || tl.Len() != 0 {
			t.Errorf("%s is %v, and %d entries", kind, out, tl.Len())
		}
	}
}

// TestAssetsNeedAnIDAndBytes: one without either is nothing that a later event could
// refer to.
func TestAssetsNeedAnIDAndBytes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		asset session.SessionBinaryAsset
		want  ApplyResult
	}{
		{session.SessionBinaryAsset{AssetID: "a", Data: "AAAA"}, Applied},
		{session.SessionBinaryAsset{AssetID: "a"}, Ignored},
		{session.SessionBinaryAsset{Data: "AAAA"}, Ignored},
	} {
		if out := New().Apply(session.Event{ID: "e", Body: tt.asset}); out != tt.want {
			t.Errorf("%+v is %v", tt.asset, out)
		}
	}
}
