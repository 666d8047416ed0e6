package acp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/creachadair/jrpc2/channel"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// message is one line of the connection: a request, a notification, or the answer to a
// call. The id is kept as it came: some agents count from 0, others send texts.
type message struct {
	ID     jsontext.Value `json:"id,omitzero"`
	Method string         `json:"method,omitzero"`
	Params jsontext.Value `json:"params,omitzero"`
	Result jsontext.Value `json:"result,omitzero"`
	Error  *rpcError      `json:"error,omitzero"`
}

// rpcError is an error of JSON-RPC (jsonrpc.org/specification, section 5.1).
type rpcError struct {
	Code    int            `json:"code"`
	Message string         `json:"message"`
	Data    jsontext.Value `json:"data,omitzero"`
}

// The codes of errors that are sent or treated in a way of their own.
const (
	codeNoMethod     = -32601
	codeAuthRequired = -32000
)

// lines is the connection as the RPC client sees it: the answers to its calls. All that
// has a method goes to deliver, one after another in the order in which it came, so that a
// question never overtakes the call that it is about.
type lines struct {
	in      *bufio.Reader
	out     *outbox
	deliver func(message) // may block, which stops reading; also takes the answers to link.request
}

var _ channel.Channel = (*lines)(nil)

// Send implements channel.Channel. It does not wait until the message is written.
func (l *lines) Send(msg []byte) error { return l.out.send(msg) }

// Close implements channel.Channel.
func (l *lines) Close() error { return l.out.close() }

// Recv implements channel.Channel. It is called on a goroutine of the client's, so a
// panic is an error. A line that is no message is skipped.
func (l *lines) Recv() (answer []byte, err error) {
	err = session.Guard(func() error {
		for answer == nil {
			line, err := l.in.ReadBytes('\n')
			if len(bytes.TrimSpace(line)) == 0 && err != nil {
				return err
			}
			answer = l.take(line)
		}
		return nil
	})
	return answer, err
}

// take handles a line. It returns the answer to a call; nil for all else.
func (l *lines) take(line []byte) []byte {
	var m message
	if session.Unmarshal(line, &m) != nil {
		return nil
	}
	if m.Method != "" {
		l.deliver(m)
		return nil
	}
	switch {
	case null(m.ID) || m.Result == nil && m.Error == nil:
		return nil
	case m.ID.Kind() == jsontext.KindString: // none of the client's
		l.deliver(m)
		return nil
	}
	// The client refuses an answer that has more members than it should, or no version.
	answer, err := encode(message{ID: m.ID, Result: m.Result, Error: m.Error})
	if err != nil {
		return nil
	}
	return answer
}

// null reports whether a member is absent or null, which agents take for the same.
func null(v jsontext.Value) bool { return len(v) == 0 || v.Kind() == jsontext.KindNull }

// encode is a message as it is sent, without a line end.
func encode(m message) ([]byte, error) {
	return json.Marshal(struct {
		Version string `json:"jsonrpc"`
		message `json:",embed"`
	}{"2.0", m})
}

// outboxLimit is how many bytes may wait for an agent that does not read. One message,
// however long, always may.
const outboxLimit = 64 << 20

var errNotReading = errors.New("the agent has stopped reading what it is sent")

// outbox writes messages on a goroutine of its own, so that no sender waits for an agent
// that does not read.
type outbox struct {
	w       io.WriteCloser
	mu      sync.Mutex
	changed *sync.Cond
	waiting [][]byte
	size    int
	err     error // why nothing is taken any more
}

func newOutbox(w io.WriteCloser) *outbox {
	o := &outbox{w: w}
	o.changed = sync.NewCond(&o.mu)
	go o.run()
	return o
}

// send hands over a message, which is kept.
func (o *outbox) send(msg []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.err != nil:
		return o.err
	case o.size > 0 && o.size+len(msg) > outboxLimit:
		return errNotReading
	}
	o.waiting = append(o.waiting, append(bytes.Clone(msg), '\n'))
	o.size += len(msg)
	o.changed.Signal()
	return nil
}

// close ends the agent's input once all that waits was written.
func (o *outbox) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = io.ErrClosedPipe
		o.changed.Signal()
	}
	return nil
}

func (o *outbox) run() {
	for {
		next, ok := o.next()
		if !ok {
			_ = o.w.Close()
			return
		}
		if _, err := o.w.Write(next); err != nil {
			o.mu.Lock()
			o.err, o.waiting = err, nil
			o.mu.Unlock()
		}
	}
}

// next waits for a message to write; not ok at the end.
func (o *outbox) next() (msg []byte, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.waiting) == 0 && o.err == nil {
		o.changed.Wait()
	}
	if len(o.waiting) == 0 {
		return nil, false
	}
	msg = o.waiting[0]
	o.waiting, o.size = o.waiting[1:], o.size-len(msg)+1
	return msg, true
}
