package demo

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"parley/session"
	"parley/session/local"
)

// RunShell implements session.ShellRunner. What the user types is not run: it
// might mean it. A few commands are pretended.
func (s *Session) RunShell(ctx context.Context, command string) error {
	ctx, cancel := s.until(ctx)
	defer cancel()
	err := s.pretendShell(ctx, command)
	if s.Life.Err() != nil {
		err = local.ErrClosed
	}
	if err != nil {
		return fmt.Errorf("run a command: %w", err)
	}
	return nil
}

// pretendShell reports a command in the events of the runtime, which gives it
// no start (docs/protocol.md, section 8.6).
func (s *Session) pretendShell(ctx context.Context, command string) error {
	c := newTool(toolSpec{Name: "bash", Arguments: encoded(map[string]string{"command": command})})
	begin := session.ToolUserRequested{ToolCallID: c.id, ToolName: c.Name, Arguments: c.Arguments}
	if err := s.Log.Stream(ctx, "", begin); err != nil {
		return err
	}
	text, code, paces := typed(s.scratch, command)
	err := s.wait(ctx, paces)
	if err != nil {
		text, code = "The command was stopped.\n", 130
	}
	done := exited(c, text, code, s.scratch)
	if done.Success = code == 0; !done.Success {
		done.Error = &session.ToolError{Code: "failure", Message: strings.TrimSpace(fmt.Sprintf("%s\nexit code %d", text, code))}
	}
	done.ToolCallID, done.IsUserRequested = c.id, true
	if text != "" {
		s.Log.Put(session.ToolShellOutput{ToolCallID: c.id, Stream: "stdout", Text: text})
		s.Log.Put(session.ToolExecutionPartialResult{ToolCallID: c.id, PartialOutput: text})
	}
	s.Log.Put(done)
	return err
}

// pretendedCommands are those that the demo can pretend.
const pretendedCommands = "cat, echo, exit, false, ls, pwd, sleep and true"

// typed is what a command that the user typed would print in the scratch
// folder, its exit code, and for how many paces it would run.
func typed(scratch, command string) (output string, code, paces int) {
	words := strings.Fields(command)
	if len(words) == 0 {
		return "", 0, 0
	}
	number := 0
	if len(words) > 1 {
		number, _ = strconv.Atoi(words[1]) // what is no number counts as none
	}
	switch words[0] {
	case "true":
		return "", 0, 2
	case "false":
		return "", 1, 2
	case "exit":
		return "", number & 0xff, 2
	case "pwd":
		return scratch + "\n", 0, 2
	case "echo":
		return strings.Join(words[1:], " ") + "\n", 0, 2
	case "sleep":
		return "", 0, 40 * min(max(number, 0), 3600) // a second at HumanPace
	case "ls":
		return strings.Join(slices.Sorted(maps.Keys(filesIn(scratch))), "\n") + "\n", 0, 2
	case "cat":
		return cat(scratch, words[1:])
	}
	return fmt.Sprintf("%s: the demo does not run what you type; it pretends %s\n", words[0], pretendedCommands), 127, 2
}

// cat is the files of the scratch folder of those names.
func cat(scratch string, names []string) (output string, code, paces int) {
	files := filesIn(scratch)
	for _, name := range names {
		text, ok := files[name]
		if !ok {
			code, text = 1, fmt.Sprintf("cat: %s: the demo has no such file\n", name)
		}
		output += text
	}
	return output, code, 2
}
