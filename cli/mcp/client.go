package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	gosse "github.com/tmaxmax/go-sse"

	"parley/cli/process"
	"parley/render/text"
	"parley/session"
	"parley/settings/mcpfile"
)

const (
	mostTools       = 1000 // that are asked for
	mostBytes       = 16 << 20
	mostShown       = 200          // columns of what a server wrote
	protocolVersion = "2025-11-25" // a server may answer with an older one, which has the same requests for tools
	methodNotFound  = -32601
)

// connection carries messages to a server and back.
type connection interface {
	send(message []byte) error
	// receive returns the next message, io.ErrUnexpectedEOF if there are no more.
	receive() ([]byte, error)
}

// client makes the requests of MCP, one after another (docs/decisions.md 47).
type client struct {
	connection
	requests int
}

// message is a request, a notification or a response of JSON-RPC.
type message struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id,omitzero"`
	Method  string         `json:"method,omitzero"`
	Params  any            `json:"params,omitzero"`
	Result  jsontext.Value `json:"result,omitzero"`
	Error   *callError     `json:"error,omitzero"`
}

type callError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (c *client) write(m message) error {
	m.Version = "2.0"
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return c.send(raw)
}

// call makes a request and decodes its result. A request of the server's is answered with
// an error, but for ping.
func (c *client) call(method string, params, result any) error {
	c.requests++
	id := strconv.Itoa(c.requests)
	err := c.write(message{ID: jsontext.Value(id), Method: method, Params: params})
	for err == nil {
		var raw []byte
		var m message
		if raw, err = c.receive(); err == nil && json.Unmarshal(raw, &m) != nil {
			err = &strangeError{raw}
		}
		switch {
		case err != nil:
		case m.Method == "ping" && m.ID != nil:
			err = c.write(message{ID: m.ID, Result: jsontext.Value("{}")})
		case m.Method != "" && m.ID != nil:
			err = c.write(message{ID: m.ID, Error: &callError{methodNotFound, "not supported"}})
		case string(m.ID) != id: // a notification
		case m.Error != nil:
			err = errors.New(m.Error.Message)
		default:
			return json.Unmarshal(m.Result, result, json.MatchCaseInsensitiveNames(true))
		}
	}
	return fmt.Errorf("%s: %w", method, err)
}

// strangeError is that a server wrote something else than a message.
type strangeError struct{ wrote []byte }

// Error implements error. It has the first line of what was written.
func (e *strangeError) Error() string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(e.wrote)), "\n")
	return "something that is not JSON-RPC: " + text.Truncate(plain(mcpfile.Redacted(line)), mostShown, "...")
}

// tools initializes the session, and returns what the server is called and its tools.
func (c *client) tools() (about string, tools []session.McpTool, err error) {
	var server struct {
		ProtocolVersion string
		ServerInfo      struct{ Name, Version string }
		Capabilities    struct{ Tools *struct{} }
	}
	err = c.call("initialize", map[string]any{
		"protocolVersion": protocolVersion, "capabilities": struct{}{},
		"clientInfo": map[string]string{"name": "parley", "version": process.Version()},
	}, &server)
	if err != nil {
		return "", nil, err
	}
	if r, ok := c.connection.(*remote); ok {
		r.version = server.ProtocolVersion
	}
	if err := c.write(message{Method: "notifications/initialized"}); err != nil {
		return "", nil, err
	}
	about = strings.TrimSpace(server.ServerInfo.Name + " " + server.ServerInfo.Version)
	if about == "" {
		about = "without a name"
	}
	params := map[string]string{}
	for more := server.Capabilities.Tools != nil; more; { // without them, asking would be an error
		var page struct {
			Tools      []session.McpTool
			NextCursor string
		}
		if err := c.call("tools/list", params, &page); err != nil {
			return about, nil, err
		}
		tools = append(tools, page.Tools...)
		params["cursor"] = page.NextCursor
		more = page.NextCursor != "" && len(page.Tools) > 0 && len(tools) < mostTools
	}
	return about, tools[:min(len(tools), mostTools)], nil
}

// lines are messages on the standard input and output of a program, a line each.
type lines struct {
	in  io.Writer
	out *bufio.Scanner
}

func newLines(in io.Writer, out io.Reader) lines {
	l := lines{in, bufio.NewScanner(out)}
	l.out.Buffer(nil, mostBytes)
	return l
}

func (l lines) send(message []byte) error {
	_, err := l.in.Write(append(message, '\n'))
	if errors.Is(err, syscall.EPIPE) {
		return nil // it ended: what it wrote before says more
	}
	return err
}

func (l lines) receive() ([]byte, error) {
	for l.out.Scan() {
		if len(bytes.TrimSpace(l.out.Bytes())) > 0 {
			return l.out.Bytes(), nil
		}
	}
	if err := l.out.Err(); err != nil {
		return nil, err
	}
	return nil, io.ErrUnexpectedEOF
}

// remote is messages over HTTP: each is posted, and the answer is in the response; or, with
// the older transport, in a stream of events, which also says where to post.
type remote struct {
	ctx              context.Context
	client           *http.Client
	url              string
	events           bool // the older transport
	session, version string
	next             func() (gosse.Event, error, bool)
	stop             func()
}

// open connects, where the transport is the older one.
func (r *remote) open() error {
	if !r.events {
		return nil
	}
	resp, err := r.do(http.MethodGet, nil) //nolint:bodyclose // close does it
	if err != nil {
		return err
	}
	r.read(resp)
	ev, err, _ := r.next()
	base, _ := url.Parse(r.url)
	to, wrong := base.Parse(strings.TrimSpace(ev.Data))
	switch {
	case err != nil:
		return err
	case ev.Type != "endpoint" || wrong != nil || to.Host != base.Host || to.Scheme != base.Scheme:
		return errors.New("it does not say where on its host to post")
	}
	r.url = to.String()
	return nil
}

// close ends the session.
func (r *remote) close() {
	if r.session != "" {
		var stop func()
		r.ctx, stop = context.WithTimeout(r.ctx, endsWithin)
		defer stop()
		if resp, err := r.do(http.MethodDelete, nil); err == nil {
			_ = resp.Body.Close()
		}
	}
	if r.stop != nil {
		r.stop()
	}
}

// do makes a request. A status that is no success is an error.
func (r *remote) do(method string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(r.ctx, method, r.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range map[string]string{"Mcp-Session-Id": r.session, "Mcp-Protocol-Version": r.version} {
		if value != "" && !r.events {
			req.Header.Set(name, value)
		}
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := r.client.Do(req)
	if err == nil && resp.StatusCode/100 != 2 {
		_ = resp.Body.Close()
		err = errors.New("it answers " + resp.Status)
	}
	return resp, err
}

func (r *remote) send(message []byte) error {
	resp, err := r.do(http.MethodPost, message)
	if err != nil {
		return err
	}
	if s := resp.Header.Get("Mcp-Session-Id"); s != "" {
		r.session = s
	}
	if r.events || resp.StatusCode == http.StatusAccepted || resp.StatusCode == http.StatusNoContent {
		return resp.Body.Close() // no answer
	}
	r.read(resp)
	return nil
}

// read has what follows received from the response: a stream of events, or one message.
func (r *remote) read(resp *http.Response) {
	if r.stop != nil {
		r.stop()
	}
	body := io.LimitReader(resp.Body, mostBytes)
	events := iter.Seq2[gosse.Event, error](gosse.Read(body, &gosse.ReadConfig{MaxEventSize: mostBytes}))
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind != "text/event-stream" {
		events = func(yield func(gosse.Event, error) bool) {
			all, err := io.ReadAll(body)
			yield(gosse.Event{Data: string(all)}, err)
		}
	}
	next, stop := iter.Pull2(events)
	r.next, r.stop = next, func() { stop(); _ = resp.Body.Close() }
}

func (r *remote) receive() ([]byte, error) {
	for r.next != nil {
		ev, err, more := r.next()
		switch {
		case err != nil:
			return nil, err
		case !more:
			return nil, io.ErrUnexpectedEOF
		case strings.TrimSpace(ev.Data) != "" && (ev.Type == "" || ev.Type == "message"):
			return []byte(ev.Data), nil
		}
	}
	return nil, io.ErrUnexpectedEOF
}
