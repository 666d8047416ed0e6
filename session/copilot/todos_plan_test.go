package copilot_test

import (
	"reflect"
	"testing"

	"parley/session"
	"parley/session/sessiontest/llm"
)

// TestTodos reads what the agent wrote into its table.
func TestTodos(t *testing.T) {
	b := on(t, llm.Script{"todo": {{Calls: []llm.Call{{Name: "sql", Args: map[string]any{
		"description": "note what to do",
		"query": "INSERT INTO todos (id, title, description, status) VALUES " +
			"('a', 'First', 'do the first', 'in_progress'), ('b', 'Second', 'then this', 'pending')",
	}}}}, {Text: "Noted."}}})
	s, r := b.open()
	if got, err := s.Todos(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("at first: %+v, %v", got, err)
	}
	b.send(s, "@@todo")
	next[session.SessionTodosChanged](r)
	got, err := s.Todos(t.Context())
	b.must(err)
	want := []session.Todo{
		{ID: "a", Title: "First", Description: "do the first", Status: "in_progress"},
		{ID: "b", Title: "Second", Description: "then this", Status: "pending"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestPlan(t *testing.T) {
	b := on(t, nil)
	s, r := b.open()
	for i, text := range []string{"", "# Plan\n\n1. Think.\n", "# Another\n", ""} {
		if i > 0 {
			b.must(s.WritePlan(t.Context(), text))
			next[session.SessionPlanChanged](r)
		}
		if got, err := s.ReadPlan(t.Context()); err != nil || got != text {
			t.Errorf("read %q, %v; want %q", got, err, text)
		}
	}
}
