package render_test

import (
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/render"
	"parley/theme"
	"parley/timeline"
)

// TestLiveEntryRedraw: the passing of a second redraws the row of a running
// call and nothing else of it.
func TestLiveEntryRedraw(t *testing.T) {
	t.Parallel()
	e := entry(timeline.Live, 0, call("bash", `{"command":"make"}`, numbered(400), nil))
	c, o := render.NewCache(10_000), options(80, theme.Plain())
	o.Fold = render.Whole
	before := make([][]string, c.Units(e, o))
	for u := range before {
		before[u] = c.Lines(e, u, o)
	}
	if len(before) < 3 {
		t.Fatalf("only %d units", len(before))
	}
	o.Now = o.Now.Add(time.Second)
	if got := c.Lines(e, 0, o); !strings.Contains(got[0], "13 s") {
		t.Errorf("the row does not show the time: %q", got[0])
	}
	for u := 1; u < len(before); u++ {
		if now := c.Lines(e, u, o); &now[0] != &before[u][0] {
			t.Errorf("unit %d was drawn again", u)
		}
	}
}

// TestGrowthKeepsUnits: output that grows redraws its last unit only.
func TestGrowthKeepsUnits(t *testing.T) {
	t.Parallel()
	tool := call("bash", `{"command":"make"}`, numbered(400), nil)
	e := entry(timeline.Live, 0, tool)
	c, o := render.NewCache(10_000), options(80, theme.Plain())
	o.Fold = render.Whole
	n := c.Units(e, o)
	first, last := c.Lines(e, 1, o), c.Lines(e, n-1, o)
	tool.Output.Append("one more line\n")
	e.Version++
	if now := c.Lines(e, 1, o); &now[0] != &first[0] {
		t.Error("an old unit was drawn again")
	}
	if now := c.Lines(e, c.Units(e, o)-1, o); len(now) != len(last)+1 {
		t.Errorf("the last unit has %d lines, it had %d", len(now), len(last))
	}
}

// TestHugeOutput: a frame over 50 MB of output costs next to nothing, folded
// or at any place of the expanded text.
func TestHugeOutput(t *testing.T) { // not parallel: it counts allocations
	tool := call("bash", `{"command":"yes"}`, strings.Repeat(numbered(1000), 1200), nil)
	e := entry(timeline.Live, 0, tool)
	c, o := render.NewCache(1000), options(80, theme.Plain())
	folded := drawn(c, e, o)
	if len(folded) != 7 || !strings.Contains(folded[1], "1 199 995 earlier lines") {
		t.Errorf("folded: %q", folded)
	}
	frame := func() {
		tool.Output.Append("x\n")
		e.Version++
		drawn(c, e, o)
	}
	frame() // the buffer grows
	if allocs := testing.AllocsPerRun(20, frame); allocs > 300 {
		t.Errorf("a folded frame makes %.0f allocations", allocs)
	}
	o.Fold = render.Whole
	n := c.Units(e, o)
	if n < 5000 {
		t.Fatalf("%d units", n)
	}
	if lines := c.Lines(e, n/2, o); len(lines) < 20 || len(lines) > 400 {
		t.Errorf("a unit in the middle has %d lines", len(lines))
	}
}

// TestHugeDetail: a notice that folds a megabyte away costs as much as one that
// folds a line away, and a frame of the whole what the frame shows.
func TestHugeDetail(t *testing.T) { // not parallel: it counts allocations
	folded := func(detail string) float64 {
		e := entry(timeline.Done, 0, &timeline.Notice{Text: "Instructions", Detail: detail})
		o := options(80, theme.Plain())
		return testing.AllocsPerRun(20, func() { drawn(render.NewCache(10), e, o) })
	}
	huge := strings.Repeat("You are an agent that does what it is told. ", 1<<20/44)
	const noise = 5 // a pool that the collector emptied
	if little, much := folded("x"), folded(huge); much > little+noise {
		t.Errorf("%.0f allocations for a line, %.0f for a megabyte", little, much)
	}
	e := entry(timeline.Done, 0, &timeline.Notice{Text: "Instructions", Detail: huge})
	c, o := render.NewCache(1000), options(80, theme.Plain())
	o.Fold = render.Whole
	n := c.Units(e, o)
	for u := range n {
		if lines := c.Lines(e, u, o); len(lines) > 200 {
			t.Fatalf("unit %d has %d lines", u, len(lines))
		}
	}
	if n < 200 {
		t.Errorf("%d units", n)
	}
}

// BenchmarkDetail draws a whole notice of 100 KB and of 1 MB: the second takes
// ten times as long.
func BenchmarkDetail(b *testing.B) {
	for _, size := range []int{100 << 10, 1 << 20} {
		e := entry(timeline.Done, 0, &timeline.Notice{Text: "Instructions", Detail: strings.Repeat("You do what you are told. ", size/26)})
		b.Run(strconv.Itoa(size>>10)+"KB", func(b *testing.B) {
			o := options(80, theme.Dark())
			o.Fold = render.Whole
			for b.Loop() {
				drawn(render.NewCache(100_000), e, o)
			}
		})
	}
}

// TestCacheIsBounded: a cache holds what it may, and less for small limits.
func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	c, o := render.NewCache(300), options(80, theme.Plain())
	e := entry(timeline.Done, 0, call("bash", `{"command":"make"}`, numbered(20_000), nil))
	o.Fold = render.Whole
	for u := range c.Units(e, o) {
		c.Lines(e, u, o)
		if held := render.Held(c); held > 300+2*200 {
			t.Fatalf("%d lines are held", held)
		}
	}
}

// BenchmarkViewAfterDelta is a frame of a streamed answer: a delta comes, the
// screen is drawn again.
func BenchmarkViewAfterDelta(b *testing.B) {
	msg := message(strings.Repeat(answer+"\n", 200))
	e := entry(timeline.Live, 0, msg)
	c, o := render.NewCache(20_000), options(100, theme.Dark())
	drawn(c, e, o)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		msg.Text.Append("word ")
		if i%40 == 0 {
			msg.Text.Append("\n\n")
		}
		e.Version++
		n := c.Units(e, o)
		for u := max(0, n-50); u < n; u++ {
			c.Lines(e, u, o)
		}
	}
}

// BenchmarkPrintLogs prints all recorded logs.
func BenchmarkPrintLogs(b *testing.B) {
	all, opts := logs(b), options(80, theme.Dark())
	b.ReportAllocs()
	for b.Loop() {
		for _, tl := range all {
			if err := render.Print(io.Discard, tl, render.Normal, opts); err != nil {
				b.Fatal(err)
			}
		}
	}
}
