package e2e

import (
	"bufio"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/cli/clitest"
	"parley/session/sessiontest"
)

// mcpEnv makes the test binary an MCP server on its standard input and output.
const mcpEnv = "PARLEY_TEST_MCP"

// object is a JSON object.
type object = map[string]any

// mcpMessage is a JSON-RPC message of the protocol.
type mcpMessage struct {
	JSONRPC string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id,omitzero"`
	Method  string         `json:"method,omitzero"`
	Params  jsontext.Value `json:"params,omitzero"`
	Result  any            `json:"result,omitzero"`
}

// playMCP serves tools: "echo" returns its argument, "ask" asks the question
// whose name it is given and returns the answer; see mcpWork for the others.
func playMCP() int {
	var calling jsontext.Value // the call that waits for the user
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var in mcpMessage
		if err := json.Unmarshal(lines.Bytes(), &in); err != nil {
			return 1
		}
		out := mcpMessage{JSONRPC: "2.0", ID: in.ID, Result: object{}}
		switch in.Method {
		case "": // the user's answer
			out.ID, out.Result = calling, content(lines.Text())
		case "initialize":
			out.Result = object{
				"protocolVersion": "2025-06-18", "capabilities": object{"tools": object{}}, "serverInfo": object{"name": "asker", "version": "1"},
			}
		case "tools/list":
			tools := []object{mcpTool("echo"), mcpTool("ask")}
			for _, name := range slices.Sorted(maps.Keys(mcpWork)) {
				tools = append(tools, mcpTool(name))
			}
			out.Result = object{"tools": tools}
		case "tools/call":
			var call struct {
				Name      string `json:"name"`
				Arguments struct {
					About string `json:"about"`
				} `json:"arguments"`
				Meta struct {
					Token jsontext.Value `json:"progressToken"`
				} `json:"_meta"`
			}
			if err := json.Unmarshal(in.Params, &call); err != nil {
				return 1
			}
			out.Result = content(call.Arguments.About)
			if work, ok := mcpWork[call.Name]; ok {
				out.Result = work(call.Meta.Token, call.Arguments.About)
			}
			if call.Name == "ask" {
				calling = in.ID
				out = mcpMessage{JSONRPC: "2.0", ID: jsontext.Value("77"), Method: "elicitation/create", Params: jsontext.Value(mcpQuestions[call.Arguments.About])}
				if call.Arguments.About == "model" {
					out.Method = "sampling/createMessage"
				}
			}
		}
		if in.Method != "" && in.ID == nil { // a notification
			continue
		}
		if json.MarshalWrite(os.Stdout, out) != nil {
			return 1
		}
		_, _ = io.WriteString(os.Stdout, "\n")
	}
	return 0
}

func mcpTool(name string) object {
	return object{"name": name, "description": "a test", "inputSchema": object{"type": "object", "properties": object{}, "additionalProperties": true}}
}

func content(text string) object {
	return object{"content": []object{{"type": "text", "text": "received: " + text}}}
}

// withMCP makes a folder bring the MCP server along, under the name "asker".
func withMCP(t *testing.T, dir string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file, err := json.Marshal(object{"mcpServers": object{"asker": object{"command": self, "args": []string{}, "env": object{mcpEnv: "1"}}}})
	if err != nil {
		t.Fatal(err)
	}
	clitest.Put(t, filepath.Join(dir, ".mcp.json"), string(file))
}

// playForms starts on a folder whose MCP server asks, and trusts that.
func playForms(t *testing.T, l launch) *stage {
	t.Helper()
	l.dir = t.TempDir()
	withMCP(t, l.dir)
	s := play(t, nil, l)
	s.card("Trust this folder?")
	s.readOn()
	s.answer("y", ".mcp.json", "an MCP server")
	s.enter("enter allows it")
	s.waitGone("Trust this folder?")
	return s
}

// asks has the model call the tool that asks the user, once the call is allowed for
// the session.
func (s *stage) asks(turn, about string) {
	s.t.Helper()
	s.turn(turn, call("asker-ask", object{"about": about}))
}

// received is what the MCP server got for its last question, as JSON with its
// members in order.
func (s *stage) received() string {
	s.t.Helper()
	results := s.results()
	var answer struct {
		Result jsontext.Value `json:"result"`
	}
	raw := strings.TrimPrefix(results[len(results)-1], "received: ")
	if err := json.Unmarshal([]byte(raw), &answer); err != nil {
		s.t.Fatalf("the server received %q: %v", raw, err)
	}
	if err := answer.Result.Canonicalize(); err != nil {
		s.t.Fatal(err)
	}
	return string(answer.Result)
}

// mcpQuestions are what the MCP server can ask.
var mcpQuestions = map[string]string{
	"trip": `{"message":"Where to?","requestedSchema":{"type":"object","required":["place"],"properties":{
		"place":{"type":"string","title":"Place","minLength":2,"maxLength":20},
		"guests":{"type":"integer","title":"Guests","minimum":1},
		"day":{"type":"string","title":"Day","format":"date"},
		"soon":{"type":"boolean","title":"Soon"},
		"size":{"type":"string","title":"Size","oneOf":[{"const":"s","title":"Small"},{"const":"l","title":"Large"}]},
		"tags":{"type":"array","title":"Tags","minItems":2,"items":{"type":"string","enum":["red","green","blue"]}}}}}`,
	"visit": `{"mode":"url","message":"Look there","url":"https://example.org/look?at=this","elicitationId":"look-1"}`,
	// This one is for the model, not for the user.
	"model": `{"maxTokens":5,"messages":[{"role":"user","content":{"type":"text","text":"say hi"}}]}`,
}

// TestServerAsks has an MCP server ask for all that one can: a form, which is
// cancelled, filled in and declined, an address, which is opened or not, and the use of
// the model, which is refused. What its tools report, fail with and paint is shown.
func TestServerAsks(t *testing.T) { bothWindows(t, journeyServerAsks) }

// journeyServerAsks is it in one window.
func journeyServerAsks(t *testing.T, l launch) {
	t.Helper()
	opened := filepath.Join(t.TempDir(), "opened")
	l.env = scriptBrowser(t, opened)
	s := playForms(t, l)
	s.asks("cancelled", "trip")
	s.answer("s", "Call this tool?", "ask (asker)", "Yes, `ask` of `asker` for this session")
	s.card("The server `asker` asks", "Where to?", "tab fill it in")
	s.press("enter")
	s.wait("❯ Place")
	s.typed("the sea")
	s.press("esc")
	s.answer("x", "The form is not sent yet.", "dismiss it")
	s.receives("cancelled", `{"action":"cancel"}`)

	s.asks("accepted", "trip")
	s.card("Where to?", "What you wrote here before is back.", "Place   the sea")
	s.fillsIn()
	s.answer("y", "The server `asker` asks: your answers", "the sea", "2026-02-28", "red, blue", "left out", "y  Submit")
	s.receives("accepted",
		`{"action":"accept","content":{"day":"2026-02-28","guests":3,"place":"the sea","size":"l","tags":["red","blue"]}}`)

	s.asks("declined", "trip")
	s.card("Where to?", "Place   required")
	s.press("tab", "tab", "tab", "tab", "tab", "tab", "tab")
	s.card("your answers", "1 answer needs a change before this can be submitted.", "y  Change the first of them")
	s.press("d")
	s.receives("declined", `{"action":"decline"}`)

	s.visits(opened)
	s.asks("model", "model")
	s.over("model", "Refused: the server `asker` wanted to use the model (sampling)", "say hi")
	s.requested("tool", "cancelled the request")
	s.showsItsWork()
	s.leave()
}

// receives waits for the end of a turn and compares what the server received.
func (s *stage) receives(turn, want string) {
	s.t.Helper()
	s.over(turn)
	if got := s.received(); got != want {
		s.t.Errorf("%s: the server received %s, not %s", turn, got, want)
	}
}

// fillsIn goes through the fields of the form, two of which are wrong at first.
func (s *stage) fillsIn() {
	s.t.Helper()
	s.press("tab", "tab")
	s.wait("❯ Guests")
	s.typed("3")
	s.press("enter")
	s.wait("❯ Day")
	s.typed("2026-02")
	s.press("enter")
	s.wait("Not a date, such")
	s.send("-28")
	s.wait("2026-02-28")
	s.press("enter")
	s.wait("❯ Soon")
	s.press("tab")
	s.wait("❯ Size")
	s.press("l", "space", "enter")
	s.wait("❯ Tags", "Size    Large")
	s.press("down", "space", "enter")
	s.wait("✗", "at least 2")
	s.press("down", "down", "space", "enter")
}

// visits answers what asks to open an address, no and yes.
func (s *stage) visits(opened string) {
	s.t.Helper()
	const address = "https://example.org/look?at=this"
	card := []string{"The server `asker` asks you to open an address", "Look there", address, "host      example.org"}
	for _, c := range []struct{ key, row, want string }{
		{"n", "tell the agent no", `{"action":"decline"}`},
		{"y", "y  Open it in the browser", `{"action":"accept"}`},
	} {
		s.asks("visit-"+c.key, "visit")
		s.card(append(card, c.row)...)
		if _, err := os.Stat(opened); err == nil {
			s.t.Error("it was opened before anybody said yes")
		}
		s.press(c.key)
		s.receives("visit-"+c.key, c.want)
	}
	s.wait("Opening example.org in the browser")
	s.waitFor("the browser to get the address", func(string) bool {
		got, err := os.ReadFile(opened)
		return err == nil && string(got) == address
	})
}

// scriptBrowser is an environment in which opening an address writes it into a
// file.
func scriptBrowser(t *testing.T, file string) []string {
	t.Helper()
	dir := t.TempDir()
	script := "#!/bin/sh\nprintf %s \"$1\" > '" + file + "'\n"
	sessiontest.Program(t, filepath.Join(dir, "xdg-open"), script)
	return []string{"PATH=" + dir + ":/usr/local/bin:/usr/bin:/bin", "DISPLAY=:0"}
}
