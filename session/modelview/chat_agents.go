package modelview

import (
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// ExtraField is a field of a message next to its content, in requests to the chat
// agents that send such things themselves. Other models do not get it.
type ExtraField struct {
	Key   string         // as in the request
	Value jsontext.Value // a list
}

// The keys of ExtraFields.
const (
	keyReferences    = "copilot_references"
	keyConfirmations = "copilot_confirmations"
)

// applyChat folds in what goes to and fro between Parley and a chat agent.
func (v *View) applyChat(ev session.Event) ApplyResult {
	switch b := ev.Body.(type) {
	case session.References:
		return v.conversation(ev.Agent).addReferences(v.events, ev, b)
	case session.ConfirmationCompleted:
		c := v.conversation(ev.Agent)
		if b.State != session.Accepted && b.State != session.Dismissed {
			return Ignored // the agent does not learn it
		}
		c.confirmations.add(ev, confirmation(b))
		return Applied
	}
	return Unhandled
}

// pendingConfirmations are answers to confirmations that wait for the message they go with.
type pendingConfirmations struct {
	items  []jsontext.Value
	origin []session.EventID
}

func (a *pendingConfirmations) add(ev session.Event, item jsontext.Value) {
	a.items, a.origin = append(a.items, item), append(a.origin, origin(ev)...)
}

// join adds the answers to a prompt.
func (a *pendingConfirmations) join(m Message) Message {
	if len(a.items) > 0 {
		m.ExtraFields = []ExtraField{{keyConfirmations, list(a.items)}}
		m.Origin = append(a.origin, m.Origin...)
	}
	*a = pendingConfirmations{}
	return m
}

// confirmation is an answer as the agent gets it: its own data, unchanged.
func confirmation(b session.ConfirmationCompleted) jsontext.Value {
	v := append(jsontext.Value(`{"state":"`), b.State...)
	v = append(v, '"')
	if len(b.Confirmation) > 0 {
		v = append(append(v, `,"confirmation":`...), b.Confirmation...)
	}
	return append(v, '}')
}

// addReferences adds references to the last answer. It says more now,
// so it is another message.
func (c *conversation) addReferences(at uint64, ev session.Event, b session.References) ApplyResult {
	n := len(c.items)
	if n == 0 || c.items[n-1].message.Role != Assistant || len(b.Items) == 0 {
		return Ignored
	}
	m := &c.items[n-1].message
	m.ID = ID{Event: at}
	m.ExtraFields = append(m.ExtraFields[:len(m.ExtraFields):len(m.ExtraFields)], ExtraField{keyReferences, list(b.Items)})
	m.Origin = append(m.Origin[:len(m.Origin):len(m.Origin)], origin(ev)...)
	return Applied
}

// list is JSON values as a list of them.
func list(items []jsontext.Value) jsontext.Value {
	v := jsontext.Value{'['}
	for i, item := range items {
		if i > 0 {
			v = append(v, ',')
		}
		v = append(v, item...)
	}
	return append(v, ']')
}
