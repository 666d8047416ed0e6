package copilot_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
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

// says checks the text of an error.
func says(t *testing.T, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one that says %q", want)
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error does not say %q: %v", w, err)
		}
	}
}

// isKind checks that an error is of one kind and of no other, whose words it
// does not repeat.
func isKind(t *testing.T, err, want error) {
	t.Helper()
	for _, kind := range []error{
		copilot.ErrProtocol, copilot.ErrVersion, copilot.ErrToken, copilot.ErrGarbled, copilot.ErrEnded, copilot.ErrClosed,
	} {
		if errors.Is(err, kind) != (kind == want) { //nolint:errorlint // it is the same one or not
			t.Errorf("is %q: %t, of %v", kind, errors.Is(err, kind), err)
		}
	}
	if err != nil && strings.Contains(err.Error(), want.Error()) {
		t.Errorf("repeats %q: %v", want, err)
	}
}

// TestWhatIsNoCopilotCLI starts programs that are not the Copilot CLI, or one
// that is too old, too new or broken.
func TestWhatIsNoCopilotCLI(t *testing.T) {
	t.Parallel()
	for as, tc := range map[string]struct {
		kind error
		says []string
	}{
		"old":        {copilot.ErrVersion, []string{"is too old and Parley needs 1.0.102 or later: update it with `npm install"}},
		"1.0.101":    {copilot.ErrVersion, []string{"is version 1.0.101 and Parley needs 1.0.102 or later: update it with `npm install"}},
		"crash":      {copilot.ErrEnded, []string{"ended before it answered (exit status 3)", "--version`: it must be 1.0.102 or later", "the disk is full", "trace line 1999"}},
		"leaves":     {copilot.ErrEnded, []string{"ended before it answered (exit status 0)", "--version`: it must be 1.0.102 or later"}},
		"chatty":     {copilot.ErrGarbled, []string{"does not speak the Copilot CLI's protocol", "Hello! What would you like", "--version"}},
		"not json":   {copilot.ErrGarbled, []string{"does not speak the Copilot CLI's protocol", "hello"}},
		"no connect": {copilot.ErrProtocol, []string{"an older protocol", "speaks 3", "npm install"}},
		"no version": {copilot.ErrGarbled, []string{"does not speak the Copilot CLI's protocol", "connect"}},
		"protocol 2": {copilot.ErrProtocol, []string{"speaks protocol 2", "speaks 3", "npm install"}},
		"protocol 4": {copilot.ErrProtocol, []string{"speaks protocol 4", "update Parley"}},
	} {
		t.Run(as, func(t *testing.T) {
			t.Parallel()
			cfg := pretend(t, as)
			agent, err := copilot.Open(t.Context(), cfg)
			if err == nil {
				_ = agent.Close(t.Context())
				t.Fatal("it was taken for the Copilot CLI")
			}
			says(t, err, append(tc.says, cfg.Path)...)
			isKind(t, err, tc.kind)
			if n := strings.Count(err.Error(), "\n"); n > 5 {
				t.Errorf("the error has %d lines: %v", n, err)
			}
		})
	}
}

// TestNoHome starts a CLI that has no home folder to write to: that is said, and
// not how its runtime prints an error.
func TestNoHome(t *testing.T) {
	t.Parallel()
	home, variable := t.TempDir(), "HOME"
	if runtime.GOOS == "windows" {
		variable = "USERPROFILE"
	}
	file := filepath.Join(home, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(file, "x")
	its := filepath.Join(below, ".copilot")
	for _, c := range []struct {
		as, home string
		env      []string
		says     string
		not      string
	}{
		{"packed", below, nil, "it needs to write to " + its + " and cannot: set " + variable + " to a folder that can be written to", "--version"},
		{"packed", home, nil, "--version", "it needs to write"},
		{"packed", home, []string{"COPILOT_CACHE_HOME=" + below}, "it needs to write to " + below + " and cannot: set COPILOT_CACHE_HOME to", "--version"},
		{"leaves", below, nil, its, "--version"},
		{"leaves", below, []string{"COPILOT_HOME=" + home, "COPILOT_CACHE_HOME=" + home}, "--version", "it needs to write"},
	} {
		cfg := pretend(t, c.as)
		cfg.Env = append(append(cfg.Env, variable+"="+c.home), c.env...)
		_, err := copilot.Open(t.Context(), cfg)
		says(t, err, "ended before it answered", c.says)
		if err == nil {
			continue
		}
		for _, not := range []string{"errno", "async", c.not} {
			if strings.Contains(err.Error(), not) {
				t.Errorf("%s, %s: %q in it: %v", c.as, c.home, not, err)
			}
		}
		if said := strings.Contains(err.Error(), "\nFailed to extract bundled package: Error: ENOTDIR"); said != (c.as == "packed" && c.not != "--version") {
			t.Errorf("what it said is there: %t, in %v", said, err)
		}
	}
}

// TestNeverAnswersConnect starts a program that takes what it is sent and says
// nothing to it.
func TestNeverAnswersConnect(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	_, err := copilot.Open(ctx, pretend(t, "silent"))
	says(t, err, "does not answer", "deadline exceeded", "--version`: it must be 1.0.102 or later")
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the cause is %v", err)
	}
	err = copilot.OpenUntilSaid(t.Context(), pretend(t, "mute"))
	says(t, err, "does not answer", "--version`: it must be 1.0.102 or later", "\nwaiting for the lock")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the cause is %v", err)
	}
}

// faulty is a session in which a prompt causes the fault that it names.
func faulty(t *testing.T) (*copilot.Agent, session.Session, *sessiontest.Reader) {
	t.Helper()
	agent, err := copilot.Open(t.Context(), pretend(t, "faulty"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // most of them cannot end by themselves
		_ = agent.Close(ctx)
		gone(t, agent.Pid())
	})
	s, err := agent.Open(t.Context(), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return agent, s, sessiontest.Read(t, s)
}

// holdsPipes is why no test on Windows has a program close its pipes.
const holdsPipes = "what Wine 8 lacks: a console without a window that does not hold the pipes of its program until that ends"

// TestRuntimeBreaks lets the runtime end, or send what cannot be read, in the
// middle of a session: the session ends and says why.
func TestRuntimeBreaks(t *testing.T) {
	t.Parallel()
	const ended, garbage = "ended unexpectedly", "sent what is not its protocol"
	killed := "signal: killed"
	if runtime.GOOS == "windows" {
		killed = "exit status 1"
	}
	for fault, want := range map[string][]string{
		"exits":              {ended + " (exit status 0)"},
		"fails":              {ended + " (exit status 9)", "\nout of memory"},
		"half a header":      {ended + " (exit status 9)", "\nout of memory"},
		"half a message":     {ended + " (exit status 9)", "\nout of memory"},
		"is killed":          {ended + " (" + killed + ")"},
		"closes its output":  {ended + " (exit status 0)"},
		"a line of text":     {garbage, `it sent "Warning: the sky is falling" where a message was to begin`},
		"text without end":   {garbage, `it sent "la la la`, "and more where a message was to begin"},
		"header without end": {garbage, "more than 16 lines"},
		"no length":          {garbage, "does not give its length"},
		"negative length":    {garbage, `gives " -5" as its length`},
		"length in words":    {garbage, `gives " twelve" as its length`},
		"huge length":        {garbage, "999999999999 bytes", "268435456 at most"},
		"short length":       {garbage, `it starts "{\"jsonrpc"`},
		"invalid JSON":       {garbage, "not a JSON-RPC message"},
		"a batch":            {garbage, "not a JSON-RPC message"},
		"no event":           {garbage, "not a session event"},
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			if fault == "closes its output" {
				sessiontest.UnixOnly(t, holdsPipes)
			}
			agent, s, r := faulty(t)
			// The answer may come before the fault or not at all.
			if err := s.Send(t.Context(), session.Input{Prompt: fault}); err != nil && !errors.Is(err, copilot.ErrClosed) {
				t.Errorf("Send: %v", err)
			}
			r.Rest()
			says(t, s.Wait(), append(want, "resume the session")...)
			kind := copilot.ErrGarbled
			if strings.HasPrefix(want[0], ended) {
				kind = copilot.ErrEnded
			}
			isKind(t, s.Wait(), kind)
			var exit *exec.ExitError
			if failed := strings.HasPrefix(want[0], ended) && !strings.Contains(want[0], "status 0"); errors.As(s.Wait(), &exit) != failed {
				t.Errorf("how it exited is wrapped: %t, want %t", !failed, failed)
			}
			if err := s.Abort(t.Context()); !errors.Is(err, copilot.ErrClosed) {
				t.Errorf("Abort: %v", err)
			}
			if _, err := agent.Open(t.Context(), session.Options{}); !errors.Is(err, copilot.ErrClosed) {
				t.Errorf("Open: %v", err)
			}
			for range 2 {
				if err := s.Close(t.Context()); err != nil {
					t.Errorf("close the session: %v", err)
				}
				if err := agent.Close(t.Context()); err != nil {
					t.Errorf("close the agent: %v", err)
				}
			}
		})
	}
}

// TestOddMessages lets the runtime send what can be read but not understood:
// the session continues as if nothing had happened.
func TestOddMessages(t *testing.T) {
	t.Parallel()
	_, s, r := faulty(t)
	for _, fault := range []string{
		"nothing", "an unknown notification", "an unknown response", "a response with an odd id", "an empty message",
		"null", "the event of another", "an event without a session", "an event without a body",
		"an event that is a number", "much error output",
	} {
		before := len(r.Seen())
		if err := s.Send(t.Context(), session.Input{Prompt: fault}); err != nil {
			t.Fatal(err)
		}
		if info := next[session.SessionInfo](r); info.Message != "still here" {
			t.Errorf("%s: it says %s", fault, info.Message)
		}
		for _, ev := range r.Seen()[before : len(r.Seen())-1] {
			if b, ok := ev.Body.(session.Unknown); !ok || b.Reason == nil {
				t.Errorf("%s: came through as %+v", fault, ev)
			}
		}
	}
}

func TestUnknownRequestIsRefused(t *testing.T) {
	t.Parallel()
	_, s, r := faulty(t)
	if err := s.Send(t.Context(), session.Input{Prompt: "an unknown request"}); err != nil {
		t.Fatal(err)
	}
	r.Until("the refusal", func(ev session.Event) bool {
		info, ok := ev.Body.(session.SessionInfo)
		return ok && info.Message == "refused with -32601"
	})
}

func TestEventTwice(t *testing.T) {
	t.Parallel()
	_, s, r := faulty(t)
	if err := s.Send(t.Context(), session.Input{Prompt: "an event twice"}); err != nil {
		t.Fatal(err)
	}
	if a, b := next[session.SessionInfo](r), next[session.SessionInfo](r); a.Message != "twin" || b.Message != "still here" {
		t.Errorf("came %s, %s", a.Message, b.Message)
	}
}

// TestErrorOutputIsKept lets the runtime write 32 MB of error output and then
// fail: the end of it is reported.
func TestErrorOutputIsKept(t *testing.T) {
	t.Parallel()
	_, s, r := faulty(t)
	for _, fault := range []string{"much error output", "fails"} {
		_ = s.Send(t.Context(), session.Input{Prompt: fault})
	}
	r.Rest()
	err := s.Wait()
	says(t, err, "trouble \nout of memory")
	if n := len(err.Error()); n > 5000 {
		t.Errorf("the error is %d bytes long", n)
	}
}

// within is a context for a call that will not be answered.
func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// TestAbortWithoutAnswer aborts in a runtime that does not say that it did: the
// call ends with its context and the session can be used.
func TestAbortWithoutAnswer(t *testing.T) {
	t.Parallel()
	_, s, r := faulty(t)
	err := s.Abort(within(t))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Abort: %v", err)
	}
	says(t, err, "stop the turn", "has not answered session.abort")
	if err := s.Send(t.Context(), session.Input{Prompt: "nothing"}); err != nil {
		t.Errorf("Send: %v", err)
	}
	next[session.SessionInfo](r)
	for range 2 {
		if err := s.Close(t.Context()); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	if err := s.Wait(); err != nil {
		t.Errorf("Wait: %v", err)
	}
}

// TestStopsReading fills the pipe to a runtime that does not read: every call
// ends with its context, and so does everything else.
func TestStopsReading(t *testing.T) {
	t.Parallel()
	agent, s, r := faulty(t)
	if err := s.Send(t.Context(), session.Input{Prompt: "stops reading"}); err != nil {
		t.Fatal(err)
	}
	next[session.SessionInfo](r)
	long := strings.Repeat("x", 1<<20)
	copilot.HoldLess(agent, len(long)*5/2)
	for i := range 2 { // the first hangs in the pipe, the second behind it
		if err := s.Send(within(t), session.Input{Prompt: long}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("prompt %d: %v", i, err)
		}
	}
	says(t, s.Send(within(t), session.Input{Prompt: long}), "send the prompt", "stopped reading")
	if err := s.Abort(within(t)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Abort: %v", err)
	}
	if err := s.Respond(within(t), session.PermissionAnswer{RequestID: "x", Decision: session.ApproveOnce}); err == nil {
		t.Error("an answer got through")
	}
	says(t, s.Close(within(t)), "leave session", "has not answered session.detach")
	if err := s.Wait(); err != nil {
		t.Errorf("Wait: %v", err)
	}
	says(t, agent.Close(within(t)), "killed")
}

// TestClosesItsInput lets the runtime close the pipe it reads from.
func TestClosesItsInput(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, holdsPipes)
	agent, s, r := faulty(t)
	if err := s.Send(t.Context(), session.Input{Prompt: "closes its input"}); err != nil {
		t.Fatal(err)
	}
	next[session.SessionInfo](r)
	// The prompt that finds out waits for an answer; none follows it.
	for s.Send(within(t), session.Input{Prompt: "nothing"}); ; {
		err := s.Send(within(t), session.Input{Prompt: "nothing"})
		if errors.Is(err, copilot.ErrClosed) {
			break
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("Send: %v", err)
		}
	}
	says(t, agent.Close(within(t)), "killed")
	gone(t, agent.Pid())
}

// TestHangsOnClose closes a program that ignores the end of its input and every
// signal that it can, and has a child.
func TestHangsOnClose(t *testing.T) {
	t.Parallel()
	agent, err := copilot.Open(t.Context(), pretend(t, "deaf"))
	if err != nil {
		t.Fatal(err)
	}
	says(t, agent.Close(within(t)), "did not end by itself and was killed")
	gone(t, agent.Pid())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, ctx := range []context.Context{t.Context(), ctx} {
		if err := agent.Close(ctx); err != nil {
			t.Errorf("close again: %v", err)
		}
	}
}

// TestCloseAtOnce closes an agent and its session from many sides.
func TestCloseAtOnce(t *testing.T) {
	t.Parallel()
	agent, s, _ := faulty(t)
	closed := make(chan error)
	const times = 4
	for range times {
		go func() { closed <- s.Close(context.WithoutCancel(t.Context())) }()
		go func() { closed <- agent.Close(context.WithoutCancel(t.Context())) }()
	}
	for range 2 * times {
		if err := <-closed; err != nil {
			t.Error(err)
		}
	}
	if err := s.Wait(); err != nil {
		t.Errorf("Wait: %v", err)
	}
}

// TestSecondCloseKills closes an agent without haste, and then in haste.
func TestSecondCloseKills(t *testing.T) {
	t.Parallel()
	agent, err := copilot.Open(t.Context(), pretend(t, "deaf"))
	if err != nil {
		t.Fatal(err)
	}
	slow := make(chan error)
	go func() { slow <- agent.Close(context.WithoutCancel(t.Context())) }()
	if err := agent.Close(within(t)); err != nil {
		says(t, err, "killed")
	}
	if err := <-slow; err != nil {
		says(t, err, "killed")
	}
	gone(t, agent.Pid())
}

// TestFlood reads nothing until the program has sent as much as it can, then
// everything, while calls are made.
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
	// The answer to this call comes after the whole flood, which is not read. It may
	// take any time.
	if _, err := s.(*copilot.Session).AskAside(t.Context(), "still there?"); err != nil {
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
	if err := agent.Close(t.Context()); err != nil {
		t.Errorf("close: %v", err)
	}
	r.Rest()
	if n := len(r.Seen()); n != floodSize {
		t.Errorf("%d events, want %d", n, floodSize)
	}
}

// TestEveryFaultIsTested makes sure that no fault is left out by a wrong name.
func TestEveryFaultIsTested(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("fault_test.go")
	if err != nil {
		t.Fatal(err)
	}
	more, err := os.ReadFile("open_permissions_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(faults())) {
		if !strings.Contains(string(source)+string(more), fmt.Sprintf("%q", name)) {
			t.Errorf("the fault %q is never caused", name)
		}
	}
}
