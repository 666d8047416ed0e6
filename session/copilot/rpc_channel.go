package copilot

import (
	"bytes"

	"github.com/creachadair/jrpc2/channel"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// rpcChannel is the connection as the RPC client sees it: all messages but the
// notifications. Session events are handed to deliver, one after another in
// the order they came; other notifications are hints that are not used and are
// dropped (docs/protocol.md, section 2).
type rpcChannel struct {
	in  *frames
	out *rpcWriter
	// deliver gets each event as it came. It may block, which stops reading,
	// and must not keep the value.
	deliver func(id session.ID, event jsontext.Value)
}

var _ channel.Channel = (*rpcChannel)(nil)

// Send implements channel.Channel. It does not wait until the message is
// written.
func (s *rpcChannel) Send(msg []byte) error {
	return session.Guard(func() error { return s.out.send(frame(msg)) })
}

// Close implements channel.Channel.
func (s *rpcChannel) Close() error { return session.Guard(s.out.close) }

// Recv implements channel.Channel. The client calls it in a goroutine of its
// own, so a panic, of deliver too, is an error.
func (s *rpcChannel) Recv() (msg []byte, err error) {
	err = session.Guard(func() error { msg, err = s.next(); return err })
	return msg, err
}

// next reads up to a message that is no notification.
func (s *rpcChannel) next() ([]byte, error) {
	for {
		msg, err := s.in.next()
		if err != nil {
			return nil, err
		}
		n, ok := asWritten(msg)
		if !ok {
			n, err = readNotification(msg)
		}
		switch {
		case err != nil:
			return nil, err
		case n.method == "":
			s.in.source.streams = false
			return msg, nil
		case n.method == "session.event":
			s.in.source.streams = n.increment
			s.deliver(n.session, n.event)
		}
	}
}

// notification is a message without an id. Method is "" for requests and
// responses.
type notification struct {
	method  string
	session session.ID
	event   jsontext.Value // points into the message
	// increment is whether the event is known to be one.
	increment bool
}

// The runtime writes an event between these, without white space.
const (
	eventHead   = `{"jsonrpc":"2.0","method":"session.event","params":{"sessionId":"`
	eventMiddle = `","event":`
	eventTail   = `}}`
)

// asWritten is readNotification for an event in the form in which the runtime writes it: there
// are thousands in an answer. Not ok is any other message. Of an event that is noise only the
// type is looked at, since it may be the whole conversation.
func asWritten(msg []byte) (n notification, ok bool) {
	rest, begins := bytes.CutPrefix(msg, []byte(eventHead))
	rest, ends := bytes.CutSuffix(rest, []byte(eventTail))
	id, event, cut := bytes.Cut(rest, []byte(eventMiddle))
	if !begins || !ends || !cut || bytes.ContainsAny(id, `"\\`) {
		return notification{}, false
	}
	kind, err := session.Peek(event)
	if err == nil && kind.Noise() {
		return notification{method: "session.event of no use"}, true
	}
	n = notification{method: "session.event", session: session.ID(id), event: event, increment: kind.Increment()}
	return n, n.event.IsValid() && jsontext.Value(msg[len(eventHead)-1:len(eventHead)+len(id)+1]).IsValid()
}

// readNotification looks at a message and no deeper than the event in it.
func readNotification(msg []byte) (notification, error) {
	var head struct {
		ID     jsontext.Value `json:"id"`
		Method string         `json:"method"`
		Params jsontext.Value `json:"params"`
	}
	if err := session.Unmarshal(msg, &head); err != nil {
		return notification{}, notProtocol("not a JSON-RPC message: %v (it starts %q)", err, opening(msg))
	}
	if head.Method == "" || head.ID != nil {
		return notification{}, nil
	}
	n := notification{method: head.Method}
	if n.method != "session.event" {
		return n, nil
	}
	var params struct {
		SessionID session.ID     `json:"sessionId"`
		Event     jsontext.Value `json:"event"`
	}
	if err := session.Unmarshal(head.Params, &params); err != nil {
		return notification{}, notProtocol("not a session event: %v", err)
	}
	n.session, n.event = params.SessionID, params.Event
	return n, nil
}
