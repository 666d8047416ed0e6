package modelview_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/modelview"
	"parley/session/sessiontest"
)

// logNames returns every recorded log and every one written by hand, by the
// name that sessiontest.Log takes.
func logNames(t testing.TB) []string {
	t.Helper()
	root := filepath.Join(sessiontest.Root(t), "testdata", "sessions")
	hand, err := filepath.Glob(filepath.Join(root, "hand", "*.jsonl"))
	if err != nil || len(hand) == 0 {
		t.Fatalf("no logs written by hand: %v", err)
	}
	var names []string
	for _, path := range slices.Concat(sessiontest.Logs(t), hand) {
		rel, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, strings.TrimSuffix(filepath.ToSlash(rel), ".jsonl"))
	}
	return names
}

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
	for _, name := range logNames(t) {
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
