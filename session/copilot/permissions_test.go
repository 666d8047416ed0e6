package copilot

import (
	"testing"

	"parley/session"
)

func TestPermissionsNote(t *testing.T) {
	t.Parallel()
	ask := func(id session.RequestID) session.Event {
		return session.Event{Body: session.PermissionRequested{RequestID: id}}
	}
	done := func(id session.RequestID) session.Event {
		return session.Event{Body: session.PermissionCompleted{RequestID: id}}
	}
	idle := func(agent session.AgentID) session.Event {
		return session.Event{Agent: agent, Body: session.AssistantIdle{}}
	}
	var p permissions
	for i, step := range []struct {
		ev   session.Event
		due  bool
		open int
	}{
		{idle(""), false, 0},
		{ask("a"), false, 1},
		{idle("sub"), false, 1}, // not the root agent
		{done("b"), false, 1},
		{idle(""), true, 1},
		{ask("b"), false, 2},
		{idle(""), false, 2}, // one is under way
		{done("a"), false, 1},
	} {
		if due := p.note(step.ev); due != step.due || len(p.ids()) != step.open {
			t.Errorf("step %d: due %v, open %v", i, due, p.ids())
		}
	}
	if !p.compared() { // for the second one
		t.Error("the second comparison is forgotten")
	}
	if p.note(idle("")) {
		t.Error("two comparisons at once")
	}
	if !p.compared() || p.compared() {
		t.Error("the third comparison does not end")
	}
	if !p.note(idle("")) {
		t.Error("no comparison after the end of the others")
	}
	if _, ok := p.drop("b"); !ok {
		t.Error("an open question cannot be dropped")
	}
	if _, ok := p.drop("b"); ok {
		t.Error("a question was dropped twice")
	}
}
