package diff

import (
	"fmt"
	"strings"
	"testing"

	"parley/session/sessiontest"
	"parley/theme"
)

// longDiff is a diff of 50,000 lines of Go in some 2,000 hunks.
func longDiff() string {
	var b strings.Builder
	b.WriteString("diff --git a/queue/worker.go b/queue/worker.go\n--- a/queue/worker.go\n+++ b/queue/worker.go\n")
	line := 0
	for hunk := 0; line < 50_000; hunk++ {
		fmt.Fprintf(&b, "@@ -%d,20 +%d,20 @@ func (w *Worker) run%d() {\n", hunk*40+1, hunk*40+1, hunk)
		for i := range 5 {
			fmt.Fprintf(&b, " \tfor job := range w.jobs[%d] {\n-\t\tif err := job.Do(ctx, %d); err != nil {\n+\t\tif err := job.Do(w.ctx, %d); err != nil {\n", i, line, line)
			b.WriteString("-\t\t\tlog.Println(\"cannot do the job\", err)\n+\t\t\treturn fmt.Errorf(\"do job %d: %w\", i, err)\n")
			line += 5
		}
	}
	return b.String()
}

// openScreen is the rows that a screen shows at first.
const openScreen = 45

// BenchmarkViewOpen50k is a diff of 50,000 lines from its text to the first
// screen. It may take 200 ms.
func BenchmarkViewOpen50k(b *testing.B) {
	src, th := longDiff(), theme.Dark()
	for _, split := range []bool{false, true} {
		b.Run(map[bool]string{false: "unified", true: "split"}[split], func(b *testing.B) {
			var all sessiontest.Samples
			for b.Loop() {
				start := sessiontest.CPU(b)
				d, _ := Parse(src)
				r := NewView(d)
				r.Layout(Options{Width: 140, Theme: th, Split: split, Wrap: true, Visible: true})
				r.Rows(0, openScreen)
				all = append(all, sessiontest.CPU(b)-start)
			}
			sessiontest.Figure(b, sessiontest.Milliseconds(all.Median()), "cpu-ms", 200)
		})
	}
}

// BenchmarkViewScroll goes through such a diff row by row, forwards and
// backwards.
func BenchmarkViewScroll(b *testing.B) {
	d, _ := Parse(longDiff())
	for name, by := range map[string]int{"down": 1, "up": -1} {
		b.Run(name, func(b *testing.B) {
			r, o := NewView(d), Options{Width: 140, Theme: theme.Dark(), Split: true, Wrap: true}
			rows := r.Layout(o)
			at := rows / 2
			r.Rows(at, at+openScreen)
			var all sessiontest.Samples
			for b.Loop() {
				start := sessiontest.CPU(b)
				if at += by; at <= 0 || at >= rows-openScreen {
					at = rows / 2
				}
				o.Cursor = r.LineAt(at)
				r.Layout(o)
				r.Rows(at, at+openScreen)
				all = append(all, sessiontest.CPU(b)-start)
			}
			sessiontest.Figure(b, sessiontest.Milliseconds(all.Median()), "cpu-ms-median", 1)
			sessiontest.Figure(b, sessiontest.Milliseconds(all.Quantile(0.99)), "cpu-ms-p99", 8)
		})
	}
}
