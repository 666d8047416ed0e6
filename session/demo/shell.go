package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parley/session"
)

// shell runs a command that needs permission.
func (t *turn) shell(command, intention string) *tool {
	c := shellReading(command, intention)
	p := permit{
		request: session.PermissionRequest{
			Kind: "shell", FullCommandText: command, ShellType: "bash", Intention: intention,
			PossiblePaths: []string{}, CanOfferSessionApproval: true,
		},
		prompt: session.PromptRequest{
			Kind: "commands", FullCommandText: command, Intention: intention, CanOfferSessionApproval: true,
		},
	}
	for text := range strings.SplitSeq(command, " && ") {
		words := strings.Fields(text)
		p.needs = append(p.needs, grant{grantCommand, words[0]})
		p.prompt.CommandIdentifiers = append(p.prompt.CommandIdentifiers, words[0])
		p.request.Commands = append(p.request.Commands, session.ShellCommand{Identifier: words[0]})
		p.request.CommandSegments = append(p.request.CommandSegments, session.CommandSegment{
			Identifier: words[0], FullCommandText: text, StaticTokens: words, WorkingDirectory: t.s.scratch,
		})
	}
	c.permits = []permit{p}
	return c
}

// shellReading runs a command that only reads, which the runtime does without
// asking.
func shellReading(command, intention string) *tool {
	c := newTool("bash", "Running command", intention, map[string]string{"command": command, "description": intention})
	c.command, c.run = command, (*turn).runShell
	return c
}

// runShell runs a command and streams what it prints.
func (t *turn) runShell(c *tool) (session.ToolExecutionComplete, error) {
	ctx, stop := context.WithCancel(t.ctx)
	defer stop()
	out := shellOutput{stop: stop}
	cmd := exec.CommandContext(ctx, "sh", "-c", c.command)
	cmd.Dir = t.s.scratch
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	cmd.Stdout, cmd.Stderr = out.stream(t, c.id, "stdout"), out.stream(t, c.id, "stderr")
	// A child of a killed shell may hold the pipes open for a while.
	cmd.WaitDelay = 100 * time.Millisecond
	detach := t.s.attach(c, stop)
	err := cmd.Run()
	moved := detach()
	if crash := out.crash.Load(); crash != nil {
		panic(*crash) // it goes on where the turn runs
	}
	if t.ctx.Err() != nil {
		return session.ToolExecutionComplete{}, t.ctx.Err()
	}
	if moved {
		t.s.startJob(&job{Task: session.Task{ID: c.shell(), Title: c.intention, Detail: c.command}}, agentPaces)
		return success(fmt.Sprintf("%s\n<command with shellId: %s moved to background; the demo stopped it and pretends that it goes on>",
			strings.TrimSuffix(out.text.String(), "\n"), c.shell())), nil
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return failure("failure", fmt.Sprintf("The command could not be run: %v", err)), nil
	}
	code := cmd.ProcessState.ExitCode()
	id := c.shell()
	text := out.text.String()
	complete := success(fmt.Sprintf("%s\n<shellId: %s completed with exit code %d>", strings.TrimSuffix(text, "\n"), id, code))
	complete.Result.Contents = []session.ContentBlock{{
		Type: "shell_exit", ShellID: id, ExitCode: &code, Cwd: t.s.scratch, OutputPreview: text,
	}}
	complete.ShellExecution = &session.ShellExecution{ExitCode: &code}
	return complete, t.emit(session.ToolExecutionPartialResult{ToolCallID: c.id, PartialOutput: text})
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
		err := session.Guard(func() error { return o.tell(t, call, name, string(p)) })
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

// tell is what a stream does with what was printed.
func (o *shellOutput) tell(t *turn, call session.CallID, name, printed string) error {
	for printed != "" {
		n := min(chunkBytes, len(printed))
		text := printed[:n]
		if err := t.emit(session.ToolShellOutput{
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

// playParallel runs three tools that only read.
func (t *turn) playParallel() error {
	if err := t.parallel("I look at three things at once. They only read, so you are not asked."); err != nil {
		return err
	}
	return t.call(reply{text: "All three are done. Their output is folded; `ctrl+o` shows it."})
}

func (t *turn) parallel(text string) error {
	return t.call(reply{text: text, tools: []*tool{
		shellReading("ls -la", "list the scratch folder"),
		view("notes.md"),
		shellReading("wc -l *", "count the lines of its files"),
	}})
}

// playSlow runs a command long enough to be interrupted.
func (t *turn) playSlow() error {
	return t.show("I count to twenty, a line each second. `Esc` `Esc` stops me.", t.shell("sh count.sh", "count slowly"),
		"Done counting.")
}

// playDanger asks for a command that deletes.
func (t *turn) playDanger() error {
	return t.show("I ask to delete a file of my scratch folder. A command that may destroy something is marked, is never "+
		"offered for the session, and one key is not enough: press `y`, then `Enter`.",
		t.shell("rm -f hello.txt", "delete a file of the demo's scratch folder"), "Gone. It was an empty file of the demo's own.")
}
