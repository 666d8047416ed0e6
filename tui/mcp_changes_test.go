package tui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/settings/mcpfile"
	"parley/tui/conversation"
)

// mcpBench is a window whose user has a file of MCP servers.
func mcpBench(t *testing.T) (sc *scenario, file string) {
	t.Helper()
	home := t.TempDir()
	file = filepath.Join(home, ".copilot", "mcp-config.json")
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	sc = newScenario(t, func(c *Config) {
		c.Home = home
		c.TryMcp = func(_ context.Context, _ []string, _ string, s mcpfile.Server) (string, []session.McpTool, error) {
			if s.Command == "broken" {
				return "", nil, errors.New("exit status 1: token=ghp_abcdefghijklmnopqrstuvwxyz0123456789")
			}
			return "tide 2", []session.McpTool{{Name: "high", Description: "when it is high"}}, nil
		}
	})
	sc.s.servers = []session.McpServer{{Name: "notes", Status: "connected", Source: "builtin"}, {Name: "tide", Status: "failed", Error: "exit code 1"}}
	writeFile(t, file, "{\n  \"mcpServers\": {\n    \"tide\": {\"command\": \"tide\", \"env\": {\"KEY\": \"swordfish\"}}\n  }\n}\n")
	return sc, file
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// answered waits until the card listens, and presses keys.
func (sc *scenario) answered(keys ...string) {
	sc.screen()
	sc.wait(2e9)
	sc.calm(keys...)
}

// TestAddServer: a in the list asks for a server, shows what becomes of the file without
// values, writes it after a key, reloads and lists the server.
func TestAddServer(t *testing.T) {
	t.Parallel()
	sc, file := mcpBench(t)
	before := readFile(t, file)
	sc.command("/mcp")
	sc.calm("down")
	sc.sees("✗ tide   exit code 1", "failed\n", "problem  exit code 1", "runs", filepath.FromSlash("~/.copilot/mcp-config.json")+", yours in all folders", "a add")
	sc.calm("a")
	sc.sees("Add an MCP server", "Command or URL")
	sc.answered()
	sc.step("type", "docs")
	sc.calm("enter")
	sc.step("type", "npx -y docs")
	sc.calm("enter")
	sc.step("type", "TOKEN=barracuda")
	sc.misses("barracuda")
	sc.calm("tab", "enter")
	sc.sees("Add docs?", `"npx"`, `"TOKEN": "***"`)
	sc.misses("barracuda", "swordfish")
	sc.answered("n")
	sc.sees("Nothing was written.")
	if readFile(t, file) != before {
		t.Error("it was written")
	}
	sc.command("/mcp add docs npx -y docs")
	sc.sees("Add docs?")
	sc.s.servers = append(sc.s.servers, session.McpServer{Name: "docs", Status: "connected"})
	sc.answered("y")
	sc.sees("MCP servers", "❯ ✓ docs", "connected", "Added docs.")
	if text := readFile(t, file); !strings.Contains(text, `"args": ["-y", "docs"]`) || !strings.Contains(text, "swordfish") {
		t.Errorf("%s", text)
	}
	if i, j := slices.Index(sc.s.calls, "hold docs"), slices.Index(sc.s.calls, "reload mcp"); i < 0 || j < i {
		t.Errorf("%q", sc.s.calls)
	}
	sc.calm("esc")
	sc.command("/mcp add docs npx")
	sc.sees("there is a server docs in", "/mcp edit docs")
	sc.command("/mcp add ../x npx")
	sc.sees("is no name for a server")
}

// TestAddProjectServer: what is wrong with a form is said above it, with all that was
// written; the file of the project is the other choice.
func TestAddProjectServer(t *testing.T) {
	t.Parallel()
	sc, _ := mcpBench(t)
	dir := t.TempDir()
	sc.m.win.Front.Info.Dir = dir
	sc.command("/mcp add web")
	sc.answered("enter")
	sc.step("type", "https://example.org/mcp")
	sc.calm("enter")
	sc.step("type", "Authorization=Bearer barracuda")
	sc.calm("tab", "down", "down", "enter")
	sc.sees("Not yet: a header is a name and a value", "https://example.org/mcp")
	sc.misses("barracuda")
	sc.answered("enter", "enter", "ctrl+u")
	sc.step("type", "Authorization: Bearer barracuda")
	sc.calm("tab", "enter")
	sc.sees("Add web?", `"Authorization": "***"`)
	sc.answered("y")
	if text := readFile(t, filepath.Join(dir, ".mcp.json")); !strings.Contains(text, `"Authorization": "Bearer barracuda"`) {
		t.Errorf("%s", text)
	}
	sc.sees(".mcp.json", "not loaded") // the agent did not take it up
}

// TestChangeServer edits, removes and tries a server from the list, and by name.
func TestChangeServer(t *testing.T) {
	t.Parallel()
	sc, file := mcpBench(t)
	sc.command("/mcp tide")
	sc.calm("t")
	sc.sees("tide works: 1 tool", "when it is high")
	sc.editor = func(e *conversation.Edition) error {
		e.Result = strings.Replace(e.Text, `"tide"`, `"broken", `, 1)
		return nil
	}
	sc.calm("esc")
	sc.command("/mcp tide")
	sc.calm("e")
	sc.sees("Edit tide again?", "What was saved is no server: line 1")
	sc.editor = func(e *conversation.Edition) error {
		e.Result = `{"command": "broken", "env": {"KEY": "mackerel"}}`
		return nil
	}
	sc.answered("y")
	sc.sees("Change tide?", `"broken"`, `"KEY": "*** (changed)"`)
	sc.misses("swordfish", "mackerel")
	sc.answered("y")
	if text := readFile(t, file); !strings.Contains(text, "mackerel") {
		t.Errorf("%s", text)
	}
	sc.calm("esc")
	sc.command("/mcp try tide")
	sc.sees("tide does not work", "exit status 1")
	sc.misses("ghp_")
	sc.calm("esc")
	sc.command("/mcp notes")
	sc.calm("d")
	sc.sees("notes is in no file of yours")
	sc.calm("esc")
	sc.command("/mcp remove nope")
	sc.sees("There is no MCP server nope in a file")
	sc.command("/mcp tide")
	sc.calm("d")
	sc.sees("Remove tide?")
	writeFile(t, file, "{}")
	sc.answered("y")
	if !strings.Contains(sc.words(), "was changed meanwhile, so nothing was written") {
		t.Error(sc.words())
	}
	writeFile(t, file, "{\n \"mcpServers\": [\n}")
	sc.size(160, 40) // the path of a temporary folder is long on some systems
	sc.command("/mcp remove tide")
	sc.sees("Could not remove the MCP server", "mcp-config.json, line")
	sc.command("/mcp")
	sc.sees("mcp-config.json, line", "not usable")
}

// untrusting is a session in a folder that is not trusted.
type untrusting struct{ *scriptedSession }

func (untrusting) FolderTrusted() bool { return false }

func (s untrusting) AskTrust(context.Context) error {
	s.note("ask trust")
	return nil
}

// TestServersOfUntrustedFolder: nothing is started there, and the list says how that changes.
func TestServersOfUntrustedFolder(t *testing.T) {
	t.Parallel()
	sc, _ := mcpBench(t)
	sc.s.servers = []session.McpServer{{Name: "other", Status: "disabled"}}
	sc.m.win.Front.Session = untrusting{sc.s}
	sc.command("/mcp")
	sc.sees("the folder is not trusted, so none is started: /trust", "− other", "− tide", "not started")
	sc.calm("esc")
	sc.command("/mcp try tide")
	sc.sees("Not tried: what the folder holds may run then")
	sc.command("/mcp add docs npx")
	sc.answered("y")
	sc.sees("It is started once the folder is trusted")
	sc.calm("esc")
	sc.command("/mcp remove docs")
	sc.answered("y")
	sc.sees("Removed docs.")
	sc.misses("It is started once")
	sc.calm("esc")
	sc.command("/mcp remove tide")
	sc.answered("y")
	sc.sees("Removed tide. The file stays, without servers.")
	sc.calm("esc")
	sc.command("/trust")
	if !slices.Contains(sc.s.calls, "ask trust") || slices.Contains(sc.s.calls, "reload mcp") || !slices.Contains(sc.s.calls, "hold docs") {
		t.Errorf("%q", sc.s.calls)
	}
}

// TestServerProblem: why a server does not work is readable to its end.
func TestServerProblem(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.s.servers = []session.McpServer{{Name: "tide", Status: "failed", Error: strings.Repeat("one of many words ", 12) + "and\nthe end"}}
	sc.command("/mcp")
	sc.sees("✗ tide", "failed", "the end")
}

// fixedServers is a session whose servers are in no files.
type fixedServers struct {
	session.Session
	session.McpManager
}

// TestServersElsewhere: what an agent without files of servers can do.
func TestServersElsewhere(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	front := sc.m.win.Front
	front.Info.Remote = true
	sc.command("/mcp add x y")
	sc.sees("This agent runs elsewhere")
	front.Info.Remote = false
	front.Session = fixedServers{sc.s, sc.s}
	sc.command("/mcp add x y")
	sc.sees("Use parley mcp add, or start with --agent copilot.")
	front.Session = bareSession{sc.s}
	sc.command("/mcp add x y")
	sc.sees("This agent has no MCP servers; parley mcp changes the Copilot CLI's.")
	sc.command("/trust")
	sc.sees("This agent asks about no folder.")
}
