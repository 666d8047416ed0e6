package demo

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"

	"parley/session"
	"parley/session/processgroup"
)

// runShell runs a command and streams what it prints.
func (t *turn) runShell(c *tool) session.ToolExecutionComplete {
	ctx, stop := context.WithCancel(t.ctx)
	defer stop()
	out := shellOutput{stop: stop}
	cmd := shellCommand(ctx, c.Shell)
	cmd.Dir = t.s.scratch
	cmd.Stdout, cmd.Stderr = out.stream(t, c.id, "stdout"), out.stream(t, c.id, "stderr")
	j := t.s.attach(c, stop)
	err := processgroup.New(cmd).Run()
	moved := t.s.detach(j)
	if crash := out.crash.Load(); crash != nil {
		panic(*crash) // it continues where the turn runs
	}
	t.must(t.ctx.Err())
	if moved {
		t.s.startJob(j, agentPaces)
		return success(fmt.Sprintf("%s\n<command with shellId: %s moved to background; the demo stopped it and pretends that it runs>",
			withoutLineEnd(out.text.String()), c.shell()))
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return failure("failure", fmt.Sprintf("The command could not be run: %v", err))
	}
	text := out.text.String()
	complete := exited(c, text, cmd.ProcessState.ExitCode(), t.s.scratch)
	t.emit(session.ToolExecutionPartialResult{ToolCallID: c.id, PartialOutput: text})
	return complete
}

// exited is the result of a command that has printed a text and ended in a folder.
func exited(c *tool, text string, code int, dir string) session.ToolExecutionComplete {
	complete := success(fmt.Sprintf("%s\n<shellId: %s completed with exit code %d>", withoutLineEnd(text), c.shell(), code))
	complete.Result.Contents = []session.ContentBlock{{
		Type: "shell_exit", ShellID: c.shell(), ExitCode: &code, Cwd: dir, OutputPreview: text,
	}}
	complete.ShellExecution = &session.ShellExecution{ExitCode: &code}
	return complete
}

// withoutLineEnd is what was printed without its last line end.
func withoutLineEnd(text string) string {
	return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
}

// shellOutput is what a command has printed, on both of its streams.
type shellOutput struct {
	mu     sync.Mutex
	chunks int
	text   strings.Builder
	stop   func()                // ends the command
	crash  atomic.Pointer[error] // a panic while it was streamed
}

// chunkBytes is the most that the runtime sends at once.
const chunkBytes = 8192

// stream returns the writer of one of the streams. It is called in a goroutine
// of the command's own.
func (o *shellOutput) stream(t *turn, call session.CallID, name string) writer {
	return func(p []byte) (int, error) {
		o.mu.Lock()
		defer o.mu.Unlock()
		err := session.Guard(func() error { return o.emit(t, call, name, string(p)) })
		if errors.As(err, new(*session.PanicError)) {
			o.crash.Store(&err)
			o.stop()
		}
		if err != nil {
			return 0, err
		}
		return len(p), nil
	}
}

// emit is what a stream does with what was printed.
func (o *shellOutput) emit(t *turn, call session.CallID, name, printed string) error {
	for printed != "" {
		n := min(chunkBytes, len(printed))
		text := printed[:n]
		if err := t.send(session.ToolShellOutput{
			ToolCallID: call, Stream: name, Text: text, Sequence: o.chunks,
		}); err != nil {
			return err
		}
		o.chunks++
		o.text.WriteString(text)
		printed = printed[n:]
	}
	return nil
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }
