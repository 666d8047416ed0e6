package copilot

import (
	"time"

	"github.com/google/uuid"

	"parley/session"
)

// copies recognises increments that come twice. When an answer comes faster than
// the runtime passes it on, the runtime sends some increments again, with the ids
// that they had, up to tens of thousands of events later and between newer ones.
// So the ids of an increment's kind are kept for as long as the text that it is
// a part of is not complete, however many there are. Copies come after that too:
// increments of what is complete, and counts of a turn that is over, are no news.
type copies struct {
	seen   map[part]map[uuid.UUID]struct{}
	whole  map[part]struct{} // complete since the session was idle
	before map[part]struct{} // and since it was idle the last time but one
	ended  map[session.AgentID]time.Time
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
	if c.late(p, ev) {
		return true
	}
	id, err := uuid.Parse(string(ev.ID))
	if err != nil {
		return false
	}
	if _, twice := c.seen[p][id]; twice {
		return true
	}
	of, begun := c.seen[p]
	if put(&of, id, struct{}{}); !begun {
		put(&c.seen, p, of)
	}
	return false
}

// late reports whether an increment comes when its text is complete or its turn over.
func (c *copies) late(p part, ev session.Event) bool {
	_, whole := c.whole[p]
	_, before := c.before[p]
	ended, over := c.ended[ev.Agent]
	return whole || before || over && counts(p.kind) && !ev.Time.After(ended)
}

// counts reports whether increments of a kind belong to a turn and to no text.
func counts(k session.Kind) bool {
	return k == session.KindAssistantStreamingDelta || k == session.KindHookProgress
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
		c.complete(session.KindAssistantMessageDelta, string(b.MessageID))
		for _, r := range b.ToolRequests {
			c.complete(session.KindAssistantToolCallDelta, string(r.ToolCallID))
		}
	case session.AssistantReasoning:
		c.complete(session.KindAssistantReasoningDelta, string(b.ReasoningID))
	case session.ToolExecutionComplete:
		for _, kind := range []session.Kind{
			session.KindToolExecutionPartialResult, session.KindToolShellOutput, session.KindToolExecutionProgress,
		} {
			delete(c.seen, part{kind, string(b.ToolCallID)}) // what continues in the background still says something
		}
	case session.AssistantTurnEnd:
		delete(c.seen, part{session.KindAssistantStreamingDelta, string(ev.Agent)})
		delete(c.seen, part{session.KindHookProgress, string(ev.Agent)})
		put(&c.ended, ev.Agent, ev.Time)
	case session.SessionIdle:
		clear(c.seen)
		c.before, c.whole = c.whole, nil
	}
}

// complete drops the ids of a text, of which nothing more is news.
func (c *copies) complete(kind session.Kind, of string) {
	p := part{kind, of}
	if delete(c.seen, p); of != "" {
		put(&c.whole, p, struct{}{})
	}
}
