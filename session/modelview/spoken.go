package modelview

import (
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// applyMessage folds in what is said: by the user, the model and those who
// instruct it.
func (v *View) applyMessage(ev session.Event) Outcome {
	switch b := ev.Body.(type) {
	case session.SystemMessage:
		v.of(ev.Agent).replace(Message{
			ID: ID{Event: v.events}, Role: instructs(b.Role), Name: b.Name, Content: text(b.Content),
			At: ev.Time, Origin: origin(ev),
		})
		return Applied
	case session.UserMessage:
		c := v.of(ev.Agent)
		c.goesOn(v.events)
		m := Message{Role: User, Content: v.stored.prompt(b), At: ev.Time, Origin: origin(ev)}
		if b.Source != "" {
			m.Source = Source{FromSender, b.Source}
		}
		c.say(v.events, c.confirmed.join(m)).prompt = b.Content
		return Applied
	case session.AssistantMessage:
		return v.of(teller(ev.Agent, b.ParentToolCallID)).spoken(v.events, ev, b)
	}
	return Unhandled
}

// spoken folds in an answer of the model.
func (c *conversation) spoken(at uint64, ev session.Event, b session.AssistantMessage) Outcome {
	c.goesOn(at)
	m := Message{Role: Assistant, Reasoning: b.ReasoningText, At: ev.Time, Origin: origin(ev)}
	if b.Content != "" || len(b.ToolRequests) == 0 {
		m.Content = text(b.Content)
	}
	for _, r := range b.ToolRequests {
		m.Calls = append(m.Calls, Call{ID: r.ToolCallID, Name: r.Name, Arguments: compact(r.Arguments)})
	}
	if i := c.say(at, m); len(m.Calls) > 0 {
		c.open = i
	}
	return Applied
}

// instructs is the role of a message that instructs the model: system, unless it
// is the developer's.
func instructs(role string) Role {
	if role == string(Developer) {
		return Developer
	}
	return System
}

// compact is JSON as a request holds it; what is none is left as it is.
func compact(v jsontext.Value) jsontext.Value {
	v = v.Clone()
	if err := v.Compact(); err != nil {
		return v
	}
	return v
}

// origin is where a message comes from; nothing for an event without a name.
func origin(ev session.Event) []session.EventID {
	if ev.ID == "" {
		return nil
	}
	return []session.EventID{ev.ID}
}
