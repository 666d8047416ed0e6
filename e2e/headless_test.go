package e2e

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"parley/cli/clitest"
	"parley/cli/process"
	"parley/session"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// headlessStage runs prompts without a window on the real Copilot CLI and a
// scripted model.
type headlessStage struct {
	*testing.T
	model *llm.Server
	dir   string
	env   []string
	agent []string // the flags that name the runtime; none starts one
}

// headlessShared is headlessOn with the runtime that tests share.
func headlessShared(t *testing.T, script llm.Script) *headlessStage {
	t.Helper()
	s := headlessOn(t, script)
	address, err := sharedRuntime()
	if err != nil {
		t.Fatal(err)
	}
	s.agent = []string{"--copilot-url", address}
	return s
}

func headlessOn(t *testing.T, script llm.Script) *headlessStage {
	t.Helper()
	t.Parallel()
	cli := onCLI(t)
	s := &headlessStage{T: t, model: llm.Serve(t, script), dir: t.TempDir()}
	s.env = append(s.model.Env(t.TempDir()), "PATH=/usr/local/bin:/usr/bin:/bin", "HOME="+t.TempDir(), "TMPDIR="+t.TempDir(), "TZ=UTC",
		"LANG=C.UTF-8", "TERM=xterm-256color")
	s.env = append(s.env, cli...)
	return s
}

// command is Parley with these arguments and this standard input.
func (s *headlessStage) command(input string, args ...string) (cmd *exec.Cmd, out, errs *bytes.Buffer) {
	s.Helper()
	cmd = exec.CommandContext(s.Context(), parley(s.T), slices.Concat(s.agent, args)...)
	cmd.Dir, cmd.Env = s.dir, s.env
	if input != "" {
		cmd.Stdin = strings.NewReader(input)
	}
	out, errs = &bytes.Buffer{}, &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, errs
	return cmd, out, errs
}

// ask runs Parley to its end.
func (s *headlessStage) ask(input string, args ...string) clitest.Result {
	s.Helper()
	cmd, out, errs := s.command(input, args...)
	return clitest.Result{Code: s.code(cmd.Run()), Out: out.String(), Err: errs.String()}
}

// code is the exit code of a process that has ended.
func (s *headlessStage) code(err error) int {
	s.Helper()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return exit.ExitCode()
	}
	s.Fatal(err)
	return -1
}

func (s *headlessStage) exists(name string) bool {
	_, err := os.Stat(filepath.Join(s.dir, name))
	return err == nil
}

// heard is what the messages of a role said in the last request to the model.
func (s *headlessStage) heard(role string) string {
	s.Helper()
	requests := s.model.Requests()
	if len(requests) == 0 {
		s.Fatal("the model was never asked")
	}
	var texts []string
	for _, m := range requests[len(requests)-1].Messages {
		if m.Role == role {
			texts = append(texts, m.Text())
		}
	}
	return strings.Join(texts, "\n")
}

func (s *headlessStage) expect(got clitest.Result, code int, out string, says ...string) {
	s.Helper()
	if got.Code != code || got.Out != out {
		s.Errorf("exit code %d and %q, want %d and %q; it said:\n%s", got.Code, got.Out, code, out, got.Err)
	}
	for _, text := range says {
		if !strings.Contains(got.Err, text) {
			s.Errorf("nothing was said of %q, but:\n%s", text, got.Err)
		}
	}
}

// TestHeadless asks again and again: for an answer, with a prompt from the standard
// input, to continue the session, with questions that no user answers, and a model
// that fails.
func TestHeadless(t *testing.T) {
	question := llm.Call{Name: "ask_user", Args: map[string]any{"question": "Which?", "choices": []string{"a", "b"}}}
	s := headlessShared(t, llm.Script{
		"hello": {{Reasoning: "Hm.", Text: "Good **morning** to you."}},
		"read":  {{Text: "Read."}},
		"go":    {shell("touch made.txt"), {Text: "Then not."}},
		"all":   {shell("echo hi > made.txt"), {Calls: []llm.Call{question}}, {Text: "I chose."}},
		"bad":   {{Status: 400, Body: map[string]any{"error": map[string]any{"message": "the frobnicator is jammed", "code": "jammed"}}}},
		"cut":   {{Text: "One two three four.", BreakAfter: 2, Times: 1}},
	})
	heard := func(role, want string) {
		t.Helper()
		if got := s.heard(role); !strings.Contains(got, want) {
			t.Errorf("the model heard %q", got)
		}
	}
	s.expect(s.ask("", "-p", "greet me @@hello"), process.ExitOK, "Good **morning** to you.\n")
	lines := strings.Split(strings.TrimSpace(s.ask("", "-p", "@@hello", "--output", "json").Out), "\n")
	if last := session.Decode([]byte(lines[len(lines)-1])); last.Kind() != session.KindSessionIdle {
		t.Errorf("the last event is %s", last.Kind())
	}
	s.expect(s.ask("@@read\nand more\n", "-p", "-"), process.ExitOK, "Read.\n")
	heard("user", "@@read\nand more")
	s.expect(s.ask("a piped line\n", "-p", "explain @@read", "--continue"), process.ExitOK, "Read.\n")
	heard("user", "explain @@read\n\na piped line")
	heard("user", "@@read\nand more") // it is the same session
	heard("assistant", "Read.")

	s.expect(s.ask("", "-p", "make it @@go"), process.ExitOK, "Then not.\n", "touch made.txt", "refused", "'shell(touch)'")
	heard("tool", "No user is here to approve this")
	if s.exists("made.txt") {
		t.Error("a refused command ran")
	}
	s.expect(s.ask("", "-p", "@@all", "--allow-all"), process.ExitOK, "I chose.\n", "✓ shell", "user_input.requested")
	heard("tool", "No user is here to answer")
	if !s.exists("made.txt") {
		t.Error("what is allowed did not run")
	}
	s.expect(s.ask("", "-p", "@@bad"), process.ExitFailure, "", "the frobnicator is jammed", "status 400", "the turn ended with an error")
	s.expect(s.ask("", "-p", "@@cut"), process.ExitOK, "One two three four.\n", "Waiting to try again, no time given.")
}

// TestHeadlessAllowTool permits what a rule names, as the runtime says what a command
// line runs, and nothing else.
func TestHeadlessAllowTool(t *testing.T) {
	s := headlessShared(t, llm.Script{
		"one":  {shell("touch one.txt"), {Text: "Made."}},
		"both": {shell("touch two.txt && mkdir three"), {Text: "Tried."}},
		"into": {shell("touch four.txt > five.txt"), {Text: "Tried."}},
		"path": {shell("PATH=.:$PATH touch six.txt"), {Text: "Tried."}},
		"git":  {shell("git -c alias.x='!touch seven.txt' x"), {Text: "Tried."}},
		"find": {shell("find . -maxdepth 0 -exec touch eight.txt +"), {Text: "Tried."}},
	})
	s.expect(s.ask("", "-p", "@@one", "--allow-tool", "shell(touch)"), process.ExitOK, "Made.\n", "✓ shell")
	if !s.exists("one.txt") {
		t.Error("a permitted command did not run")
	}
	s.expect(s.ask("", "-p", "@@both", "--allow-tool", "shell(touch)"), process.ExitOK, "Tried.\n", "'shell(mkdir)'")
	if s.exists("two.txt") || s.exists("three") {
		t.Error("a command that was permitted in part ran")
	}
	s.expect(s.ask("", "-p", "@@into", "--allow-tool", "shell", "--allow-tool", "write"), process.ExitOK, "Tried.\n", "redirects")
	if s.exists("four.txt") || s.exists("five.txt") {
		t.Error("a redirection was permitted by a rule")
	}
	s.expect(s.ask("", "-p", "@@path", "--allow-tool", "shell", "--allow-tool", "shell(touch)"), process.ExitOK, "Tried.\n", "environment")
	s.expect(s.ask("", "-p", "@@git", "--allow-tool", "shell(git:*)"), process.ExitOK, "Tried.\n", "refused")
	s.expect(s.ask("", "-p", "@@find", "--allow-tool", "shell(find:*)"), process.ExitOK, "Tried.\n", "refused")
	if s.exists("six.txt") || s.exists("seven.txt") || s.exists("eight.txt") {
		t.Error("a rule permitted a command that runs another program")
	}
	s.expect(s.ask("", "-p", "@@both", "--allow-tool", "shell(touch)", "--allow-tool=shell(mkdir:*)"), process.ExitOK, "Tried.\n")
	if !s.exists("two.txt") || !s.exists("three") {
		t.Error("a permitted compound command did not run")
	}
}

// TestHeadlessOwnRuntime starts the runtime, and ends it with a command that would run
// on. Standard output has every event, a line each; the log has none of the content.
func TestHeadlessOwnRuntime(t *testing.T) {
	async := llm.Call{Name: "bash", Args: map[string]any{"command": "sleep 1000", "description": "wait", "mode": "async", "shellId": "w"}}
	s := headlessOn(t, llm.Script{"go": {{Calls: []llm.Call{async}}, {Text: "A secret answer.\u009b31m"}}})
	file := filepath.Join(t.TempDir(), "log.jsonl")
	got := s.ask("", "-p", "a secret prompt @@go", "--allow-tool", "shell(sleep 1000)", "--output", "json", "--log-file", file)
	s.expect(got, process.ExitOK, got.Out, "in the background", `these are ended: "sleep 1000"`)
	var events []session.Event
	for ev, err := range session.ReadLog(strings.NewReader(got.Out)) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, ev)
	}
	messages := sessiontest.All[session.AssistantMessage](events)
	if n := len(messages); n != 2 || messages[1].Content != "A secret answer.\u009b31m" || strings.Contains(got.Out, "\u009b") {
		t.Errorf("messages %+v in %q", messages, got.Out)
	}
	if len(sessiontest.All[session.PermissionCompleted](events)) != 1 || len(sessiontest.All[session.AssistantIdle](events)) != 1 {
		t.Errorf("events:\n%s", sessiontest.Describe(events))
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"agent":"Copilot CLI 1.`, `"kind":"assistant.idle"`, `"answer":"permission approve-once"`, `"msg":"session ended"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the log has no %s:\n%s", want, text)
		}
	}
	for _, secret := range []string{"secret", "sleep", s.model.URL, filepath.Dir(s.dir)} {
		if strings.Contains(string(text), secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
}

// TestHeadlessInterrupted reads a line of an answer that is not finished, and
// interrupts it then.
func TestHeadlessInterrupted(t *testing.T) {
	gate := llm.NewGate()
	s := headlessShared(t, llm.Script{"endless": {{Text: "One two\nthree four five", Hold: gate, HoldAfter: 3}}})
	cmd, _, errs := s.command("", "-p", "@@endless")
	cmd.Stdout = nil
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(pipe)
	first, err := out.ReadString('\n')
	if err != nil || first != "One two\n" {
		t.Errorf("read %q, %v", first, err)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(out)
	if err != nil || strings.Contains(string(rest), "five") {
		t.Errorf("then read %q, %v", rest, err)
	}
	s.expect(clitest.Result{Code: s.code(cmd.Wait()), Err: errs.String()}, 128+int(syscall.SIGINT), "", "stopping", "Interrupted")
}
