package modelview

import (
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// applyMessage folds in what is said: by the user, the model and those who
// instruct it.
func (v *View) applyMessage(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.SystemMessage:
		role := System // unless it is the developer's
		if b.Role == string(Developer) {
			role = Developer
		}
		v.conversation(ev.Agent).setSystem(Message{
			ID: ID{Event: v.events}, Role: role, Name: b.Name, Content: text(b.Content),
			At: ev.Time, Origin: origin(ev),
		})
		return Applied
	case session.UserMessage:
		c := v.conversation(ev.Agent)
		c.closeCalls(v.events)
		m := Message{Role: User, Content: v.stored.prompt(b), At: ev.Time, Origin: origin(ev)}
		if b.Source != "" {
			m.Source = Source{FromSender, b.Source}
		}
		c.add(v.events, c.confirmations.join(m)).prompt = b.Content
		return Applied
	case session.AssistantMessage:
		return v.conversation(conversationOf(ev.Agent, b.ParentToolCallID)).assistantMessage(v.events, ev, b)
	}
	return Unhandled
}

// assistantMessage folds in an answer of the model.
func (c *conversation) assistantMessage(at uint64, ev session.Event, b session.AssistantMessage) ApplyResult {
	c.closeCalls(at)
	m := Message{Role: Assistant, Reasoning: b.ReasoningText, At: ev.Time, Origin: origin(ev)}
	if b.Content != "" || len(b.ToolRequests) == 0 {
		m.Content = text(b.Content)
	}
	for _, r := range b.ToolRequests {
		m.Calls = append(m.Calls, Call{ID: r.ToolCallID, Name: r.Name, Arguments: compact(r.Arguments)})
	}
	if i := c.add(at, m); len(m.Calls) > 0 {
		c.open = i
	}
	return Applied
}

// compact is JSON as a request holds it; what is none is left as it is.
func compact(v jsontext.Value) jsontext.Value {
	v = v.Clone()
	_ = v.Compact()
	return v
}

// origin is where a message comes from; nothing for an event without a name.
func origin(ev session.Event) []session.EventID {
	if ev.ID == "" {
		return nil
	}
	return []session.EventID{ev.ID}
}
