package copilot_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// prompted are the messages of the last request to the model, as one text.
func (b *bench) prompted() string {
	b.Helper()
	reqs := b.model.Requests()
	if len(reqs) == 0 {
		b.Fatal("nothing reached the model")
	}
	var texts []string
	for _, m := range reqs[len(reqs)-1].Messages[1:] { // after the system message
		texts = append(texts, m.Text())
	}
	return strings.Join(texts, "\n")
}

// TestRunShell runs a command that fails. It is shown as it runs, is no error
// and asks nothing, and the model sees it with the next prompt.
func TestRunShell(t *testing.T) {
	b := on(t, answers())
	s, r := b.open()
	b.must(s.RunShell(t.Context(), "echo out-$((40+2)); echo err-$((40+3)) >&2; touch ran; exit 3"))
	asked := next[session.ToolUserRequested](r)
	if !strings.Contains(string(asked.Arguments), "touch ran") {
		t.Errorf("asked for %s", asked.Arguments)
	}
	done := next[session.ToolExecutionComplete](r)
	if done.ToolCallID != asked.ToolCallID || !done.IsUserRequested || done.Success ||
		done.ShellExecution == nil || done.ShellExecution.ExitCode == nil || *done.ShellExecution.ExitCode != 3 {
		t.Errorf("ended as %+v", done)
	}
	var out string
	for _, o := range sessiontest.All[session.ToolShellOutput](r.Seen()) {
		out += o.Text
	}
	if !strings.Contains(out, "out-42\n") || !strings.Contains(out, "err-43\n") || !b.exists("ran") {
		t.Errorf("shown: %q", out)
	}
	b.send(s, "@@a")
	next[session.AssistantIdle](r)
	if p := b.prompted(); !strings.Contains(p, "touch ran; exit 3") || !strings.Contains(p, "out-42") || !strings.Contains(p, "err-43") {
		t.Errorf("the model was sent %s", p)
	}
	if asked := sessiontest.All[session.PermissionRequested](r.Seen()); len(asked) != 0 {
		t.Errorf("asked %+v", asked)
	}
}

// TestStopShell ends the context of commands: one that runs, one that ignores
// the signal, and one before it has begun. The runtime signals every process of a
// command, in any order: a list of commands with && does not run the next
// one when the first was ended.
func TestStopShell(t *testing.T) {
	b := on(t, nil)
	s, r := b.open()
	stop := func(command string, ready func()) (waited time.Duration) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		done := make(chan error, 1)
		go func() { done <- s.RunShell(ctx, command) }()
		ready()
		start := time.Now()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "run the command") {
			t.Errorf("ended with %v", err)
		}
		return time.Since(start)
	}
	started := func() { next[session.ToolShellOutput](r) }
	ended := func() {
		t.Helper()
		if d := next[session.ToolExecutionComplete](r); d.Success || d.Error == nil || d.ShellExecution != nil {
			t.Errorf("ended as %+v", d)
		}
	}
	const endless = "echo on; sleep 60 && touch late"
	for _, command := range []string{endless, "trap '' TERM INT HUP; " + endless} {
		if waited := stop(command, started); waited > 3*time.Second {
			t.Errorf("waited %v for %s", waited, command)
		}
		ended()
	}
	stop("echo on; sleep 1 && touch late", func() { next[session.ToolUserRequested](r) })
	ended()
	for range 5 {
		stop("sleep 1 && touch late", func() {})
	}
	b.must(s.RunShell(t.Context(), "sleep 1.5"))
	if b.exists("late") {
		t.Error("a command that was stopped kept running")
	}
}

// TestShellDuringATurn runs a command while the agent works. The model is never
// informed of it (1.0.102).
func TestShellDuringATurn(t *testing.T) {
	hold := llm.NewGate()
	b := on(t, llm.Script{"wait": {{Text: "One two.", Hold: hold, HoldAfter: 1}}, "a": {{Text: "A."}}})
	t.Cleanup(hold.Open)
	s, r := b.open()
	b.send(s, "@@wait")
	<-hold.Reached()
	b.must(s.RunShell(t.Context(), "echo mid-$((40+2))"))
	if d := next[session.ToolExecutionComplete](r); !d.Success || d.Result == nil || d.Result.Content != "mid-42" {
		t.Errorf("ended as %+v", d)
	}
	hold.Open()
	next[session.AssistantIdle](r)
	b.send(s, "@@a")
	next[session.AssistantIdle](r)
	if strings.Contains(b.prompted(), "mid-42") {
		t.Error("the model is informed of it now: the window need not warn any more")
	}
}

// TestShellWithoutFolder cannot start a command: the events say so.
func TestShellWithoutFolder(t *testing.T) {
	b := on(t, nil)
	s, r := b.open()
	b.must(os.Remove(b.dir))
	b.must(s.RunShell(t.Context(), "echo hello"))
	if d := next[session.ToolExecutionComplete](r); d.Success || d.Error == nil || d.Error.Message == "" {
		t.Errorf("ended as %+v", d)
	}
	b.must(s.Close(t.Context()))
	if err := s.RunShell(t.Context(), "echo hello"); !errors.Is(err, copilot.ErrClosed) {
		t.Errorf("in a session that has ended: %v", err)
	}
}
