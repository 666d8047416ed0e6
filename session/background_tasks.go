package session

import (
	"context"
	"time"
)

// TaskManager is a Session that lists and ends what runs in the background
// (docs/protocol.md, section 8.6). The
// session.background_tasks_changed event reports that something changed.
type TaskManager interface {
	Tasks(ctx context.Context) ([]Task, error)
	// CancelTask ends one; RemoveTask takes one that has ended off the list.
	CancelTask(ctx context.Context, id string) error
	RemoveTask(ctx context.Context, id string) error
	// Background moves what runs now to the background: the task with
	// that id, or, for "", all that the agent waits for.
	Background(ctx context.Context, id string) error
}

// Task is a sub-agent or a shell that the agent started.
type Task struct {
	ID     string    `json:"id"`
	Agent  bool      `json:"-"` // a sub-agent, else a shell
	Title  string    `json:"description"`
	Detail string    `json:"command"` // the command, or what the sub-agent was asked
	Status string    `json:"status"`  // running, idle, completed, failed or cancelled
	Since  time.Time `json:"startedAt"`
	// Attached is true while the agent waits for it, so that Background means
	// something.
	Attached bool   `json:"canPromoteToBackground"`
	Output   string `json:"-"` // what it said last
}

// TodoLister is a Session whose agent keeps a list of what is to be done. The
// session.todos_changed event reports that it changed.
type TodoLister interface {
	Todos(ctx context.Context) ([]Todo, error)
}

// Todo is one thing to be done.
type Todo struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Status      string `json:"status"` // pending, in_progress, done or blocked
}

// PlanManager is a Session that has a plan in a file of its own.
type PlanManager interface {
	// ReadPlan returns the plan as markdown; "" if the session has no plan.
	ReadPlan(ctx context.Context) (string, error)
	WritePlan(ctx context.Context, markdown string) error
}
