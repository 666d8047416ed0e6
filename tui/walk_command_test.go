package tui

import (
	"context"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// counting is a session in which a command runs that the agent waits for. The demo
// runs a real one, which no fake clock makes faster.
type counting struct {
	session.Session
	mu   sync.Mutex
	task session.Task
}

// unattended is what the command has written once nothing waits for it.
const unattended = "counting on alone"

// withACommand is an agent with such a session.
func withACommand(ctx context.Context, t *testing.T) (session.Agent, error) {
	t.Helper()
	a, err := playsLog(
		session.UserMessage{Content: "Count."}, session.AssistantTurnStart{TurnID: "0"},
		session.ToolExecutionStart{ToolCallID: "call-a", ToolName: "bash", Arguments: jsontext.Value(`{"command":"sh count.sh"}`)},
		session.ToolShellOutput{ToolCallID: "call-a", Stream: "stdout", Text: "line 1 of 20\n"},
	)(ctx, t)
	return countingAgent{a}, err
}

type countingAgent struct{ session.Agent }

func (a countingAgent) Open(ctx context.Context, o session.Options) (session.Session, error) {
	s, err := a.Agent.Open(ctx, o)
	task := session.Task{ID: "call-a", Title: "count slowly", Detail: "sh count.sh", Status: "running", Since: started, Attached: true}
	return &counting{Session: s, task: task}, err
}

// Tasks implements session.TaskManager.
func (s *counting) Tasks(context.Context) ([]session.Task, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return []session.Task{s.task}, nil
}

// CancelTask implements session.TaskManager.
func (s *counting) CancelTask(context.Context, string) error { return nil }

// RemoveTask implements session.TaskManager.
func (s *counting) RemoveTask(context.Context, string) error { return nil }

// Background implements session.TaskManager.
func (s *counting) Background(context.Context, string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.task.Attached, s.task.Output = false, unattended
	return nil
}
