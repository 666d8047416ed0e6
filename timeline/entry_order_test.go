package timeline_test

import (
	"testing"

	"parley/session"
)

// asksFor is a message that calls tools a, b, ... by ids of one letter.
func asksFor(text, calls string) session.AssistantMessage {
	m := said("m", text)
	for _, id := range calls {
		m.ToolRequests = append(m.ToolRequests, session.ToolRequest{ToolCallID: session.CallID(id), Name: string(id)})
	}
	return m
}

// TestCallsStandBehindTheirMessage: a question about a call, its start or its
// arguments may come before the message that asks for it, and in any order.
func TestCallsStandBehindTheirMessage(t *testing.T) {
	t.Parallel()
	question := func(id session.CallID) session.Body {
		return session.PermissionRequested{
			RequestID: session.RequestID("r" + id), PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "custom-tool", ToolCallID: id, ToolName: string(id)}},
		}
	}
	start := func(id session.CallID) session.Body {
		return session.ToolExecutionStart{ToolCallID: id, ToolName: string(id)}
	}
	arguments := func(id session.CallID) session.Body {
		return session.AssistantToolCallDelta{ToolCallID: id, ToolName: string(id), InputDelta: "{}"}
	}
	text, thinking := delta("m", "Two things."), thought("r", "Hm.")
	message := asksFor("Two things.", "ab")
	message.ReasoningText = "Hm."
	const want = "prompt go | thinking Hm. | message Two things. | call a (live) | call b (live)"
	for name, tt := range map[string]struct {
		events []session.Body
		want   string
	}{
		"as it should be":             {[]session.Body{thinking, text, arguments("a"), arguments("b"), message, start("a"), start("b"), question("a"), question("b")}, want},
		"a question first":            {[]session.Body{question("a"), thinking, text, arguments("a"), arguments("b"), message, start("a"), start("b")}, want},
		"the other question first":    {[]session.Body{question("b"), thinking, text, arguments("a"), arguments("b"), message, start("a"), start("b")}, want},
		"a question between":          {[]session.Body{thinking, text, arguments("a"), question("b"), message, start("a"), start("b")}, want},
		"both, the wrong way round":   {[]session.Body{question("b"), question("a"), thinking, text, message, start("b"), start("a")}, want},
		"a start first":               {[]session.Body{start("a"), thinking, text, message, start("b")}, want},
		"arguments in another order":  {[]session.Body{thinking, text, arguments("b"), arguments("a"), message}, want},
		"nothing said":                {[]session.Body{question("b"), asksFor("", "ab")}, "prompt go | call a (live) | call b (live)"},
		"only thought":                {[]session.Body{question("a"), thinking, asksFor(" ", "a")}, "prompt go | thinking Hm. | call a (live)"},
		"a question about no message": {[]session.Body{question("x"), text, message}, "prompt go | call x (live) | thinking Hm. | message Two things. | call a (live) | call b (live)"},
		"asked for twice":             {[]session.Body{question("a"), text, message, delta("n", "More."), asksFor("Two things.", "ab")}, want + " | message More. (live)"},
	} {
		for _, stored := range []bool{false, true} {
			f, inner := newFeed().turn(), task(newFeed(), "sync").agent("A", session.UserMessage{Content: "go"}, session.AssistantTurnStart{TurnID: "0"})
			if name == "asked for twice" && stored {
				continue // the text that streams is not stored
			}
			for _, b := range tt.events {
				ev := f.next(b)
				switch b.(type) {
				case session.AssistantMessageDelta, session.AssistantReasoningDelta, session.AssistantToolCallDelta:
					if ev.Ephemeral = true; stored {
						continue
					}
				}
				f.Apply(ev)
				ev.Agent = "A"
				inner.Apply(ev)
			}
			want := tt.want
			if name == "only thought" && stored {
				want = "prompt go | call a (live)"
			}
			f.want(t, want)
			if got := inside(inner.sub(t)); got != want {
				t.Errorf("%s, stored %t: the sub-agent has %s", name, stored, got)
			}
		}
	}
}

// TestThoughtOfCallsAlone: a thought that comes after the message it led to stands
// before all calls of that message.
func TestThoughtOfCallsAlone(t *testing.T) {
	t.Parallel()
	f := newFeed().turn().stored(asksFor("", "ab"), session.AssistantReasoning{ReasoningID: "r", Content: "Hm."})
	f.want(t, "prompt go | thinking Hm. | call a (live) | call b (live)")
}
