package sessiontest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// Figure reports what a benchmark measured next to the most it should be, as in
// "0.61 cpu-s(<0.8)". A figure over its target is marked, as in
// "0.95 cpu-s(OVER-0.8)", and fails nothing: the machine may be slow. A target
// of 0 is none.
func Figure(b *testing.B, value float64, unit string, most float64) {
	b.Helper()
	unit = strings.ReplaceAll(unit, " ", "-")
	switch {
	case most > 0 && value >= most:
		unit += fmt.Sprintf("(OVER-%v)", most)
	case most > 0:
		unit += fmt.Sprintf("(<%v)", most)
	}
	b.ReportMetric(value, unit)
	b.ReportMetric(0, "ns/op") // says nothing about a run that is measured inside
}

// Samples are repeated measurements of one thing.
type Samples []time.Duration

// Quantile returns the sample that the share q of all, 0 to 1, is not above; 0
// without samples.
func (s Samples) Quantile(q float64) time.Duration {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	return sorted[min(int(q*float64(len(s))), len(s)-1)]
}

// Median returns the middle sample.
func (s Samples) Median() time.Duration { return s.Quantile(0.5) }

// Milliseconds is d in the unit that most figures have.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
