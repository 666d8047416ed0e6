package copilot

import (
	"github.com/creachadair/jrpc2/channel"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// rpcChannel is the connection as the RPC client sees it: all messages but the
// notifications. Session events are handed to deliver, one after another in
// the order they came; other notifications are hints nobody uses and are
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
		n, err := readNotification(msg)
		switch {
		case err != nil:
			return nil, err
		case n.method == "":
			return msg, nil
		case n.method == "session.event":
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
