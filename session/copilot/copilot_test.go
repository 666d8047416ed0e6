package copilot_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// cli finds the Copilot CLI the tests run on: what npm installs for users, a
// script that starts the real program.
func cli(t *testing.T) string {
	t.Helper()
	path, err := cliPath()
	if err == nil {
		return path
	}
	if os.Getenv("CI") == "true" {
		t.Fatal(err)
	}
	t.Skip(err)
	return ""
}

// cliPath is the pinned CLI, or the one that COPILOT_CLI_PATH names.
func cliPath() (string, error) {
	path := os.Getenv("COPILOT_CLI_PATH")
	if path == "" {
		path = filepath.Join("..", "..", "testdata", "copilot", "node_modules", ".bin", "copilot")
	}
	path, err := filepath.Abs(path)
	if err == nil {
		_, err = exec.LookPath(path)
	}
	if err != nil {
		return "", fmt.Errorf("the Copilot CLI is not installed (npm ci in testdata/copilot): NOT TESTED against the real runtime: %w", err)
	}
	return path, nil
}

// program is what the script at path starts, or path itself where it is no such
// script. Each start without the script saves a quarter second of a processor.
func program(path string) string {
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	direct, err := exec.LookPath(path + "-" + runtime.GOOS + "-" + cmp.Or(arch, runtime.GOARCH))
	if err != nil {
		return path
	}
	return direct
}

// bench is what one test works on: its own working folder and model, and its
// own runtime with its own state directory, unless it shares one.
type bench struct {
	*testing.T
	model *llm.Server
	home  string
	dir   string
	cfg   copilot.Config
	near  string // the address of a runtime that stands for one of its own; else ""
	agent *copilot.Agent
}

// setup makes a bench without starting the runtime.
func setup(t *testing.T, script llm.Script) *bench {
	t.Helper()
	b := &bench{T: t, model: llm.Serve(t, script), home: scratch(t), dir: scratch(t)}
	b.cfg = copilot.Config{
		Path:     program(cli(t)),
		Env:      append(os.Environ(), b.model.Env(b.home)...),
		Dir:      b.dir,
		Model:    llm.Model,
		Provider: &copilot.Provider{Type: "openai", BaseURL: b.model.URL},
	}
	return b
}

// scratch is a folder for the length of a test. The runtime may still write to
// its own when it was killed, so that removing one can take more than one try.
func scratch(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "parley-") //nolint:usetesting // see above
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 3 {
			if os.RemoveAll(dir) == nil {
				return
			}
		}
		t.Logf("left behind: %s", dir)
	})
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// start starts the runtime and ends it with the test.
func (b *bench) start() *bench {
	b.Helper()
	b.connect()
	b.Cleanup(b.stop)
	return b
}

func (b *bench) connect() {
	b.Helper()
	var err error
	if b.near != "" {
		b.agent, err = copilot.OpenAt(b.Context(), b.cfg, b.near)
	} else {
		b.agent, err = copilot.Open(b.Context(), b.cfg)
	}
	b.must(err)
}

func (b *bench) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := b.agent.Close(ctx); err != nil {
		b.Errorf("close the agent: %v", err)
	}
}

// alone is a bench with a runtime of its own.
func alone(t *testing.T, script llm.Script) *bench {
	t.Helper()
	t.Parallel()
	return setup(t, script).start()
}

// near is a bench on the runtime that the tests share, with an agent that takes it
// for one of its own.
func near(t *testing.T, script llm.Script) *bench {
	t.Helper()
	t.Parallel()
	b := setup(t, script)
	b.moveIn()
	return b.start()
}

// moveIn makes the shared runtime stand for one of the bench's own.
func (b *bench) moveIn() {
	b.Helper()
	b.near = share(b.T)
	b.home = sharedHome
	b.cfg.Env = append(os.Environ(), offline(b.home)...)
}

// on is a bench on the runtime that the tests share, over a connection of its
// own.
func on(t *testing.T, script llm.Script) *bench {
	t.Helper()
	t.Parallel()
	b := setup(t, script)
	b.home, b.cfg.URL = "", share(t)
	return b.start()
}

func (b *bench) open() (*copilot.Session, *sessiontest.Reader) {
	b.Helper()
	s, err := b.agent.Open(b.Context(), session.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return s.(*copilot.Session), sessiontest.Read(b, s)
}

func (b *bench) resume(id session.ID) (*copilot.Session, *sessiontest.Reader) {
	b.Helper()
	s, err := b.agent.Resume(b.Context(), id, session.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return s.(*copilot.Session), sessiontest.Read(b, s)
}

func (b *bench) send(s session.Session, prompt string) {
	b.Helper()
	b.must(s.Send(b.Context(), session.Input{Prompt: prompt}))
}

func (b *bench) respond(s session.Session, a session.Answer) {
	b.Helper()
	b.must(s.Respond(b.Context(), a))
}

func (b *bench) must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// path is a file of the working folder.
func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

func (b *bench) exists(name string) bool {
	b.Helper()
	_, err := os.Lstat(b.path(name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		b.Fatal(err)
	}
	return err == nil
}

func (b *bench) write(name, text string) {
	b.Helper()
	b.must(os.MkdirAll(filepath.Dir(b.path(name)), 0o755))
	b.must(os.WriteFile(b.path(name), []byte(text), 0o644))
}

// bash is a call of the shell tool.
func bash(command string) llm.Call {
	return llm.Call{Name: "bash", Args: map[string]any{"command": command, "description": "try something"}}
}

func next[B session.Body](r *sessiontest.Reader) B { return sessiontest.Next[B](r) }

// TestConforms has an agent that takes the shared runtime for its own. In make soak
// each part has one of its own, over its standard input and output.
func TestConforms(t *testing.T) {
	t.Parallel()
	conforms(t, func(b *bench) {
		if sessiontest.Soak(b, 0, 1) == 0 {
			b.moveIn()
		}
	})
}

func TestConformsOverTCP(t *testing.T) {
	t.Parallel()
	conforms(t, func(b *bench) { b.cfg.URL = share(b.T) })
}

func conforms(t *testing.T, prepare func(*bench)) {
	t.Helper()
	sessiontest.Conformance(t, func(t *testing.T) sessiontest.Harness {
		t.Helper()
		hold := llm.NewGate()
		t.Cleanup(hold.Open)
		b := setup(t, llm.Script{
			"answer": {{Reasoning: "A moment.", Text: "Here is an answer in several words."}},
			"ask":    {{Calls: []llm.Call{bash("touch ran.txt")}}, {Text: "That is that."}},
			"long":   {{Text: "It goes on and on.", Hold: hold, HoldAfter: 3}},
		})
		prepare(b)
		b.connect()
		return sessiontest.Harness{
			Agent: b.agent, Options: session.Options{Dir: b.dir},
			Answer: "Please @@answer", Ask: "Please @@ask", Long: "Please @@long",
			Ran: func() bool { return b.exists("ran.txt") }, Remembers: true,
		}
	})
}
