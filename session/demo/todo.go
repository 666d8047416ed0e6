package demo

import (
	"context"
	"slices"
	"strings"

	"parley/session"
)

// Todos implements session.TodoLister.
func (s *Session) Todos(context.Context) ([]session.Todo, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.todos), nil
}

// setTodos replaces what is to be done.
func (s *Session) setTodos(todos []session.Todo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.todos = todos
}

// plan is the plan that the demo would carry out.
const plan = "# Plan\n\n1. **Look** at the files of the scratch folder\n2. **Change** what `hello.go` says\n" +
	"3. **Report** what was done\n\n" +
	"Nothing is touched before you approve.\n"

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
