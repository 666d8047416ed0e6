package copilot

import (
	"context"

	"parley/session"
)

// reports are what the runtime says of a session: its todos and its plan, how its
// context is filled, and what it used.
type reports struct{ *link }

// Todos implements session.TodoLister: the rows of the table the agent keeps
// (docs/protocol.md, section 8.5).
func (rs reports) Todos(ctx context.Context) ([]session.Todo, error) {
	todos, err := ask[[]session.Todo](ctx, rs, "session.plan.readSqlTodos", nil, "rows")
	return todos, attempt(err, "read the todos")
}

// ReadPlan implements session.PlanManager.
func (rs reports) ReadPlan(ctx context.Context) (string, error) {
	plan, err := ask[string](ctx, rs, "session.plan.read", nil, "content") // null without a plan
	return plan, attempt(err, "read the plan")
}

// WritePlan implements session.PlanManager.
func (rs reports) WritePlan(ctx context.Context, markdown string) error {
	return attempt(rs.call(ctx, "session.plan.update", object{"content": markdown}, nil), "write the plan")
}
