package copilot_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/creachadair/jrpc2/channel"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// role makes the test binary play another program: an MCP server, or something
// that is not quite the Copilot CLI.
const role = "PARLEY_TEST_ROLE"

func TestMain(m *testing.M) {
	play := map[string]func() int{
		"":            m.Run,
		"mcp":         playMCP,
		"old":         playOld,
		"crash":       playCrash,
		"chatty":      playChatty,
		"not json":    playNotJSON,
		"silent":      playSilent,
		"no connect":  func() int { return playRuntime(nil) },
		"protocol 2":  func() int { return playRuntime(hello(2)) },
		"protocol 4":  func() int { return playRuntime(hello(4)) },
		"deaf":        playDeaf,
		"flood":       playFlood,
		"quits later": playQuitsLater,
	}[os.Getenv(role)]
	os.Exit(play())
}

// message is one message of JSON-RPC, in either direction.
type message struct {
	JSONRPC string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id,omitzero"`
	Method  string         `json:"method,omitzero"`
	Params  jsontext.Value `json:"params,omitzero"`
	Result  any            `json:"result,omitzero"`
	Error   any            `json:"error,omitzero"`
}

type object = map[string]any

// playOld is a CLI from before the server mode.
func playOld() int {
	fmt.Fprintln(os.Stderr, "error: unknown option '--headless'")
	return 1
}

// playCrash fails at once, with much to say.
func playCrash() int {
	for i := range 2000 {
		fmt.Fprintf(os.Stderr, "trace line %d\n", i)
	}
	fmt.Fprintln(os.Stderr, "the disk is full")
	return 3
}

// playChatty is some other program that reads its input.
func playChatty() int {
	fmt.Fprintln(os.Stdout, "Hello! What would you like to do today?")
	fmt.Fprintln(os.Stdout, "Type help for help")
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

func playNotJSON() int {
	fmt.Fprint(os.Stdout, "Content-Length: 5\r\n\r\nhello")
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

// playSilent never says anything.
func playSilent() int {
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

// hello answers connect.
func hello(protocol float64) func(string) any {
	return func(method string) any {
		if method != "connect" {
			return nil
		}
		return object{"ok": true, "protocolVersion": protocol, "version": "9.9.9"}
	}
}

// playRuntime serves requests; what answers none gets "method not found".
func playRuntime(answer func(method string) any) int {
	ch := channel.LSP(os.Stdin, os.Stdout)
	for {
		raw, err := ch.Recv()
		if err != nil {
			return 0
		}
		serve(ch, raw, answer)
	}
}

func serve(ch channel.Channel, raw []byte, answer func(method string) any) {
	var in message
	if err := json.Unmarshal(raw, &in); err != nil {
		panic(err)
	}
	if in.Method == "" {
		return
	}
	out := message{JSONRPC: "2.0", ID: in.ID}
	if answer != nil {
		out.Result = answer(in.Method)
	}
	if out.Result == nil {
		out.Error = object{"code": -32601, "message": "Unhandled method " + in.Method}
	}
	post(ch, out)
}

func post(ch channel.Channel, m message) {
	b, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	if err := ch.Send(b); err != nil {
		os.Exit(0) // nobody listens any more
	}
}

// playDeaf is well until it should end.
func playDeaf() int {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	playRuntime(hello(3))
	select {}
}

// stub answers what opening a session takes.
func stub(method string) any {
	switch method {
	case "connect":
		return hello(3)(method)
	case "session.create":
		return object{"sessionId": "x", "mode": "interactive", "modelState": object{"modelId": "m"}}
	case "permissions.folderTrust.checkTrust":
		return object{"trusted": true}
	}
	return object{"success": true, "handle": "h"}
}

// floodSize is how many events playFlood sends for one prompt.
const floodSize = 20_000

// playFlood answers a prompt with many events, some of them large or of other
// sessions, between messages nobody knows, and a request with an id of ours.
func playFlood() int {
	ch := channel.LSP(os.Stdin, os.Stdout)
	id := ""
	for {
		raw, err := ch.Recv()
		if err != nil {
			return 0
		}
		var in struct {
			Method string `json:"method"`
			Params struct {
				SessionID string `json:"sessionId"`
			} `json:"params"`
			Error *struct {
				Code int `json:"code"`
			} `json:"error"`
		}
		if err := json.Unmarshal(raw, &in); err != nil {
			panic(err)
		}
		if in.Error != nil { // to our request
			event(ch, id, "refused", object{"type": "session.info", "data": object{
				"infoType": "test", "message": fmt.Sprint(in.Error.Code),
			}})
			continue
		}
		serve(ch, raw, stub)
		if in.Method == "session.send" {
			id = in.Params.SessionID
			flood(ch, id)
		}
	}
}

func flood(ch channel.Channel, id string) {
	post(ch, message{JSONRPC: "2.0", ID: jsontext.Value("1"), Method: "who.are.you", Params: jsontext.Value("{}")})
	large := strings.Repeat("x", 500_000)
	for i := range floodSize {
		text := fmt.Sprint(i)
		if i%5000 == 0 {
			event(ch, id, fmt.Sprintf("noise-%d", i), object{"type": "model.messages_snapshot", "data": object{"m": large}})
			text += " " + large
		}
		if i%100 == 0 {
			event(ch, "somebody else", "", object{"type": "assistant.idle", "data": object{}})
			post(ch, message{JSONRPC: "2.0", Method: "host.event", Params: jsontext.Value(`{"kind":"task_transition"}`)})
		}
		event(ch, id, fmt.Sprintf("e-%d", i), object{
			"type": "assistant.message_delta", "ephemeral": true,
			"data": object{"messageId": "m", "deltaContent": text},
		})
	}
}

func event(ch channel.Channel, session, id string, e object) {
	e["id"], e["timestamp"], e["parentId"] = id, "2026-01-02T03:04:05.000Z", nil
	params, err := json.Marshal(object{"sessionId": session, "event": e})
	if err != nil {
		panic(err)
	}
	post(ch, message{JSONRPC: "2.0", Method: "session.event", Params: params})
}

// playQuitsLater dies on the first prompt, in the middle of a message.
func playQuitsLater() int {
	ch := channel.LSP(os.Stdin, os.Stdout)
	for {
		raw, err := ch.Recv()
		if err != nil {
			return 0
		}
		if strings.Contains(string(raw), `"session.send"`) {
			fmt.Fprintln(os.Stderr, "out of memory")
			fmt.Fprint(os.Stdout, "Content-Length: 500\r\n\r\n{\"jsonrpc\"")
			return 9
		}
		serve(ch, raw, stub)
	}
}

// playMCP is an MCP server on standard input and output (one message a line)
// with tools that ask their client for something.
func playMCP() int {
	out := json.MarshalWrite
	lines := bufio.NewScanner(os.Stdin)
	var calling jsontext.Value
	for lines.Scan() {
		var in message
		if err := json.Unmarshal(lines.Bytes(), &in, json.RejectUnknownMembers(false)); err != nil {
			return 1
		}
		var reply message
		switch {
		case in.Method == "" && calling != nil: // the answer to what a tool asked
			reply = message{ID: calling, Result: object{"content": []object{{"type": "text", "text": "told: " + lines.Text()}}}}
			calling = nil
		case in.Method == "initialize": //nolint:misspell // MCP's word
			reply = message{ID: in.ID, Result: object{
				"protocolVersion": "2025-06-18", "capabilities": object{"tools": object{}},
				"serverInfo": object{"name": "asker", "version": "1"},
			}}
		case in.Method == "tools/list":
			schema := object{"type": "object", "properties": object{}}
			reply = message{ID: in.ID, Result: object{"tools": []object{
				{"name": "form", "description": "asks for a form", "inputSchema": schema},
				{"name": "sample", "description": "asks for a model", "inputSchema": schema},
			}}}
		case in.Method == "tools/call":
			calling = in.ID
			reply = ask(string(in.Params))
		case in.ID != nil:
			reply = message{ID: in.ID, Result: object{}}
		default:
			continue
		}
		reply.JSONRPC = "2.0"
		if err := errors.Join(out(os.Stdout, reply), newline(os.Stdout)); err != nil {
			return 1
		}
	}
	return 0
}

func newline(w io.Writer) error {
	_, err := io.WriteString(w, "\n")
	return err
}

// ask is what a tool of the MCP server asks its client.
func ask(params string) message {
	if strings.Contains(params, `"sample"`) {
		return message{ID: jsontext.Value("77"), Method: "sampling/createMessage", Params: jsontext.Value(
			`{"maxTokens":5,"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}`)}
	}
	return message{ID: jsontext.Value("78"), Method: "elicitation/create", Params: jsontext.Value(
		`{"message":"Your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}`)}
}
