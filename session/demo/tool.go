package demo

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"parley/session"
)

// tool is one call of a tool.
type tool struct {
	id                     session.CallID
	name, title, intention string
	arguments              jsontext.Value
	command                string   // of the shell; runs in the scratch folder
	asks                   []string // the commands to ask for, in their order; none: it only reads
	run                    func(*turn, *tool) (session.ToolExecutionComplete, error)
}

func newTool(name, title, intention string, arguments any) *tool {
	text, err := json.Marshal(arguments, json.Deterministic(true))
	if err != nil {
		panic(err) // the arguments are in this package
	}
	return &tool{
		id: session.CallID("call_" + uuid.NewString()), name: name, title: title, intention: intention, arguments: text,
	}
}

// shell runs a command that needs permission.
func shell(command, intention string) *tool {
	c := shellReading(command, intention)
	for text := range strings.SplitSeq(command, " && ") {
		c.asks = append(c.asks, strings.Fields(text)[0])
	}
	return c
}

// shellReading runs a command that only reads, which the runtime does without
// asking.
func shellReading(command, intention string) *tool {
	c := newTool("bash", "Running command", intention, map[string]string{"command": command, "description": intention})
	c.command, c.run = command, (*turn).runShell
	return c
}

// view reads a file of the scratch folder.
func view(name string) *tool {
	c := newTool("view", "Viewing file", "view the file "+name, map[string]string{"path": name})
	c.run = func(t *turn, _ *tool) (session.ToolExecutionComplete, error) {
		text, err := os.ReadFile(filepath.Join(t.s.scratch, name))
		complete := success(string(text))
		if err != nil {
			complete = failure("failure", fmt.Sprintf("The file %s could not be read: %v", name, err))
		}
		return complete, t.ctx.Err()
	}
	return c
}

func requests(tools []*tool) []session.ToolRequest {
	var rs []session.ToolRequest
	for _, c := range tools {
		rs = append(rs, session.ToolRequest{
			ToolCallID: c.id, Name: c.name, Arguments: c.arguments, Type: "function",
			IntentionSummary: c.intention, ToolTitle: c.title,
		})
	}
	return rs
}

func success(content string) session.ToolExecutionComplete {
	return session.ToolExecutionComplete{
		Success: true, Result: &session.ToolResult{Content: content, DetailedContent: content},
	}
}

func failure(code, message string) session.ToolExecutionComplete {
	return session.ToolExecutionComplete{Error: &session.ToolError{Code: code, Message: message}}
}

// use runs the tools of one reply: all start, then each asks for what it needs
// and runs.
func (t *turn) use(tools []*tool) error {
	for _, c := range tools {
		start := session.ToolExecutionStart{
			ToolCallID: c.id, ToolName: c.name, ToolTitle: c.title, Arguments: c.arguments,
			TurnID: t.id(), Model: t.s.currentModel(),
		}
		if c.command != "" {
			start.ShellToolInfo = &session.ShellToolInfo{PossiblePaths: []string{}}
		}
		if err := t.emit(start); err != nil {
			return err
		}
		t.tools = append(t.tools, c)
	}
	for _, c := range tools {
		complete, err := t.permitted(c)
		if err == nil && complete == nil {
			var ran session.ToolExecutionComplete
			ran, err = c.run(t, c)
			complete = &ran
		}
		if err != nil && !errors.Is(err, errRefused) {
			return err
		}
		complete.ToolCallID, complete.TurnID, complete.InteractionID = c.id, t.id(), t.interaction
		complete.Model = t.s.currentModel()
		if complete.Result != nil {
			t.s.spend(complete.Result.Content)
		}
		if err := errors.Join(t.emit(*complete), err); err != nil {
			return err
		}
		t.tools = t.tools[1:]
	}
	return nil
}

// runShell runs a command and streams what it prints.
func (t *turn) runShell(c *tool) (session.ToolExecutionComplete, error) {
	var out shellOutput
	cmd := exec.CommandContext(t.ctx, "sh", "-c", c.command)
	cmd.Dir = t.s.scratch
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	cmd.Stdout, cmd.Stderr = out.stream(t, c.id, "stdout"), out.stream(t, c.id, "stderr")
	// A child of a killed shell may hold the pipes open for a while.
	cmd.WaitDelay = 100 * time.Millisecond
	err := cmd.Run()
	if t.ctx.Err() != nil {
		return session.ToolExecutionComplete{}, t.ctx.Err()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return failure("failure", fmt.Sprintf("The command could not be run: %v", err)), nil
	}
	code := cmd.ProcessState.ExitCode()
	id := strings.TrimPrefix(string(c.id), "call_")
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
}

// chunkBytes is the most that the runtime sends at once.
const chunkBytes = 8192

// stream returns the writer of one of the streams.
func (o *shellOutput) stream(t *turn, call session.CallID, name string) writer {
	return func(p []byte) (int, error) {
		o.mu.Lock()
		defer o.mu.Unlock()
		for rest := p; len(rest) > 0; {
			n := min(chunkBytes, len(rest))
			text := string(rest[:n])
			if err := t.emit(session.ToolShellOutput{
				ToolCallID: call, Stream: name, Text: text, Sequence: o.chunks,
			}); err != nil {
				return 0, err
			}
			o.chunks++
			o.text.WriteString(text)
			rest = rest[n:]
		}
		return len(p), nil
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }
