package main

import (
	"bufio"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session/sessiontest/llm"
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

// playMCP serves tools: "echo" returns what it is told, "ask" asks the question
// it is told the name of and returns the answer; see mcpWork for the others.
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
	put(t, filepath.Join(dir, ".mcp.json"), string(file))
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
	s.waitGone("Trust this folder?")
	return s
}

// TestFolderNotTrusted starts nothing of what the folder brings along.
func TestFolderNotTrusted(t *testing.T) {
	t.Parallel()
	l := launch{dir: t.TempDir()}
	withMCP(t, l.dir)
	s := play(t, nil, l)
	s.answer("n", "Trust this folder?", "n  No, work without them")
	s.waitGone("Trust this folder?")
	s.turn("go", llm.Call{Name: "asker-echo", Args: object{"about": "hello"}})
	s.over("go")
	if heard := s.heard("tool"); strings.Contains(heard, "received") {
		t.Errorf("the server of the folder answered %q", heard)
	}
	s.leave()
}

// asks has the model call the tool that asks the user, and allows the call.
func (s *stage) asks(turn, about string) {
	s.t.Helper()
	s.turn(turn, llm.Call{Name: "asker-ask", Args: object{"about": about}})
	s.card("Call this tool?", "ask (asker)")
	s.readOn()
	s.answer("y")
	s.waitGone("Call this tool?")
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
	"sign up": `{"message":"Who are you?","requestedSchema":{"type":"object","required":["name","mail","age"],"properties":{
		"name":{"type":"string","title":"Name","minLength":2},
		"mail":{"type":"string","title":"Address","format":"email"},
		"age":{"type":"integer","title":"Age","minimum":18,"maximum":120},
		"height":{"type":"number","title":"Height"},
		"site":{"type":"string","title":"Site","format":"uri"},
		"born":{"type":"string","title":"Born","format":"date"},
		"seen":{"type":"string","title":"Seen","format":"date-time"},
		"code":{"type":"string","title":"Code","pattern":"^[A-Z]{3}$"},
		"news":{"type":"boolean","title":"News","default":true},
		"pay":{"type":"string","title":"Pay","enum":["card","cash"]},
		"size":{"type":"string","title":"Size","oneOf":[{"const":"s","title":"Small"},{"const":"l","title":"Large"}]},
		"tags":{"type":"array","title":"Tags","minItems":2,"items":{"type":"string","enum":["red","green","blue"]}},
		"note":{"type":"string","title":"Note"}}}}`,
	"short": `{"message":"Where to?","requestedSchema":{"type":"object","required":["place"],"properties":{
		"place":{"type":"string","title":"Place","maxLength":20},"soon":{"type":"boolean","title":"Soon"}}}}`,
	"visit": `{"mode":"url","message":"Look there","url":"https://example.org/look?at=this","elicitationId":"look-1"}`,
	// This one is for the model, not for the user.
	"model": `{"maxTokens":5,"messages":[{"role":"user","content":{"type":"text","text":"say hi"}}]}`,
}

// TestFormOfEveryType fills in a form with a field of every type, with what is
// wrong at first. The server gets each answer in its own type.
func TestFormOfEveryType(t *testing.T) {
	t.Parallel()
	s := playForms(t, launch{height: 40, width: 100})
	s.asks("form", "sign up")
	s.card("The server `asker` asks", "Who are you?", "tab fill it in")
	s.press("tab")
	for _, f := range []struct {
		label          string
		wrong, problem string // what is tried first
		text           string
		end            string // the key that ends it
	}{
		{label: "Name", wrong: "A", problem: "At least 2 characters", text: "da", end: "tab"},
		{label: "Address", wrong: "ada", problem: "Not an e-mail address", text: "@example.org", end: "enter"},
		{label: "Age", wrong: "1", problem: "Between 18 and 120", text: "8", end: "enter"},
		{label: "Height", wrong: "-", problem: "number", text: "1.75", end: "enter"},
		{label: "Site", wrong: "https:", problem: "Not a whole address", text: "//example.org/ada", end: "enter"},
		{label: "Born", wrong: "2026-02", problem: "Not a date, such", text: "-28", end: "enter"},
		{label: "Seen", wrong: "2026-02-28", problem: "Not a date and time", text: "T12:30:00Z", end: "enter"},
		{label: "Code", wrong: "AB", problem: "Not", text: "C", end: "enter"},
	} {
		s.wait("❯ " + f.label)
		s.typed(f.wrong)
		s.press(f.end)
		if f.end == "tab" { // goes on all the same
			s.wait(f.problem)
			s.press("shift+tab")
			s.wait("❯ " + f.label)
		}
		s.wait(f.problem)
		s.send(f.text)
		s.wait(f.wrong + f.text)
		s.press(f.end)
	}
	s.wait("❯ News", "✓ Yes") // as the schema proposes
	s.press("down", "enter")
	s.wait("❯ Pay", "News     No")
	s.press("1", "enter")
	s.wait("❯ Size", "Pay      card")
	s.press("l", "space", "enter")
	s.wait("❯ Tags", "Size     Large")
	s.press("down", "space", "enter")
	s.wait("✗", "at least 2")
	s.press("down", "down", "space", "enter")
	s.wait("❯ Note", "Tags     red, blue")
	s.typed("two")
	s.press("enter")
	s.typed("lines")
	s.press("tab")
	s.answer("y", "The server `asker` asks: your answers", "Ada", "ada@example.org", "2026-02-28T12:30:00Z", "red, blue", "two", "lines", "y  Submit")
	s.over("form")
	want := `{"action":"accept","content":{"age":18,"born":"2026-02-28","code":"ABC","height":-1.75,"mail":"ada@example.org",` +
		`"name":"Ada","news":false,"note":"two\nlines","pay":"card","seen":"2026-02-28T12:30:00Z","site":"https://example.org/ada",` +
		`"size":"l","tags":["red","blue"]}}`
	if got := s.received(); got != want {
		t.Errorf("the server received\n%s, not\n%s", got, want)
	}
	s.leave()
}

// TestFormAnswers ends a form in each way: what was written comes back when it
// is asked again after it was cancelled.
func TestFormAnswers(t *testing.T) {
	t.Parallel()
	s := playForms(t, launch{})
	expect := func(turn, want string) {
		t.Helper()
		s.over(turn)
		if got := s.received(); got != want {
			t.Errorf("%s: the server received %s, not %s", turn, got, want)
		}
	}
	s.asks("cancelled", "short")
	s.card("Where to?", "tab fill it in")
	s.press("enter")
	s.wait("❯ Place")
	s.typed("the sea")
	s.press("esc")
	s.answer("x", "The form is not sent yet.", "dismiss it")
	expect("cancelled", `{"action":"cancel"}`)

	s.asks("accepted", "short")
	s.card("Where to?", "What you wrote here before is back.", "Place  the sea")
	s.press("tab", "tab", "tab")
	s.answer("y", "your answers", "the sea", "left out", "y  Submit")
	expect("accepted", `{"action":"accept","content":{"place":"the sea"}}`)

	s.asks("declined", "short")
	s.card("Where to?", "Place  needed")
	s.press("tab", "tab", "tab")
	s.card("your answers", "1 answer needs a change before this can be submitted.", "y  Change the first of them")
	s.press("d")
	expect("declined", `{"action":"decline"}`)
	s.leave()
}

// TestServerAsksTheModel is refused with a reason on the screen, and the turn
// goes on.
func TestServerAsksTheModel(t *testing.T) {
	t.Parallel()
	s := playForms(t, launch{})
	s.asks("go", "model")
	s.over("go", "Refused: the server `asker` wanted to use the model (sampling)", "say hi")
	s.told("tool", "cancelled the request")
	s.leave()
}

// TestInterruptedForm interrupts while a form is filled in: the server gets no
// answer of the user, and what was typed is a draft.
func TestInterruptedForm(t *testing.T) {
	t.Parallel()
	s := playForms(t, launch{})
	s.asks("form", "short")
	s.card("Where to?", "tab fill it in")
	s.press("tab")
	s.wait("❯ Place")
	s.typed("the sea")
	s.abandon("❯ Place: the sea", "Where to?")
	s.turn("after")
	s.over("after")
	if heard := s.heard("tool"); strings.Contains(heard, "accept") || strings.Contains(heard, "the sea") {
		t.Errorf("the model heard %q", heard)
	}
	s.leave()
}

// TestAddressOfAServer opens the address that a server asks for, or does not.
func TestAddressOfAServer(t *testing.T) {
	t.Parallel()
	opened := filepath.Join(t.TempDir(), "opened")
	s := playForms(t, launch{env: scriptBrowser(t, opened)})
	card := []string{"The server `asker` asks you to open an address", "Look there", "https://example.org/look?at=this", "host      example.org"}
	for _, c := range []struct{ key, row, want string }{
		{"n", "tell the agent no", `{"action":"decline"}`},
		{"x", "dismiss it", `{"action":"cancel"}`},
		{"y", "y  Open it in the browser", `{"action":"accept"}`},
	} {
		s.asks(c.key, "visit")
		s.card(append(card, c.row)...)
		if _, err := os.Stat(opened); err == nil {
			t.Error("it was opened before anybody said yes")
		}
		s.press(c.key)
		s.over(c.key)
		if got := s.received(); got != c.want {
			t.Errorf("%s: the server received %s, not %s", c.key, got, c.want)
		}
	}
	s.wait("Opening example.org in the browser")
	s.leave()
	if got, err := os.ReadFile(opened); err != nil || string(got) != "https://example.org/look?at=this" {
		t.Errorf("the browser was given %q (%v)", got, err)
	}
}

// TestAddressWithoutABrowser has no display to show a browser on: the user
// gets the address itself.
func TestAddressWithoutABrowser(t *testing.T) {
	t.Parallel()
	s := playForms(t, launch{})
	s.asks("go", "visit")
	s.answer("y", "Look there", "y  Open it in the browser")
	s.over("go", "No browser can be reached from here; the address is on the clipboard.")
	if !strings.Contains(s.raw(), ansi.SetSystemClipboard("https://example.org/look?at=this")) {
		t.Error("the address is not on the clipboard")
	}
	s.leave()
}

// scriptBrowser is an environment in which opening an address writes it into a
// file.
func scriptBrowser(t *testing.T, file string) []string {
	t.Helper()
	dir := t.TempDir()
	script := "#!/bin/sh\nprintf %s \"$1\" > '" + file + "'\n"
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return []string{"PATH=" + dir + ":/usr/local/bin:/usr/bin:/bin", "DISPLAY=:0"}
}
