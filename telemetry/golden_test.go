package telemetry

import (
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// TestGoldens holds the trees of spans and the measurements of every capture,
// as if it were happening now.
func TestGoldens(t *testing.T) {
	t.Parallel()
	for _, name := range sessiontest.LogNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t, false)
			l.play(session.Info{ID: "s", Agent: "Copilot CLI 1.0.102"}, sessiontest.Log(t, name)...)
			sessiontest.Golden(t, "telemetry/"+name, l.tree()+"\n"+l.metrics(t))
		})
	}
}
