package copilot_test

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

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
		case in.Method == "initialize":
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
