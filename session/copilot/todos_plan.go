package copilot

import (
	"context"
	"fmt"

	"parley/session"
)

var (
	_ session.TodoLister  = (*Session)(nil)
	_ session.PlanManager = (*Session)(nil)
)

// Todos implements session.TodoLister: the rows of the table the agent keeps
// (docs/protocol.md, section 8.5).
func (rs *reports) Todos(ctx context.Context) ([]session.Todo, error) {
	var list struct {
		Rows []struct {
			ID          string `json:"id"`
			Title       string `json:"title"`
			Description string `json:"description"`
			Status      string `json:"status"`
		} `json:"rows"`
	}
	if err := rs.call(ctx, "session.plan.readSqlTodos", object{}, &list); err != nil {
		return nil, fmt.Errorf("read the todos: %w", err)
	}
	todos := make([]session.Todo, 0, len(list.Rows))
	for _, r := range list.Rows {
		todos = append(todos, session.Todo{ID: r.ID, Title: r.Title, Description: r.Description, Status: r.Status})
	}
	return todos, nil
}

// ReadPlan implements session.PlanManager.
func (rs *reports) ReadPlan(ctx context.Context) (string, error) {
	var plan struct {
		Content string `json:"content"` // null if there is none
	}
	if err := rs.call(ctx, "session.plan.read", object{}, &plan); err != nil {
		return "", fmt.Errorf("read the plan: %w", err)
	}
	return plan.Content, nil
}

// WritePlan implements session.PlanManager.
func (rs *reports) WritePlan(ctx context.Context, markdown string) error {
	if err := rs.call(ctx, "session.plan.update", object{"content": markdown}, nil); err != nil {
		return fmt.Errorf("write the plan: %w", err)
	}
	return nil
}
