package telemetry

import (
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// captures are the names of all recorded logs and of those written by hand.
func captures(t testing.TB) []string {
	t.Helper()
	var names []string
	for _, path := range sessiontest.Logs(t) {
		names = append(names, strings.TrimSuffix(filepath.Base(path), ".jsonl"))
	}
	hand, err := filepath.Glob(filepath.Join(sessiontest.Root(t), "testdata", "sessions", "hand", "*.jsonl"))
	if err != nil || len(hand) == 0 {
		t.Fatalf("no logs by hand: %v", err)
	}
	for _, path := range hand {
		names = append(names, "hand/"+strings.TrimSuffix(filepath.Base(path), ".jsonl"))
	}
	return names
}

// TestGoldens holds the trees of spans and the measurements of every capture,
// as if it were happening now.
func TestGoldens(t *testing.T) {
	t.Parallel()
	for _, name := range captures(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, false)
			l.play(session.Info{ID: "s", Agent: "Copilot CLI 1.0.102"}, sessiontest.Log(t, name)...)
			sessiontest.Golden(t, "telemetry/"+name, l.tree()+"\n"+l.metrics(t))
		})
	}
}
