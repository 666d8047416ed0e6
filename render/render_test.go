package render_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/render"
	"parley/render/text"
	"parley/session/sessiontest"
	"parley/theme"
	"parley/timeline"
)

func options(width int, th *theme.Theme) render.Options {
	return render.Options{
		Width: width, Theme: th, Times: render.TimesClock, Now: began.Add(12 * time.Second),
		Home: "/home/ada", Dir: "/home/ada/src/parley",
	}
}

// drawn returns all lines of an entry.
func drawn(c *render.Cache, e *timeline.Entry, o render.Options) []string {
	var out []string
	for u := range c.Units(e, o) {
		out = append(out, c.Lines(e, u, o)...)
	}
	return out
}

// widths are the columns that a golden shows samples at.
func widths(name string) []int {
	switch name {
	case "agent", "summary", "closing", "fold":
		return []int{80, 60, 40, 100, 140}
	}
	return []int{80, 24, 4, 140}
}

// TestGolden shows every kind of entry in its states: at narrow and wide screens
// without colour, and at 100 columns with the roles of the text.
func TestGolden(t *testing.T) {
	t.Parallel()
	plain, probe := theme.Plain(), theme.Probe()
	for name, list := range samples() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for _, width := range widths(name) {
				fmt.Fprintf(&b, "== width %d\n", width)
				for _, s := range list {
					o := options(width, plain)
					o.Fold = s.fold
					fmt.Fprintf(&b, "-- %s\n", s.name)
					for _, l := range drawn(render.NewCache(1000), s.entry, o) {
						if w := text.Width(l); w > width {
							t.Errorf("%s at %d: %d cells: %q", s.name, width, w, l)
						}
						b.WriteString(strings.TrimRight(l, " ") + "\n")
					}
				}
			}
			if len(widths(name)) > 4 {
				b.WriteString("== plain glyphs at width 80\n")
				for _, s := range list {
					o := options(80, theme.Plain(theme.ASCII()))
					o.Fold = s.fold
					for _, l := range drawn(render.NewCache(1000), s.entry, o) {
						b.WriteString(strings.TrimRight(l, " ") + "\n")
					}
				}
			}
			b.WriteString("== roles at width 100\n")
			for _, s := range list {
				o := options(100, probe)
				o.Fold = s.fold
				fmt.Fprintf(&b, "-- %s\n", s.name)
				for _, l := range drawn(render.NewCache(1000), s.entry, o) {
					b.WriteString(strings.TrimRight(theme.Reveal(l), " ") + "\n")
				}
			}
			sessiontest.Golden(t, "render/"+name, b.String())
		})
	}
}

// TestGap: groups stand close, everything else has air, what draws nothing has
// none.
func TestGap(t *testing.T) {
	t.Parallel()
	tool := entry(timeline.Done, 0, call("bash", "{}", "", nil))
	receipt := entry(timeline.Done, 0, &timeline.AnsweredQuestion{Question: "q"})
	text := entry(timeline.Done, 0, message("text"))
	empty := entry(timeline.Done, 0, message(" \n"))
	info := entry(timeline.Done, 0, &timeline.Notice{Text: "a", Category: "mcp"})
	other := entry(timeline.Done, 0, &timeline.Notice{Text: "a", Category: "mode"})
	for _, tc := range []struct {
		name       string
		prev, next *timeline.Entry
		want       int
	}{
		{"tools", tool, tool, 0},
		{"tool and receipt", tool, receipt, 0},
		{"text and tool", text, tool, 1},
		{"tool and text", tool, text, 1},
		{"texts", text, text, 1},
		{"nothing after", text, empty, 0},
		{"nothing before", empty, text, 0},
		{"same notices", info, info, 0},
		{"other notices", info, other, 1},
	} {
		if got := len(render.Space(tc.prev, tc.next, options(80, theme.Plain()))); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
	}
}

// TestFoldable: where expanding shows more, the entry says so.
func TestFoldable(t *testing.T) {
	t.Parallel()
	for name, list := range samples() {
		for _, s := range list {
			o := options(80, theme.Plain())
			folded := drawn(render.NewCache(100), s.entry, o)
			o.Fold = render.Whole
			whole := drawn(render.NewCache(100), s.entry, o)
			if s.fold != render.Hidden && len(whole) > len(folded) && !render.Foldable(s.entry) {
				t.Errorf("%s, %s: expanding shows more, but it is not foldable", name, s.name)
			}
		}
	}
}

// TestUnitOutOfRange: asking for a unit that is not there gives no lines.
func TestUnitOutOfRange(t *testing.T) {
	t.Parallel()
	c, e, o := render.NewCache(10), entry(timeline.Done, 0, message("x")), options(80, theme.Plain())
	for _, u := range []int{-1, 1, 99} {
		if got := c.Lines(e, u, o); got != nil {
			t.Errorf("unit %d: %q", u, got)
		}
	}
}

// whole is the fold of what is shown whole, or not.
func whole(yes bool) render.Fold {
	if yes {
		return render.Whole
	}
	return render.Folded
}
