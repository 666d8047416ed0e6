package generate

import (
	"reflect"
	"slices"
	"testing"

	"parley/session"
	"parley/session/modelview"
	"parley/session/sessiontest"
)

// seenWithCall are the types whose events change nothing for the model: what
// their rows say of it comes before it when their call completes.
var seenWithCall = []session.Kind{
	"tool.user_requested", "tool_search.activated", "session.binary_asset",
	"subagent.completed", "subagent.failed", "hook.end", "permission.completed",
	"user_input.completed", "elicitation.completed", "exit_plan_mode.completed",
	"parley.confirmation.completed", // with the next prompt
}

// TestEventsTheModelSees plays the sample of each type to the view of what the
// model sees, made ready for it. What changes must be what its row says.
func TestEventsTheModelSees(t *testing.T) {
	t.Parallel()
	samples := sessiontest.Events(t)
	for _, d := range rows(t) {
		kind := session.KindOf(d.body)
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			v := modelview.New()
			for _, ev := range beforeModel(t, samples, kind) {
				v.Apply(ev)
			}
			before := v.Messages()
			v.Apply(rootEvent(t, samples[kind]))
			seen := readAs(before, v.Messages())
			later := slices.Contains(seenWithCall, kind)
			switch {
			case later && (seen != "no" || d.model != "as a result" && d.model != "in part"):
				t.Errorf("%s is in seenWithCall, its row says %q of the model, and by itself the model sees: %s. Mend one of them.\n%+v",
					kind, d.model, seen, v.Messages())
			case !later && seen != d.model:
				t.Errorf("the row of %s says %q of the model, and what it sees is: %s. Mend the row, or what the event does.\n%+v",
					kind, d.model, seen, v.Messages())
			}
		})
	}
}

// TestTheModelSeesLess: with another payload than the sample's, the model
// sees of some events nothing.
func TestTheModelSeesLess(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]session.Body{
		"a discovered instruction":    session.SystemNotification{Notification: session.Notification{Type: "instruction_discovered"}},
		"a compaction that failed":    session.SessionCompactionComplete{Error: "no model"},
		"a notice in the prompt":      session.SessionModeNoticeDelivered{Mode: session.Plan},
		"an abort of nothing":         session.Abort{},
		"a skill that the user named": session.SkillInvoked{Name: "hello", Content: "Say hello.", Trigger: "user-invoked"},
		"a result without a call":     session.ToolExecutionComplete{ToolCallID: "x"},
		"a new start without a word":  session.SessionContextCleared{},
	} {
		v := modelview.New()
		v.Apply(session.Event{ID: "prompt", Body: session.UserMessage{Content: "Fix the flaky test"}})
		before := v.Messages()
		v.Apply(session.Event{ID: "e", Body: b})
		if seen := readAs(before, v.Messages()); seen != "no" {
			t.Errorf("%s is read: %s\n%+v", name, seen, v.Messages())
		}
	}
}

// readAs says, in the words of seenByModel, what the model reads that it did not
// before.
func readAs(before, after []modelview.Message) string {
	for _, m := range after {
		if slices.ContainsFunc(before, func(old modelview.Message) bool { return reflect.DeepEqual(old, m) }) {
			continue
		}
		switch {
		case m.Role == modelview.System || m.Role == modelview.Developer:
			return "as a system prompt"
		case m.Role == modelview.Tool && !m.Interrupted:
			return "as a result"
		case m.Role == modelview.Tool || m.Source.Kind == modelview.FromSummary || m.Source.Kind == modelview.FromClear:
			return "in part"
		case m.Source.Kind == modelview.FromUser:
			return "yes"
		default:
			return "as a user message"
		}
	}
	return "no"
}

// beforeModel are the events of before, with the answers of the model that ask
// for their calls, and with what else the model's view wants to have heard.
func beforeModel(t *testing.T, samples map[session.Kind][]byte, kind session.Kind) []session.Event {
	t.Helper()
	var events []session.Event
	for _, ev := range before(t, samples, kind) {
		if start, ok := ev.Body.(session.ToolExecutionStart); ok {
			events = append(events, asksFor(start.ToolCallID))
		}
		events = append(events, ev)
	}
	switch kind {
	case "skill.invoked_ref", "skill.context_delivered_ref": // the text that they refer to
		events = append(events, rootEvent(t, samples["skill.invoked"]))
	case session.KindAbort, "parley.references": // what it ends, or belongs to
		events = append(events, asksFor("work"))
	default:
	}
	return events
}

// asksFor is an answer of the model that asks for a call.
func asksFor(id session.CallID) session.Event {
	return session.Event{ID: session.EventID("asks for " + id), Body: session.AssistantMessage{
		ToolRequests: []session.ToolRequest{{ToolCallID: id, Name: "bash"}},
	}}
}
