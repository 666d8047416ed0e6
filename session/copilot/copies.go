package copilot

import (
	"github.com/google/uuid"

	"parley/session"
)

// copies recognises increments that come twice. When an answer comes faster than
// the runtime passes it on, the runtime sends some increments again, with the ids
// that they had, up to tens of thousands of events later and between newer ones.
// So the ids of an increment's kind are kept for as long as the text that it is
// a part of is not complete, however many there are.
type copies struct {
	seen map[part]map[uuid.UUID]struct{}
}

// part is what increments are parts of: a message, a thought, the output of a
// call, what is counted of an agent.
type part struct {
	kind session.Kind
	of   string
}

// repeats reports whether an increment came before, and remembers it; any other
// event is new. An id that is no UUID is not the runtime's, and is new.
func (c *copies) repeats(ev session.Event) bool {
	p, ok := partOf(ev)
	if !ok {
		c.forget(ev)
		return false
	}
	id, err := uuid.Parse(string(ev.ID))
	if err != nil {
		return false
	}
	if _, twice := c.seen[p][id]; twice {
		return true
	}
	if c.seen == nil {
		c.seen = map[part]map[uuid.UUID]struct{}{}
	}
	if c.seen[p] == nil {
		c.seen[p] = map[uuid.UUID]struct{}{}
	}
	c.seen[p][id] = struct{}{}
	return false
}

// partOf is what an event is an increment of; not ok means that it is none.
func partOf(ev session.Event) (p part, ok bool) {
	p.kind = ev.Kind()
	switch b := ev.Body.(type) {
	case session.AssistantMessageDelta:
		p.of = string(b.MessageID)
	case session.AssistantReasoningDelta:
		p.of = string(b.ReasoningID)
	case session.AssistantToolCallDelta:
		p.of = string(b.ToolCallID)
	case session.ToolExecutionPartialResult:
		p.of = string(b.ToolCallID)
	case session.ToolShellOutput:
		p.of = string(b.ToolCallID)
	case session.ToolExecutionProgress:
		p.of = string(b.ToolCallID)
	default:
		p.of = string(ev.Agent)
	}
	return p, p.kind.Increment()
}

// forget drops the ids of what an event completes: whatever comes of it later is
// known to be late.
func (c *copies) forget(ev session.Event) {
	switch b := ev.Body.(type) {
	case session.AssistantMessage:
		delete(c.seen, part{session.KindAssistantMessageDelta, string(b.MessageID)})
		for _, r := range b.ToolRequests {
			delete(c.seen, part{session.KindAssistantToolCallDelta, string(r.ToolCallID)})
		}
	case session.AssistantReasoning:
		delete(c.seen, part{session.KindAssistantReasoningDelta, string(b.ReasoningID)})
	case session.ToolExecutionComplete:
		for _, kind := range []session.Kind{
			session.KindToolExecutionPartialResult, session.KindToolShellOutput, session.KindToolExecutionProgress,
		} {
			delete(c.seen, part{kind, string(b.ToolCallID)})
		}
	case session.AssistantTurnEnd:
		delete(c.seen, part{session.KindAssistantStreamingDelta, string(ev.Agent)})
		delete(c.seen, part{session.KindHookProgress, string(ev.Agent)})
	case session.SessionIdle:
		clear(c.seen)
	}
}
