package copilot_test

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// TestNothingIsLeftBehind ends the runtime, gently and by force, while a tool
// runs that would run on: the tool ends too.
func TestNothingIsLeftBehind(t *testing.T) {
	t.Parallel()
	script := llm.Script{"slow": {{Calls: []llm.Call{bash("echo begun; sleep 600")}}}}
	for name, end := range map[string]func(*bench){
		"closed":    func(b *bench) { b.stop() },
		"killed":    func(b *bench) { b.must(sessiontest.Signal(b.agent.Pid(), syscall.SIGKILL)) },
		"all of it": func(b *bench) { b.must(sessiontest.Signal(-b.agent.Pid(), syscall.SIGKILL)) },
		"in haste": func(b *bench) {
			if err := b.agent.Close(within(b.T)); err != nil {
				says(b.T, err, "killed")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, script)
			b.cfg.Path = cli(t) // npm's script, which is the process that is started
			b.start()
			s, r := b.open()
			b.send(s, "@@slow")
			q := next[session.PermissionRequested](r)
			b.respond(s, session.PermissionAnswer{RequestID: q.RequestID, Decision: session.ApproveOnce})
			next[session.ToolShellOutput](r)
			end(b)
			r.Rest()
			gone(t, b.agent.Pid())
			if found := left(func() []string { return processes(t, ofHome(b.home)) }); len(found) > 0 {
				t.Errorf("left are:\n%s", strings.Join(found, "\n"))
			}
		})
	}
}

func TestKilledCLI(t *testing.T) {
	hold := llm.NewGate()
	b := alone(t, llm.Script{"a": {{Text: "A."}}, "slow": {{Text: "One two three.", Hold: hold, HoldAfter: 1}}})
	t.Cleanup(hold.Open)
	s, r := b.open()
	b.send(s, "@@a") // a first turn, so that there is something to resume
	next[session.SessionIdle](r)
	b.send(s, "@@slow")
	next[session.AssistantMessageDelta](r)
	b.must(sessiontest.Signal(-b.agent.Pid(), syscall.SIGKILL))
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

// TestEnvironment looks at what the CLI sees of ours.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	env := []string{"PATH=/bin", "COPILOT_CONNECTION_TOKEN=sesame", "COPILOT_HOME=/h"}
	if got := strings.Join(copilot.Environment(copilot.Config{Env: env}), " "); got != "PATH=/bin COPILOT_HOME=/h" {
		t.Errorf("it is %s", got)
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
	b.cfg.Model, b.cfg.URL = "", share(t)
	b.start()
	_, err := b.agent.Open(t.Context(), session.Options{})
	if err == nil || !strings.Contains(err.Error(), "COPILOT_MODEL") {
		t.Errorf("open without a model: %v", err)
	}
}
