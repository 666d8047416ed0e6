package transcript_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"parley/render"
	"parley/session"
	"parley/session/sessiontest"
	"parley/theme"
	"parley/timeline"
	"parley/tui/transcript"
)

// everyLine is the whole timeline as the pane would draw it on a screen
// without an end: what a window into it must show a part of.
func everyLine(p *transcript.Pane) []string {
	var all []string
	for i := range p.Timeline.Len() {
		for unit := -1; unit < p.Units(i); unit++ {
			all = append(all, p.Lines(i, unit)...)
		}
	}
	return all
}

func numbered(n int) session.Event {
	return session.Event{
		ID:   session.EventID(fmt.Sprintf("e%d", n)),
		Body: session.UserMessage{Content: strings.TrimRight(strings.Repeat(fmt.Sprintf("prompt %d\n", n), 1+n%4), "\n"), MessageID: session.MessageID(fmt.Sprintf("m%d", n))},
	}
}

func testPane(entries, width, height int) *transcript.Pane {
	t := timeline.New()
	for i := range entries {
		t.Apply(numbered(i))
	}
	p := transcript.New(t, render.Options{Width: width, Theme: theme.Plain()})
	p.Height = height
	return &p
}

// A pane shows a window of the whole, whatever is done to it; scrolling moves
// the window by the lines asked for, and stops at the ends.
func TestPaneIsAWindow(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := testPane(rapid.IntRange(0, 30).Draw(t, "entries"), rapid.IntRange(8, 60).Draw(t, "width"), rapid.IntRange(1, 20).Draw(t, "height"))
		next := p.Timeline.Len()
		at := -1 // the first line shown, counted from the top; -1 follows the end
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			all := everyLine(p)
			last := max(0, len(all)-p.Height)
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0:
				n := rapid.IntRange(-25, 25).Draw(t, "lines")
				if at < 0 {
					at = last
				}
				at = max(0, at+n)
				if at >= last {
					at = -1
				}
				p.Scroll(n)
			case 1:
				p.Timeline.Apply(numbered(next))
				next++
			case 2:
				p.Home()
				if at = 0; last == 0 {
					at = -1
				}
			case 3:
				p.End()
				at = -1
			case 4:
				p.Height = rapid.IntRange(1, 20).Draw(t, "height")
			}
			all = everyLine(p)
			want := at
			if want < 0 {
				want = max(0, len(all)-p.Height)
			}
			shown := p.View()
			if expected := all[min(want, len(all)):min(len(all), want+p.Height)]; !slices.Equal(shown, expected) {
				t.Fatalf("from line %d of %d, height %d:\n%s\nwant:\n%s", want, len(all), p.Height,
					strings.Join(shown, "\n"), strings.Join(expected, "\n"))
			}
		}
	})
}

// The reader's first line stays where it is while entries come below, and when
// the width changes its entry stays on top.
func TestPaneKeepsTheReadersPlace(t *testing.T) {
	t.Parallel()
	p := testPane(40, 40, 10)
	p.Scroll(-30)
	before, lines := p.View(), len(everyLine(p))
	for i := range 50 {
		p.Timeline.Apply(numbered(100 + i))
		if got := p.View(); !slices.Equal(got, before) {
			t.Fatalf("after %d entries the view moved:\n%s", i+1, strings.Join(got, "\n"))
		}
	}
	lines = len(everyLine(p)) - lines
	if p.Fresh() != lines {
		t.Errorf("Fresh() = %d, want %d", p.Fresh(), lines)
	}
	p.Scroll(40) // ten lines of what is new are on the screen
	if p.Fresh() != lines-10 {
		t.Errorf("Fresh() = %d with ten of them in view, want %d", p.Fresh(), lines-10)
	}
	p.Scroll(-40)
	top := p.Top
	p.Opts.Width = 12
	if at, ok := p.First(); !ok || p.Timeline.At(at.Entry).ID != top.ID {
		t.Errorf("after a resize the first entry is another one")
	}
	p.End()
	if p.Fresh() != 0 {
		t.Errorf("fresh() = %d at the end", p.Fresh())
	}
}

// Lines of an answer that grows below the screen are new, too; there is a bound to
// counting them.
func TestFreshLinesOfOneAnswer(t *testing.T) {
	t.Parallel()
	p := testPane(20, 40, 10)
	says := func(n int) {
		p.Timeline.Apply(session.Event{ID: "d", Ephemeral: true, Body: session.AssistantMessageDelta{MessageID: "a", DeltaContent: strings.Repeat("a line\n\n", n)}})
	}
	says(3)
	p.Scroll(-1)
	for _, more := range []int{2, 10, 3 * transcript.MaxFresh} {
		want := p.Fresh() + 2*more
		if says(more); p.Fresh() != min(want, transcript.MaxFresh) {
			t.Errorf("after %d more paragraphs Fresh() = %d, want %d", more, p.Fresh(), want)
		}
	}
}

// A cleared screen is empty, fills again, and scrolls back to what was there.
func TestPaneClear(t *testing.T) {
	t.Parallel()
	p := testPane(10, 40, 8)
	p.Clear()
	if got := p.View(); len(got) != 0 {
		t.Fatalf("cleared screen shows:\n%s", strings.Join(got, "\n"))
	}
	p.Timeline.Apply(numbered(11))
	if got := strings.Join(p.View(), "\n"); !strings.Contains(got, "prompt 11") || strings.Contains(got, "prompt 9") {
		t.Errorf("after a clear and a prompt:\n%s", got)
	}
	p.Scroll(-3)
	if got := strings.Join(p.View(), "\n"); !strings.Contains(got, "prompt 9") {
		t.Errorf("scrolled back after a clear:\n%s", got)
	}
}

// The work of a view is bounded by the screen.
func BenchmarkPaneView(b *testing.B) {
	for _, entries := range []int{100, 10_000} {
		b.Run(fmt.Sprint(entries), func(b *testing.B) {
			p := testPane(entries, 120, 40)
			b.ReportAllocs()
			for b.Loop() {
				p.Scroll(-1)
				p.View()
				p.End()
			}
		})
	}
}

// BenchmarkHidden is a frame at the end of many entries that are hidden.
func BenchmarkHidden(b *testing.B) {
	p := testPane(3, 80, 40)
	for i := range 100_000 {
		p.Timeline.Apply(session.Event{
			ID: session.EventID(fmt.Sprint("h", i)), Body: session.SystemMessage{Role: "system", Content: fmt.Sprint("prompt ", i)},
		})
	}
	for b.Loop() {
		p.View()
	}
}

// TestCopiedWithoutDurations: of no row is copied how long it took.
func TestCopiedWithoutDurations(t *testing.T) {
	t.Parallel()
	durations := regexp.MustCompile(`(?m)  +\d[\d. hms]*[hms]$`)
	shown := 0
	for _, name := range sessiontest.LogNames(t) {
		tl := timeline.New()
		for _, ev := range sessiontest.Log(t, name) {
			tl.Apply(ev)
		}
		p := transcript.New(tl, render.Options{Width: 80, Theme: theme.Plain()})
		p.Height = 400
		rows := p.Rows()
		for i := range rows {
			shown += len(durations.FindAllString(ansi.Strip(strings.Join(p.Lines(rows[i].Entry, rows[i].Unit), "\n")), -1))
			p.Choose(transcript.Mark{Spot: p.Spot(rows[i])}, transcript.Mark{Spot: p.Spot(rows[i]), Column: transcript.LineEnd})
			if got := p.SelectedText(); durations.MatchString(got) {
				t.Errorf("%s: copied %q", name, got)
			}
		}
	}
	if shown == 0 {
		t.Error("no row shows how long it took")
	}
}
