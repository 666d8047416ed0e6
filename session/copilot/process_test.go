package copilot_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// pretend is a configuration in which this test binary plays the CLI.
func pretend(t *testing.T, as string) copilot.Config {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return copilot.Config{Path: self, Dir: t.TempDir(), Env: append(os.Environ(), role+"="+as)}
}

func TestWhatIsNoCopilotCLI(t *testing.T) {
	t.Parallel()
	for as, want := range map[string][]string{
		"old":        {"ended before it answered (exit status 1)", "too old", "npm install", "unknown option"},
		"crash":      {"ended before it answered (exit status 3)", "by hand", "the disk is full", "trace line 1999"},
		"chatty":     {"does not speak the Copilot CLI's protocol", "--version"},
		"not json":   {"does not speak the Copilot CLI's protocol", "hello"},
		"no connect": {"an older protocol", "speaks 3", "npm install"},
		"protocol 2": {"speaks protocol 2", "speaks 3", "npm install"},
		"protocol 4": {"speaks protocol 4", "update Parley"},
	} {
		t.Run(as, func(t *testing.T) {
			t.Parallel()
			cfg := pretend(t, as)
			agent, err := copilot.Open(t.Context(), cfg)
			if err == nil {
				_ = agent.Close(t.Context())
				t.Fatal("it was taken for the Copilot CLI")
			}
			for _, w := range append(want, cfg.Path) {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("the error does not say %q: %v", w, err)
				}
			}
			if n := strings.Count(err.Error(), "\n"); n > 5 {
				t.Errorf("the error has %d lines: %v", n, err)
			}
		})
	}
}

func TestSilentCLI(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := copilot.Open(ctx, pretend(t, "silent"))
	if err == nil || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("a program that never answers: %v", err)
	}
}

func TestNoSuchProgram(t *testing.T) {
	t.Parallel()
	nowhere := filepath.Join(t.TempDir(), "copilot")
	_, err := copilot.Open(t.Context(), copilot.Config{Path: nowhere, Dir: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), nowhere) || !strings.Contains(err.Error(), "check that it is the Copilot CLI") {
		t.Errorf("a program that does not exist: %v", err)
	}
}

// TestDeafCLI closes a program that does not end by itself.
func TestDeafCLI(t *testing.T) {
	t.Parallel()
	agent, err := copilot.Open(t.Context(), pretend(t, "deaf"))
	if err != nil {
		t.Fatal(err)
	}
	pid := agent.Pid()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := agent.Close(ctx); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("close: %v", err)
	}
	gone(t, pid)
}

// gone checks that a process and its group have ended.
func gone(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(-pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the process group %d is still there: %v", pid, err)
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	b := on(t, llm.Script{"slow": {{Calls: []llm.Call{bash("echo begun; sleep 600")}}}})
	s, r := b.open()
	b.send(s, "@@slow")
	q := next[session.PermissionRequested](r)
	b.respond(s, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce})
	next[session.ToolShellOutput](r)
	pid := b.agent.Pid()
	b.stop()
	if err := s.Wait(); err != nil {
		t.Errorf("Wait: %v", err)
	}
	gone(t, pid)
}

func TestKilledCLI(t *testing.T) {
	hold := llm.NewGate()
	b := on(t, llm.Script{"a": {{Text: "A."}}, "slow": {{Text: "One two three.", Hold: hold, HoldAfter: 1}}})
	t.Cleanup(hold.Open)
	s, r := b.open()
	b.send(s, "@@a") // a first turn, so that there is something to resume
	next[session.SessionIdle](r)
	b.send(s, "@@slow")
	next[session.AssistantMessageDelta](r)
	b.must(syscall.Kill(-b.agent.Pid(), syscall.SIGKILL))
	r.Rest()
	err := s.Wait()
	if err == nil || !strings.Contains(err.Error(), "ended unexpectedly (signal: killed)") || !strings.Contains(err.Error(), "resume") {
		t.Errorf("Wait: %v", err)
	}
	if err := s.Send(t.Context(), session.Input{Prompt: "hello?"}); !errors.Is(err, copilot.ErrClosed) {
		t.Errorf("Send: %v", err)
	}
	if err := s.Respond(t.Context(), session.UserInputAnswer{RequestID: "x"}); !errors.Is(err, copilot.ErrClosed) {
		t.Errorf("Respond: %v", err)
	}
	if _, err := b.agent.Open(t.Context(), session.Options{}); !errors.Is(err, copilot.ErrClosed) {
		t.Errorf("Open: %v", err)
	}
	b.must(s.Close(t.Context()))
	b.restart()
	_, r = b.resume(s.Info().ID)
	next[session.SessionResume](r)
	if u := sessiontest.All[session.UserMessage](r.Seen()); len(u) == 0 || u[0].Content != "@@a" {
		t.Errorf("the history has the prompts %+v", u)
	}
}

func TestQuitInMidMessage(t *testing.T) {
	t.Parallel()
	agent, err := copilot.Open(t.Context(), pretend(t, "quits later"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := agent.Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Send(t.Context(), session.Input{Prompt: "go"}); err == nil {
		t.Error("the prompt was taken")
	}
	err = s.Wait()
	for _, want := range []string{"ended unexpectedly (exit status 9)", "out of memory"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Wait does not say %q: %v", want, err)
		}
	}
	if err := agent.Close(t.Context()); err != nil {
		t.Errorf("close: %v", err)
	}
}

// TestFlood reads nothing until the program has sent as much as it can, then
// everything, while calls go on.
func TestFlood(t *testing.T) {
	t.Parallel()
	agent, err := copilot.Open(t.Context(), pretend(t, "flood"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := agent.Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Send(t.Context(), session.Input{Prompt: "go"}); err != nil {
		t.Fatal(err)
	}
	// The answer to this call comes behind the whole flood, which nobody reads.
	if err := s.Abort(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := sessiontest.Read(t, s)
	for i := range floodSize {
		d := next[session.AssistantMessageDelta](r)
		if text, _, _ := strings.Cut(d.DeltaContent, " "); text != fmt.Sprint(i) {
			t.Fatalf("event %d says %.20q", i, text)
		}
		if i%5000 == 0 && len(d.DeltaContent) < 500_000 {
			t.Errorf("event %d was cut to %d bytes", i, len(d.DeltaContent))
		}
	}
	if info := next[session.SessionInfo](r); info.Message != "-32601" {
		t.Errorf("a request of the program was answered with %s", info.Message)
	}
	if n := len(r.Seen()); n != floodSize+1 {
		t.Errorf("%d events, want %d", n, floodSize+1)
	}
	if err := agent.Close(t.Context()); err != nil {
		t.Errorf("close: %v", err)
	}
}

// TestEnvironment looks at what the CLI sees of ours.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	env := []string{"PATH=/bin", "OTEL_EXPORTER_OTLP_ENDPOINT=http://x", "COPILOT_HOME=/h", "OTEL_X=1", "HOTEL_Y=2"}
	for telemetry, want := range map[bool]string{
		false: "PATH=/bin COPILOT_HOME=/h HOTEL_Y=2",
		true:  strings.Join(env, " "),
	} {
		got := strings.Join(copilot.Environment(copilot.Config{Env: env, Telemetry: telemetry}), " ")
		if got != want {
			t.Errorf("telemetry %v: %s, want %s", telemetry, got, want)
		}
	}
}

// TestProviderFromEnvironment runs a session on what the environment says.
func TestProviderFromEnvironment(t *testing.T) {
	t.Parallel()
	b := setup(t, answers())
	vars := map[string]string{
		"COPILOT_PROVIDER_BASE_URL":   b.model.URL,
		"COPILOT_PROVIDER_MODEL_ID":   "gpt-4.1",
		"COPILOT_PROVIDER_WIRE_MODEL": "my-deployment",
		"COPILOT_PROVIDER_API_KEY":    "sk-secret",
		"COPILOT_PROVIDER_HEADERS":    `X-Tenant: parley\nX-Other: 2`,
	}
	provider, err := copilot.ProviderFromEnv(func(name string) string { return vars[name] })
	b.must(err)
	b.cfg.Provider, b.cfg.Model = provider, ""
	b.start()
	s, r := b.open()
	if m := s.Info().Model; m != "gpt-4.1" {
		t.Errorf("the model is %s", m)
	}
	b.send(s, "@@a")
	next[session.AssistantMessage](r)
	req := b.model.Requests()[0]
	if req.Model != "my-deployment" || req.Header.Get("Authorization") != "Bearer sk-secret" ||
		req.Header.Get("X-Tenant") != "parley" || req.Header.Get("X-Other") != "2" {
		t.Errorf("asked %s with %v", req.Model, req.Header)
	}
	id := s.Info().ID
	b.restart() // it must go with the resume too
	s, r = b.resume(id)
	b.send(s, "@@a")
	next[session.AssistantIdle](r)
	if reqs := b.model.Requests(); len(reqs) != 2 || reqs[1].Header.Get("X-Tenant") != "parley" {
		t.Errorf("after the resume: %d requests", len(reqs))
	}
}

func TestProviderNeedsAModel(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.cfg.Model = ""
	b.start()
	_, err := b.agent.Open(t.Context(), session.Options{})
	if err == nil || !strings.Contains(err.Error(), "COPILOT_MODEL") {
		t.Errorf("open without a model: %v", err)
	}
}
