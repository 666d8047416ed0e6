package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/cli/agents"
	"parley/cli/clitest"
	"parley/cli/process"
	"parley/history/sessions"
	chatagent "parley/session/sessiontest/chat"
	"parley/session/sessiontest/otlp"
	"parley/session/sse"
	"parley/settings"
)

// chatting is a scripted chat agent and a home from which it is spoken to.
type chatting struct {
	*testing.T
	*chatagent.Agent
	url, home string
}

// chatAgentOn starts an agent, which wants a token where one is given.
func chatAgentOn(t *testing.T, preferences, token string) *chatting {
	t.Helper()
	x := &chatting{T: t, Agent: &chatagent.Agent{Token: token}, home: t.TempDir()}
	server := httptest.NewServer(x.Agent)
	t.Cleanup(server.Close)
	x.url = server.URL + "/v1"
	if err := os.MkdirAll(filepath.Join(x.home, ".config", "parley"), 0o700); err != nil {
		t.Fatal(err)
	}
	clitest.Put(t, filepath.Join(x.home, ".config", "parley", "settings.toml"), strings.ReplaceAll(preferences, "URL", x.url))
	return x
}

// ask runs one turn without a window.
func (x *chatting) ask(env []string, args ...string) clitest.Result {
	x.Helper()
	cmd := exec.CommandContext(x.Context(), parley(x.T), args...)
	cmd.Dir = x.TempDir()
	cmd.Env = append([]string{"PATH=/usr/bin:/bin", "HOME=" + x.home}, env...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		x.Fatal(err)
	}
	return clitest.Result{Code: cmd.ProcessState.ExitCode(), Out: out.String(), Err: said.String()}
}

// TestNamedAgents are those of the settings: where they are, what they get, and
// the token from a variable or from a program, never from the command line.
func TestNamedAgents(t *testing.T) {
	t.Parallel()
	x := chatAgentOn(t, "[agents.mine]\nurl = \"URL\"\nmodel = \"large\"\ntoken_env = \"TIDE\"\nheaders = { X-Team = \"tide\" }\n"+
		"options = { temperature = 0.5 }\n[agents.other]\nkind = \"sse\"\nurl = \"URL\"\ntoken_command = [\"printf\", \"secret\"]\n"+
		"[agents.broken]\nurl = \"URL\"\ntoken_command = [\"false\"]\n", "secret")
	for _, tt := range []struct {
		args []string
		env  []string
		code int
		want string
	}{
		{[]string{"--agent", "mine"}, []string{"TIDE=secret"}, process.ExitOK, "You said: hello"},
		{[]string{"--agent", "mine"}, nil, process.ExitFailure, "the variable TIDE is not set"},
		{[]string{"--agent", "mine"}, []string{"TIDE=old"}, process.ExitFailure, "does not accept the token"},
		{[]string{"--agent", "other"}, nil, process.ExitOK, "You said: hello"},
		{[]string{"--agent", "broken"}, nil, process.ExitFailure, "false failed"},
		{[]string{"--agent", "sse:" + x.url, "--token-env", "MINE"}, []string{"MINE=secret"}, process.ExitOK, "You said: hello"},
		{[]string{"--agent", "openai:" + x.url, "--token-env", "MINE", "--model", "small"}, []string{"MINE=secret"}, process.ExitOK, "You said: hello"},
		{[]string{"--agent", "min"}, nil, process.ExitUsage, "did you mean mine?"},
	} {
		got := x.ask(tt.env, append(tt.args, "-p", "hello")...)
		if got.Code != tt.code || !strings.Contains(got.Out+got.Err, tt.want) || strings.Contains(got.Err, "secret") {
			t.Errorf("%q: exit code %d\n%s%s", tt.args, got.Code, got.Out, got.Err)
		}
	}
	first := x.Requests()[0]
	if first.Path != "/v1/chat/completions" || first.Header.Get("X-Team") != "tide" || !strings.Contains(string(first.Body), `"temperature":0.5`) ||
		!strings.Contains(string(first.Body), `"model":"large"`) {
		t.Errorf("it got %s %v %s", first.Path, first.Header, first.Body)
	}
	if n := len(filesBelow(t, filepath.Join(x.home, ".local"), "secret")); n > 0 {
		t.Errorf("%d files hold the token", n)
	}
}

// filesBelow are the files with a text in them.
func filesBelow(t *testing.T, dir, text string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte(text)) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestChatWithoutAWindow: without a user nothing is confirmed; errors of the agent
// are a warning where its answer is complete, and else a failure.
func TestChatWithoutAWindow(t *testing.T) {
	t.Parallel()
	x := chatAgentOn(t, "", "")
	agent := []string{"--agent", "sse:" + x.url}
	got := x.ask(nil, append(agent, "-p", "confirm")...)
	if got.Code != process.ExitOK || !strings.Contains(got.Err, "dismissed, because no user is here to confirm it: Turn off feature flag") ||
		!strings.Contains(got.Out, "Left as it is") || x.Done() != 0 {
		t.Errorf("exit code %d\n%s%s", got.Code, got.Out, got.Err)
	}
	for _, tt := range []struct {
		scene string
		code  int
		out   string
		err   []string
	}{
		{"errors", process.ExitOK, "Not all went well. \n", []string{
			"■ The repository does not exist (github/hello-world) (function)", "■ The agent is at its limit", "References: Lines 1-13 from story.go",
			"parley: the answer is complete, but the agent reported 3 errors",
		}},
		{"references", process.ExitOK, "A story. \n", []string{"References: Lines 1-13 from story.go"}},
		{"empty", process.ExitOK, "", []string{"▲ The agent's answer is empty."}},
		{"complaint", process.ExitFailure, "", []string{"■ The agent is at its limit", "the turn ended with an error"}},
		{"mixed", process.ExitFailure, "One. Two.\n", []string{"■ no tide (lookup)", "▲ The answer was cut off"}},
		{"drop", process.ExitFailure, "Half of \n", []string{"was lost"}},
	} {
		got := x.ask(nil, append(agent, "-p", tt.scene)...)
		if got.Code != tt.code || got.Out != tt.out {
			t.Errorf("%s: exit code %d, answer %q\n%s", tt.scene, got.Code, got.Out, got.Err)
		}
		for _, want := range tt.err {
			if strings.Count(got.Err, want) != 1 {
				t.Errorf("%s: %q is not once in\n%s", tt.scene, want, got.Err)
			}
		}
		if failures := strings.Count(got.Err, "ended with an error"); failures > 0 && tt.code == process.ExitOK {
			t.Errorf("%s: it says that it failed\n%s", tt.scene, got.Err)
		}
	}
}

// TestChatInAWindow: a confirmation is a card that takes a deliberate key, and
// its answer goes out at once. The window exports the chat, and nothing that was said.
func TestChatInAWindow(t *testing.T) {
	t.Parallel()
	x, r := chatAgentOn(t, "", ""), otlp.Serve(t)
	s := &stage{terminal: start(t, launch{args: []string{"--agent", "sse:" + x.url}, home: x.home, env: toReceiver(r)})}
	s.t = t
	s.wait(textReady)
	s.say("confirm")
	s.card("Turn off feature flag", "Are you sure", "Yes, accept")
	s.press("?")
	s.wait(`"id": "id-123"`)
	if x.Done() != 0 {
		t.Error("it was accepted unasked")
	}
	s.pause() // keys that come together are typed for the draft
	s.press("y")
	s.idle("Accepted", "Done: ")
	s.say("errors")
	s.idle("The repository does not exist", "References: Lines 1-13 from story.go, Notes on stories (implicit)", "scripted")
	s.say("drop")
	s.idle("Half of", "The connection to the agent was lost. What came of the answer is kept.")
	s.press("up")
	s.wait("❯ drop")
	s.press("ctrl+c")
	s.leave()
	if x.Done() != 1 {
		t.Errorf("accepted were %d", x.Done())
	}
	if tree := r.Tree("gen_ai.response.finish_reasons"); strings.Count(tree, "  turn\n") != 4 || strings.Contains(tree, "feature flag") {
		t.Errorf("exported is\n%s", tree)
	}
}

// TestChatSessions: what a chat agent's session was is found, read and removed like
// any other, and who else is asked for it says which agent answers in it.
func TestChatSessions(t *testing.T) {
	t.Parallel()
	x := chatAgentOn(t, "[agents.mine]\nurl = \"URL\"\n", "")
	for _, agent := range []string{"mine", "openai:" + x.url} {
		if got := x.ask(nil, "--agent", agent, "-p", "hello "+agent[:4]); got.Code != process.ExitOK {
			t.Fatalf("exit code %d\n%s", got.Code, got.Err)
		}
	}
	listed := x.ask(nil, "sessions", "list", "--all", "--json")
	var answer struct {
		Sessions []struct{ ID, Agent, Title string }
	}
	if err := json.Unmarshal([]byte(listed.Out), &answer); err != nil || len(answer.Sessions) != 2 || answer.Sessions[1].Agent != "mine" ||
		answer.Sessions[0].Agent != "openai:"+x.url {
		t.Fatalf("%v\n%s%s", err, listed.Out, listed.Err)
	}
	id := answer.Sessions[1].ID
	resume := "parley --agent mine --resume " + id
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"sessions", "search", "agent:mine said"}, process.ExitOK, "hello mine"},
		{[]string{"sessions", "show", id}, process.ExitOK, "You said: hello mine"},
		{[]string{"sessions", "show", id}, process.ExitOK, resume},
		{[]string{"sessions", "export", id, "--format", "md"}, process.ExitOK, "You said: hello mine"},
		{[]string{"--agent", "copilot", "--copilot-path", "/bin/true", "-p", "more", "--resume", id}, process.ExitFailure, "resume it with `" + resume + "`"},
		{[]string{"--agent", "mine", "-p", "more", "--resume", id}, process.ExitOK, "You said: more"},
		{[]string{"--agent", "mine", "-p", "more", "--resume", "none"}, process.ExitUsage, `no session on this machine has an id that begins with "none"`},
		{[]string{"sessions", "delete", id}, process.ExitOK, "Deleted: " + id},
		{[]string{"sessions", "delete", "--purge", "--yes"}, process.ExitOK, "Removed: " + id},
		{[]string{"sessions", "show", id}, process.ExitFailure, "no past session"},
	} {
		if got := x.ask(nil, tt.args...); got.Code != tt.code || !strings.Contains(got.Out+got.Err, tt.want) {
			t.Errorf("%q: exit code %d\n%s%s", tt.args, got.Code, got.Out, got.Err)
		}
	}
}

// TestReservedOptions: the settings refuse what the agent would leave out.
func TestReservedOptions(t *testing.T) {
	t.Parallel()
	if got, want := settings.ReservedOptions(), sse.Reserved(); !slices.Equal(got, want) {
		t.Errorf("the settings refuse %q, a request has %q", got, want)
	}
}

// foreignEndpoint starts the pinned endpoint for chat completions that others
// have made.
func foreignEndpoint(t *testing.T) (base string) {
	t.Helper()
	program := filepath.Join("testdata", "endpoint", "node_modules", "@dwmkerr", "mock-llm", "dist", "main.js")
	node, err := exec.LookPath("node")
	if _, missing := os.Stat(program); err != nil || missing != nil {
		why := "the endpoint of others is not installed (npm ci in testdata/endpoint): NOT TESTED against it"
		if os.Getenv("CI") == "true" {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, program, "--config", filepath.Join("testdata", "endpoint", "rules.yaml"))
	cmd.Env = append(os.Environ(), "HOST=127.0.0.1", "PORT="+port)
	said, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	var log bytes.Buffer
	for buf := make([]byte, 1024); !strings.Contains(log.String(), "server running on"); {
		n, err := said.Read(buf)
		log.Write(buf[:n])
		if err != nil {
			t.Fatalf("the endpoint did not start: %v\n%s", err, log.String())
		}
	}
	return fmt.Sprintf("http://127.0.0.1:%s/v1", port)
}

// TestForeignEndpoint chats with an endpoint that was not written here.
func TestForeignEndpoint(t *testing.T) {
	t.Parallel()
	base := foreignEndpoint(t)
	x := chatAgentOn(t, "", "")
	agent := []string{"--agent", "openai:" + base, "--cwd", t.TempDir()}
	if got := x.ask(nil, append(agent, "-p", "hello")...); got.Code != process.ExitOK || got.Out != "The endpoint was asked 1 messages.\n" {
		t.Errorf("exit code %d\n%s%s", got.Code, got.Out, got.Err)
	}
	more := x.ask(nil, append(agent, "-p", "and more", "--continue", "--output", "json")...)
	if more.Code != process.ExitOK || !strings.Contains(more.Out, "The endpoint was asked 3 messages.") || !strings.Contains(more.Out, `"gpt-4"`) { // the first that it lists
		t.Errorf("exit code %d\n%s%s", more.Code, more.Out, more.Err)
	}
	if got := x.ask(nil, append(agent, "-p", "error-401")...); got.Code != process.ExitFailure || !strings.Contains(got.Err, "Incorrect API key provided.") {
		t.Errorf("exit code %d\n%s%s", got.Code, got.Out, got.Err)
	}
}

// TestTelemetryOfChatAgents: they are exported as any other agent is, without a
// word of what was said.
func TestTelemetryOfChatAgents(t *testing.T) {
	t.Parallel()
	r := otlp.Serve(t)
	x := chatAgentOn(t, "", "")
	if got := x.ask(toReceiver(r), "--agent", "openai:"+x.url, "--model", "large", "-p", "hello secret"); got.Code != process.ExitOK {
		t.Fatalf("exit code %d\n%s", got.Code, got.Err)
	}
	tree := r.Tree("gen_ai.response.finish_reasons")
	if !strings.Contains(tree, "chat scripted") || strings.Contains(tree, "secret") {
		t.Errorf("exported is\n%s", tree)
	}
}

// TestResumeWithAChatAgent: what is printed at the end names the agent as it was
// named, and the variable of its token.
func TestResumeWithAChatAgent(t *testing.T) {
	t.Parallel()
	prefer := settings.Settings{Agents: map[string]settings.Agent{"mine": {URL: "http://127.0.0.1:1/v1", Kind: "openai"}}}
	for _, c := range []struct{ agent, tokenEnv, want string }{
		{"mine", "", "parley --agent mine --resume 7f3a"},
		{"mine", "TIDE", "parley --agent mine --token-env TIDE --resume 7f3a"},
		{"sse:http://127.0.0.1:1/chat?key=hidden", "TIDE", "parley --agent sse:http://127.0.0.1:1/chat --token-env TIDE --resume 7f3a"},
		{"demo", "", "parley --resume 7f3a"},
	} {
		b, err := agents.Choose(agents.Options{Agent: c.agent, TokenEnv: c.tokenEnv}, []string{"HOME=" + t.TempDir()}, prefer)
		if got := sessions.ResumeCommand("7f3a", b.Flags...); err != nil || got != c.want {
			t.Errorf("%s: %v, %q, want %q", c.agent, err, got, c.want)
		}
	}
}
