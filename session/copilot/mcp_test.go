package copilot_test

import (
	"bufio"
	"errors"
	"io"
	"os"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// mcpAsks is what the tools of the MCP server ask their client, if anything, by
// the tool's name.
var mcpAsks = map[string]message{
	"sample": {ID: jsontext.Value("77"), Method: "sampling/createMessage", Params: jsontext.Value(
		`{"maxTokens":5,"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}`)},
	"form": {ID: jsontext.Value("78"), Method: "elicitation/create", Params: jsontext.Value(
		`{"message":"Your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}`)},
	"long-form": {ID: jsontext.Value("79"), Method: "elicitation/create", Params: jsontext.Value(
		`{"message":"All of it?","requestedSchema":{"type":"object","required":["name"],"properties":{` +
			`"name":{"type":"string","minLength":1},"when":{"type":"string","format":"date"},` +
			`"weight":{"type":"number"},"count":{"type":"integer","minimum":1},"sure":{"type":"boolean"},` +
			`"size":{"type":"string","enum":["s","m"]},"tags":{"type":"array","items":{"type":"string","enum":["a","b"]}}}}}`)},
	"url": {ID: jsontext.Value("80"), Method: "elicitation/create", Params: jsontext.Value(
		`{"mode":"url","message":"Look there","url":"https://example.org/look?at=this","elicitationId":"look-1"}`)},
	"quiet":  {},
	"silent": {},
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
		case in.Method == "initialize":
			reply = message{ID: in.ID, Result: object{
				"protocolVersion": "2025-06-18", "capabilities": object{"tools": object{}},
				"serverInfo": object{"name": "asker", "version": "1"},
			}}
		case in.Method == "tools/list":
			reply = message{ID: in.ID, Result: object{"tools": tools()}}
		case in.Method == "tools/call":
			var call struct {
				Name string `json:"name"`
			}
			if err := json.Unmarshal(in.Params, &call); err != nil {
				return 1
			}
			calling, reply = in.ID, mcpAsks[call.Name]
			if reply.Method == "" { // a tool that asks nothing
				calling, reply = nil, message{ID: in.ID, Result: object{"content": []object{{"type": "text", "text": "done"}}}}
			}
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

func tools() []object {
	all := make([]object, 0, len(mcpAsks))
	for name := range mcpAsks {
		all = append(all, object{
			"name": name, "description": "asks its client", "inputSchema": object{"type": "object", "properties": object{}},
		})
	}
	return all
}

func newline(w io.Writer) error {
	_, err := io.WriteString(w, "\n")
	return err
}
