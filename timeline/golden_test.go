package timeline_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
	"parley/timeline"
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

func reduce(events []session.Event) *timeline.Timeline {
	tl := timeline.New()
	for _, ev := range events {
		tl.Apply(ev)
	}
	return tl
}

func TestGoldens(t *testing.T) {
	t.Parallel()
	for _, name := range logNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tl := reduce(sessiontest.Log(t, name))
			for i := range tl.Len() {
				if e := tl.At(i); e.Version == 0 {
					t.Errorf("entry %d was never touched", i)
				}
			}
			sessiontest.Golden(t, "timeline/"+name, tl.Dump())
		})
	}
}
