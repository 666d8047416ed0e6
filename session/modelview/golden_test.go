package modelview_test

import (
	"testing"

	"parley/session"
	"parley/session/modelview"
	"parley/session/sessiontest"
)

// project applies a log to a view.
func project(events []session.Event) *modelview.View {
	v := modelview.New()
	for _, ev := range events {
		v.Apply(ev)
	}
	return v
}

func TestGoldens(t *testing.T) {
	t.Parallel()
	for _, name := range sessiontest.LogNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := project(sessiontest.Log(t, name))
			if complaint := unsound(v); complaint != "" {
				t.Error(complaint)
			}
			sessiontest.Golden(t, "modelview/"+name, v.Dump())
		})
	}
}
