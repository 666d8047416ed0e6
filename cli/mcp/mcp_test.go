package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"parley/cli/clitest"
	"parley/cli/process"
	"parley/tui/widget"
)

// server is an MCP server with two tools.
func server() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "tide", Version: "2"}, nil)
	none := func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
		return nil, nil, nil
	}
	sdk.AddTool(s, &sdk.Tool{Name: "high", Description: "When it is high\x1b]0;x\x07 in " + os.Getenv("PLACE") + "\nand more"}, none)
	sdk.AddTool(s, &sdk.Tool{Name: "low"}, none)
	return s
}

// command carries out a command line below mcp.
func command(args ...string) func(process.Console) int {
	return func(c process.Console) int {
		cmd := Command(c)
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		cmd.SetArgs(args)
		cmd.SetOut(c.Out)
		return process.ExitCode(c, cmd.Execute())
	}
}

// bench is a home of the agent and a project.
type bench struct {
	*testing.T
	home, project string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	return &bench{t, t.TempDir(), t.TempDir()}
}

func (b *bench) run(args ...string) clitest.Result {
	b.Helper()
	args = append([]string{args[0], "--cwd", b.project}, args[1:]...)
	return clitest.Run(b.T, []string{"COPILOT_HOME=" + b.home, "PLACE=Brest", "EDITOR=" + b.editor()}, "", command(args...))
}

// editor is the test binary, which does to a file what the file edit says.
func (b *bench) editor() string {
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	return "'" + self + "' edit '" + filepath.Join(b.home, "edit") + "'"
}

func (b *bench) path() string { return filepath.Join(b.home, "mcp-config.json") }

func (b *bench) text(path string) string {
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		b.Fatal(err)
	}
	return string(text)
}

// TestAddRemove adds servers, lists and shows them without their secrets, and removes
// them again.
func TestAddRemove(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if got := b.run("list"); got.Out != "No MCP servers are configured; `parley mcp add` adds one.\n" {
		t.Errorf("%+v", got)
	}
	const key = "swordfish"
	got := b.run("add", "docs", "--yes", "--env", "KEY="+key, "--", "npx", "-y", "docs")
	if got.Code != process.ExitOK || !strings.Contains(got.Out, `+       "command": "npx"`) || !strings.Contains(got.Out, `"KEY": "***"`) ||
		strings.Contains(got.Out+got.Err, key) || !strings.Contains(got.Err, "Added docs.") {
		t.Errorf("%+v", got)
	}
	if text := b.text(b.path()); !strings.Contains(text, `"KEY": "`+key+`"`) {
		t.Errorf("%s", text)
	}
	got = b.run("add", "web", "https://example.org/mcp", "--scope", "project", "--yes", "--header", "Authorization: Bearer "+key)
	project := filepath.Join(b.project, ".mcp.json")
	if got.Code != process.ExitOK || strings.Contains(got.Out+got.Err, key) || !strings.Contains(got.Err, "folders that you trust only") ||
		!strings.Contains(b.text(project), `"Authorization": "Bearer `+key+`"`) {
		t.Errorf("%+v", got)
	}
	got = b.run("list")
	home, _ := os.UserHomeDir() // on Windows temporary folders are below it
	if got.Code != process.ExitOK || !strings.Contains(got.Out, "web   http   project "+widget.ShortPath(project, home)+" ") ||
		!strings.Contains(got.Out, "docs  local  user "+widget.ShortPath(b.path(), home)) {
		t.Errorf("%+v", got)
	}
	if got := b.run("list", "--json"); !strings.Contains(got.Out, `"what": "npx -y docs"`) || strings.Contains(got.Out, key) {
		t.Errorf("%+v", got)
	}
	if got := b.run("get", "docs"); !strings.Contains(got.Out, `"KEY": "***"`) || strings.Contains(got.Out, key) {
		t.Errorf("%+v", got)
	}
	if got := b.run("get", "docs", "--show-secrets"); !strings.Contains(got.Out, `"KEY": "`+key+`"`) {
		t.Errorf("%+v", got)
	}
	for _, name := range []string{"docs", "web"} {
		if got := b.run("remove", name, "--yes"); got.Code != process.ExitOK || strings.Contains(got.Out+got.Err, key) ||
			strings.Contains(got.Err, "trust") || !strings.Contains(got.Err, "Removed "+name+". The file stays, without servers.\n") {
			t.Errorf("%+v", got)
		}
	}
	for _, path := range []string{b.path(), project} {
		if text := b.text(path); text != "{\n  \"mcpServers\": {}\n}\n" {
			t.Errorf("%s: %s", path, text)
		}
	}
}

// TestAsks: without a terminal nothing is written that was not agreed to, on one only after y.
func TestAsks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	got := b.run("add", "docs", "--", "npx")
	if got.Code != process.ExitFailure || !strings.Contains(got.Err, "--yes goes without") || b.text(b.path()) != "" {
		t.Errorf("%+v", got)
	}
	path := filepath.Join(b.project, ".mcp.json")
	for typed, want := range map[string]string{"n\n": "Nothing was written.", "\n": "Nothing was written.", "y\n": "Added docs."} {
		code, wrote := clitest.OnPty(t, typed, command("add", "docs", "--cwd", b.project, "--scope", "project", "--", "npx"))
		if code != process.ExitOK || !strings.Contains(wrote, want) || !strings.Contains(wrote, `"npx"`) {
			t.Errorf("%q: %d %s", typed, code, wrote)
		}
		if written := b.text(path) != ""; written != (typed == "y\n") {
			t.Errorf("%q: written %t", typed, written)
		}
		_ = os.Remove(path)
	}
}

// TestEdit changes a server in an editor, and keeps what it does not know.
func TestEdit(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const before = "{\"x\": 1, \"mcpServers\": {\"a\": {\"command\": \"one\",\n\"env\": {\"K\": \"V\"}, \"unknown\": [1, 2]}}}\n"
	clitest.Put(t, b.path(), before)
	edit := func(e edits) clitest.Result {
		t.Helper()
		script, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		clitest.Put(t, filepath.Join(b.home, "edit"), string(script))
		return b.run("edit", "a", "--yes")
	}
	got := edit(edits{Old: `"V"`, New: `"W"`})
	if got.Code != process.ExitOK || !strings.Contains(got.Out, `"K": "*** (changed)"`) || b.text(b.path()) != strings.Replace(before, `"V"`, `"W"`, 1) {
		t.Errorf("%+v, %s", got, b.text(b.path()))
	}
	clitest.Put(t, b.path(), before)
	if got := edit(edits{}); got.Code != process.ExitOK || !strings.Contains(got.Err, "Nothing was changed.") {
		t.Errorf("%+v", got)
	}
	if got := edit(edits{New: "{\"command\": }\n"}); got.Code != process.ExitFailure || !strings.Contains(got.Err, "is no server: line 1") {
		t.Errorf("%+v", got)
	}
	if got := edit(edits{New: "{\"command\": \"x\"}\n", Other: b.path(), Text: "{}\n"}); got.Code != process.ExitFailure ||
		!strings.Contains(got.Err, "changed meanwhile") || b.text(b.path()) != "{}\n" {
		t.Errorf("%+v", got)
	}
}

// TestRefused is what cannot be done, and what is said about it.
func TestRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	clitest.Put(t, b.path(), "{\"mcpServers\": {\"a\": {\"command\": \"x\"}, \"odd\": {\"command\":\n 3}}}")
	clitest.Put(t, filepath.Join(b.project, ".mcp.json"), `{"mcpServers": {"a": {"command": "y"}}}`)
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"add a --yes -- x", process.ExitFailure, "`parley mcp edit a` changes it"},
		{"add ../a --yes -- x", process.ExitUsage, "is no name for a server"},
		{"add b npx -y", process.ExitUsage, "stands behind --"},
		{"add b", process.ExitUsage, "a command behind -- or a --url"},
		{"add", process.ExitUsage, "a command behind -- or a --url"},
		{"add b --url https://x.example -- x", process.ExitUsage, "not both"},
		{"add b --url ftp://x.example", process.ExitUsage, "is no URL"},
		{"add b --transport http -- x", process.ExitUsage, "needs a url"},
		{"add b --transport tcp -- x", process.ExitUsage, "the transport is one of stdio, http, sse"},
		{"add b --header A:B -- x", process.ExitUsage, "headers are for a URL"},
		{"add b --env secret -- x", process.ExitUsage, `an environment variable is a name and a value with "=" between`},
		{"add b --scope mine -- x", process.ExitUsage, "--scope is user or project"},
		{"remove a --yes", process.ExitFailure, "--scope user or --scope project chooses"},
		{"remove b --yes", process.ExitFailure, "`parley mcp list` lists them"},
		{"get", process.ExitUsage, "get takes the name of one server"},
		{"try odd", process.ExitFailure, "mcp-config.json, line 2: command does not have the documented type"},
		{"try a --timeout 0 --scope user", process.ExitUsage, "above 0"},
	} {
		got := b.run(strings.Fields(c.args)...)
		if got.Code != c.code || !strings.Contains(got.Err, c.want) || strings.Contains(got.Err, "secret") {
			t.Errorf("%s: %+v, want %d %s", c.args, got, c.code, c.want)
		}
	}
	if got := b.run("remove", "odd", "--yes"); got.Code != process.ExitOK {
		t.Errorf("a server that cannot be used is not removed: %+v", got)
	}
	clitest.Put(t, b.path(), "{\n  \"mcpServers\": [\n}")
	for _, args := range []string{"list", "add c --yes -- x", "remove c --yes"} {
		got := b.run(strings.Fields(args)...)
		if got.Code != process.ExitFailure || !strings.Contains(got.Err, "mcp-config.json, line ") {
			t.Errorf("%s: %+v", args, got)
		}
	}
	if got := b.run("list"); !strings.Contains(got.Out, "a  local  project") {
		t.Errorf("the other file is not listed: %+v", got)
	}
}

// TestTry starts servers of both kinds and lists their tools, and says why one does not
// work.
func TestTry(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	seen := make(chan string, 100)
	get := func(*http.Request) *sdk.Server { return server() }
	handler := sdk.NewStreamableHTTPHandler(get, nil)
	plain := httptest.NewServer(sdk.NewStreamableHTTPHandler(get, &sdk.StreamableHTTPOptions{JSONResponse: true}))
	defer plain.Close()
	older := httptest.NewServer(sdk.NewSSEHandler(get, nil))
	defer older.Close()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- "elsewhere " + r.Header.Get("X-Key")
		w.WriteHeader(http.StatusNotFound)
	}))
	defer elsewhere.Close()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
			return
		}
		if r.Header.Get("X-Key") != "Brest" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	defer web.Close()
	b := newBench(t)
	clitest.Put(t, b.path(), fmt.Sprintf(`{"mcpServers": {
		"works": {"command": %[1]q, "env": {%[2]q: "yes", "PLACE": "${NONE:-Cork}"}},
		"broken": {"command": %[1]q, "env": {%[2]q: "broken"}},
		"silent": {"command": %[1]q, "env": {%[2]q: "silent"}},
		"chatty": {"command": %[1]q, "env": {%[2]q: "chatty"}},
		"quiet": {"command": %[1]q, "env": {%[2]q: "quiet"}},
		"missing": {"command": "/nonexistent/server"},
		"web": {"url": %[3]q, "headers": {"X-Key": "${PLACE}"}},
		"away": {"url": %[4]q, "headers": {"X-Key": "secret"}},
		"stranger": {"url": %[3]q},
		"plain": {"url": %[5]q},
		"older": {"url": %[6]q, "type": "sse"}
	}}`, self, role, web.URL, web.URL+"/away", plain.URL, older.URL))
	for name, want := range map[string]string{
		"works": "works works (tide 2): 2 tools\n  high  When it is high", "web": "web works (tide 2): 2 tools\n  high  When it is high",
		"plain": "plain works (tide 2): 2 tools\n", "older": "older works (tide 2): 2 tools\n",
	} {
		got := b.run("try", name)
		if got.Code != process.ExitOK || !strings.HasPrefix(got.Out, want) || !strings.HasSuffix(got.Out, "\n  low\n") ||
			strings.ContainsAny(got.Out, "\x1b\x07") || strings.Contains(got.Out, "and more") {
			t.Errorf("%+v", got)
		}
		if name == "works" && !strings.Contains(got.Out, "in Cork") {
			t.Errorf("the environment: %+v", got)
		}
	}
	missing := "no such file"
	if runtime.GOOS == "windows" {
		missing = "executable file not found"
	}
	for name, want := range map[string]string{
		"chatty": "chatty does not work: the program wrote something that is not JSON-RPC: ready on port 80, token=***; check that its command",
		"quiet":  "the program ended without an answer; check that its command",
		"broken": "it wrote: no such thing: ", "missing": missing, "stranger": "Unauthorized", "away": "does not work", "silent": "did not answer in 3s",
	} {
		args := []string{"try", name}
		if name == "silent" {
			args = append(args, "--timeout", "3")
		}
		if got := b.run(args...); got.Code != process.ExitFailure || !strings.Contains(got.Err, want) ||
			strings.Contains(got.Err, "\x1b") || strings.Contains(got.Err, "second line") {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := <-seen; got != "elsewhere " {
		t.Errorf("a header went to another host: %q", got)
	}
}

// TestOddServers tries servers that do more, less or other things than to answer.
func TestOddServers(t *testing.T) {
	t.Parallel()
	const hello = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","serverInfo":{"name":"odd"},"capabilities":{"tools":{}}}}`
	asked := make(chan string, 10)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		said, _ := io.ReadAll(r.Body)
		asked <- r.Method + r.Header.Get("Mcp-Session-Id") + string(said)
		write := func(kind, text string) { w.Header().Set("Content-Type", kind); _, _ = io.WriteString(w, text) }
		switch {
		case r.URL.Path == "/elsewhere":
			write("text/event-stream", "event: endpoint\ndata: http://elsewhere.example/\n\n")
		case r.URL.Path == "/page":
			write("text/html", "<p>A page")
		case r.Method == http.MethodDelete:
		case strings.Contains(string(said), `"initialize"`):
			w.Header().Set("Mcp-Session-Id", "S")
			write("application/json", hello)
		case !strings.Contains(string(said), `"tools/list"`):
			w.WriteHeader(http.StatusAccepted)
		case r.URL.Path == "/fails":
			write("application/json", `{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"no tools \u001b[1mtoday"}}`)
		default:
			write("text/event-stream", `data: {"jsonrpc":"2.0","id":9,"method":"ping"}`+"\n\n"+`data: {"jsonrpc":"2.0","id":"x","method":"roots/list"}`+
				"\n\n: nothing\n\n"+`data: {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"one"}]}}`+"\n\n")
		}
	}))
	defer web.Close()
	b := newBench(t)
	clitest.Put(t, b.path(), fmt.Sprintf(`{"mcpServers": {"asks": {"url": %[1]q}, "fails": {"url": "%[1]s/fails"}, "page": {"url": "%[1]s/page"},
		"elsewhere": {"url": "%[1]s/elsewhere", "type": "sse"}}}`, web.URL))
	if got := b.run("try", "asks"); got.Out != "asks works (odd): 1 tool\n  one\n" {
		t.Errorf("%+v", got)
	}
	all := ""
	for range 6 {
		all += <-asked + "\n"
	}
	for _, want := range []string{
		`POSTS{"jsonrpc":"2.0","id":9,"result":{}}`, `POSTS{"jsonrpc":"2.0","id":"x","error":{"code":-32601,"message":"not supported"}}`, "DELETES\n",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%s: not sent:\n%s", want, all)
		}
	}
	for name, want := range map[string]string{"fails": "no tools", "page": "the address answers with something that is not JSON-RPC: <p>A page; check", "elsewhere": "where on its host"} {
		if got := b.run("try", name); got.Code != process.ExitFailure || !strings.Contains(got.Err, want) || strings.Contains(got.Err, "\x1b") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestCompletion completes the names of servers.
func TestCompletion(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	clitest.Put(t, b.path(), `{"mcpServers": {"docs": {"command": "x"}, "doors\u001b": {"command": "x"}, "web": {"command": "x"}}}`)
	got := clitest.Run(t, []string{"COPILOT_HOME=" + b.home}, "", command("__complete", "get", "do"))
	if !strings.HasPrefix(got.Out, "docs\tx\n:4") {
		t.Errorf("%+v", got)
	}
}
