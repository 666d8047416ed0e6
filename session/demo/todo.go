package demo

import (
	"context"
	"slices"
	"strings"

	"parley/session"
)

// The states of a todo.
const (
	todoPending = "pending"
	todoActive  = "in_progress"
	todoDone    = "done"
	todoBlocked = "blocked"
)

// Todos implements session.TodoLister.
func (s *Session) Todos(context.Context) ([]session.Todo, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.todos), nil
}

// setTodos gives each todo its state.
func (s *Session) setTodos(states ...string) {
	todos := []session.Todo{
		{ID: "t1", Title: "Look around", Description: "See what the scratch folder holds."},
		{ID: "t2", Title: "Think", Description: "For as long as it takes."},
		{ID: "t3", Title: "Report", Description: "Say what was found."},
		{ID: "t4", Title: "Go out for a walk", Description: "The demo may not leave its folder."},
	}
	for i := range todos {
		todos[i].Status = states[i]
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.todos = todos
}

// playTodos keeps a list of what is to do, and says what it is doing.
func (t *turn) playTodos() error {
	steps := []struct {
		description, query, result, intent string
		states                             []string
	}{
		{
			"Write down what is to do",
			"INSERT INTO todos (id, title, status) VALUES ('t1', 'Look around', 'in_progress'), ('t2', 'Think', 'pending'), " +
				"('t3', 'Report', 'pending'), ('t4', 'Go out for a walk', 'blocked')",
			"4 row(s) inserted. Last inserted row ID: 4.", "Looking around",
			[]string{todoActive, todoPending, todoPending, todoBlocked},
		},
		{
			"Tick off the first", "UPDATE todos SET status = CASE id WHEN 't1' THEN 'done' ELSE 'in_progress' END WHERE id IN ('t1', 't2')",
			"2 row(s) updated.", "Thinking it over",
			[]string{todoDone, todoActive, todoPending, todoBlocked},
		},
		{
			"Tick off the rest", "UPDATE todos SET status = 'done' WHERE status <> 'blocked'", "3 row(s) updated.", "Reporting",
			[]string{todoDone, todoDone, todoDone, todoBlocked},
		},
	}
	text := "I keep a list of what is to do. The status line says which part I am at, and `/todos` shows it whole."
	for _, s := range steps {
		c := newTool("sql", "", s.description, map[string]string{"description": s.description, "query": s.query})
		c.run = func(t *turn, _ *tool) (session.ToolExecutionComplete, error) {
			t.s.setTodos(s.states...)
			if err := t.emit(session.SessionTodosChanged{}, session.AssistantIntent{Intent: s.intent}); err != nil {
				return session.ToolExecutionComplete{}, err
			}
			return success(s.result), t.s.wait(t.ctx, 30)
		}
		if err := t.call(reply{text: text, tools: []*tool{c}}); err != nil {
			return err
		}
		text = ""
	}
	return t.call(reply{text: "All but one are done. I pretended: nothing was to do but to keep the list."})
}

// ReadPlan implements session.PlanManager.
func (s *Session) ReadPlan(context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.plan, nil
}

// WritePlan implements session.PlanManager. An empty plan is none.
func (s *Session) WritePlan(_ context.Context, markdown string) error {
	return s.change("write the plan", func() error {
		if strings.TrimSpace(markdown) == "" {
			markdown = ""
		}
		operation := "update"
		switch {
		case markdown == s.plan:
			return nil
		case s.plan == "":
			operation = "create"
		case markdown == "":
			operation = "delete"
		}
		s.plan = markdown
		s.out.put(session.SessionPlanChanged{Operation: operation})
		return nil
	})
}

// drafted is the plan that the agent works with: the one that is written, or
// else its own, which is written from now on.
func (s *Session) drafted() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.plan == "" {
		s.plan = plan
	}
	return s.plan
}
