package telemetry

import (
	"slices"
	"testing"

	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"parley/session"
)

// TestHistograms holds the buckets to what the conventions ask for, and each
// measurement to the trace it is from, also of a span that has just ended.
func TestHistograms(t *testing.T) {
	t.Parallel()
	l := newLab(t, false)
	l.play(session.Info{}, one()...)
	var all metricdata.ResourceMetrics
	if err := l.reader.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	want := map[instrument][]float64{
		tokenUsage: tokenBoundaries, operationDuration: secondsBoundaries, timeToFirstChunk: secondsBoundaries,
		agentDuration: agentBoundaries, toolDuration: secondsBoundaries,
	}
	for _, m := range all.ScopeMetrics[0].Metrics {
		bounds, traced := []float64(nil), 0
		switch d := m.Data.(type) {
		case metricdata.Histogram[float64]:
			bounds, traced = d.DataPoints[0].Bounds, len(d.DataPoints[0].Exemplars)
		case metricdata.Histogram[int64]:
			bounds, traced = d.DataPoints[0].Bounds, len(d.DataPoints[0].Exemplars)
		}
		if wanted, ok := want[instrument(m.Name)]; ok && (!slices.Equal(bounds, wanted) || traced == 0) {
			t.Errorf("%s has the buckets %v and %d traces", m.Name, bounds, traced)
		}
		delete(want, instrument(m.Name))
	}
	if len(want) != 0 {
		t.Errorf("not measured: %v", want)
	}
}

// TestCapturesContent has content exported only by what asks for it.
func TestCapturesContent(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{
		"": false, " ": false, "false": false, "no_content": false, "event_only": false, "1": false,
		"true": true, " TRUE ": true, "SPAN_ONLY": true, "span_and_event": true,
	} {
		if got := capturesContent(func(string) string { return value }); got != want {
			t.Errorf("%q exports content: %t", value, got)
		}
	}
}

// TestBlankIsUnset takes a variable of spaces for one that is not set.
func TestBlankIsUnset(t *testing.T) {
	t.Parallel()
	if traces, metrics, err := enabledSignals(func(string) string { return " " }); traces || metrics || err != nil {
		t.Errorf("traces %t, metrics %t, %v", traces, metrics, err)
	}
}
