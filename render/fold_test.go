package render_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/render"
	"parley/theme"
	"parley/timeline"
)

var densities = []render.Density{render.Normal, render.Verbose, render.Compact}

// TestFoldOf: the defaults of what a reader meets most.
func TestFoldOf(t *testing.T) {
	t.Parallel()
	const folded, line, whole, hidden = render.Folded, render.Line, render.Whole, render.Hidden
	minor := entry(timeline.Done, 0, &timeline.Notice{Category: "hook", Text: "Hook ran"})
	minor.VerboseOnly = true
	of := func(s timeline.State, b timeline.Body) *timeline.Entry { return entry(s, time.Second, b) }
	for _, tc := range []struct {
		name                     string
		e                        *timeline.Entry
		normal, verbose, compact render.Fold
	}{
		{"prompt", of(timeline.Done, &timeline.Prompt{Text: "x"}), folded, whole, folded},
		{"autopilot", of(timeline.Done, &timeline.Prompt{Text: "x", Source: "autopilot"}), folded, whole, line},
		{"thinking", of(timeline.Done, reasoning("x")), folded, whole, line},
		{"read", of(timeline.Done, call("view", "{}", "", result("x", ""))), folded, whole, line},
		{"search", of(timeline.Done, call("grep", "{}", "", result("x", ""))), folded, whole, line},
		{"shell", of(timeline.Done, call("bash", "{}", "", exit(0, "x"))), folded, whole, line},
		{"shell that runs", of(timeline.Live, call("bash", "{}", "x", nil)), folded, whole, folded},
		{"shell that failed", of(timeline.Done, call("bash", "{}", "", exit(1, "x"))), folded, whole, folded},
		{"refused", of(timeline.Refused, call("bash", "{}", "", nil)), folded, whole, folded},
		{"huge", of(timeline.Done, call("bash", "{}", "", exit(0, strings.Repeat("x", 1<<20)))), folded, render.Bounded, line},
		{"huge and running", of(timeline.Live, call("bash", "{}", strings.Repeat("x", 1<<20), nil)), folded, whole, folded},
		{"a huge answer", of(timeline.Done, message(strings.Repeat("x ", 1<<20))), folded, whole, folded},
		{"raw event", of(timeline.Done, &timeline.Unrecognised{Kind: "x", Raw: jsontext.Value("{}")}), folded, whole, line},
		{"huge raw event", of(timeline.Done, &timeline.Unrecognised{Kind: "x", Raw: jsontext.Value(`"` + strings.Repeat("x", 1<<20) + `"`)}), folded, render.Bounded, line},
		{"edit", of(timeline.Done, call("edit", "{}", "", result("x", ""))), folded, whole, line},
		{"MCP", of(timeline.Done, call("x", "{}", "", func(c *timeline.ToolCall) { c.Server = "s" })), folded, whole, line},
		{"sub-agent", of(timeline.Live, running(timeline.Subagent{}, nil)), folded, whole, folded},
		{"hook", of(timeline.Done, &timeline.Notice{Category: "hook", Text: "x"}), folded, whole, line},
		{"info", of(timeline.Done, &timeline.Notice{Text: "x"}), folded, whole, line},
		{"warning", of(timeline.Done, &timeline.Notice{Level: timeline.Warning, Text: "x"}), folded, whole, folded},
		{"for completeness", minor, hidden, whole, hidden},
		{"summary", of(timeline.Done, &work), folded, whole, line},
		{"the user's own command", of(timeline.Done, call("bash", "{}", "", func(c *timeline.ToolCall) { c.UserRequested, c.Result = true, "x" })), folded, whole, folded},
		{"answered", of(timeline.Done, call("ask_user", "{}", "", result("x", ""))), folded, whole, folded},
		{"answered, of no call", of(timeline.Done, &timeline.AnsweredQuestion{Question: "x?", Answer: "x"}), folded, whole, folded},
		{"closing", of(timeline.Done, &ended), folded, whole, folded},
	} {
		want := []render.Fold{tc.normal, tc.verbose, tc.compact}
		for i, d := range densities {
			if got := render.FoldOf(tc.e, d); got != want[i] {
				t.Errorf("%s, %s: %d, want %d", tc.name, d, got, want[i])
			}
		}
	}
}

// everySample is all samples in the folds they can be asked for.
func everySample(do func(name string, s sample, o render.Options)) {
	for name, list := range samples() {
		for _, s := range list {
			for _, f := range []render.Fold{render.Folded, render.Line, render.Whole, render.Hidden, render.Bounded} {
				o := options(80, theme.Plain())
				o.Fold = f
				do(name, s, o)
			}
		}
	}
}

// failure reports whether a sample shows one.
func failure(e *timeline.Entry) bool {
	switch b := e.Body.(type) {
	case *timeline.Notice:
		return b.Level >= timeline.Warning
	case *timeline.ToolCall:
		return e.State == timeline.Failed || b.ExitCode != nil && *b.ExitCode != 0 || b.Agent != nil && b.Agent.State == timeline.Failed
	case *timeline.SessionEnd:
		return b.Failed
	}
	return false
}

// TestFailuresStay: whatever is asked for, a failure is shown as it is when
// nothing is.
func TestFailuresStay(t *testing.T) {
	t.Parallel()
	n := 0
	everySample(func(name string, s sample, o render.Options) {
		if !failure(s.entry) || o.Fold == render.Whole || o.Fold == render.Bounded {
			return
		}
		n++
		got := drawn(render.NewCache(100), s.entry, o)
		o.Fold = render.Folded
		if want := drawn(render.NewCache(100), s.entry, o); len(got) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s, %s: %q, want %q", name, s.name, got, want)
		}
		if o.Fold = render.Hidden; !render.Shown(s.entry, o) {
			t.Errorf("%s, %s is not shown", name, s.name)
		}
	})
	if n < 20 {
		t.Errorf("only %d samples of failures", n)
	}
}

// TestOneLine: on a screen that has room for its columns, an entry that is asked
// for on one line has one, unless it is an answer or shows a failure.
func TestOneLine(t *testing.T) {
	t.Parallel()
	everySample(func(name string, s sample, o render.Options) {
		if _, answer := s.entry.Body.(*timeline.Message); o.Fold != render.Line || answer || failure(s.entry) {
			return
		}
		for _, width := range []int{60, 80, 200} {
			o.Width = width
			if got := drawn(render.NewCache(100), s.entry, o); len(got) > 1 {
				t.Errorf("%s, %s at %d: %q", name, s.name, width, got)
			}
		}
	})
}

// TestHidden: what is hidden has no unit, no line and no space.
func TestHidden(t *testing.T) {
	t.Parallel()
	before := entry(timeline.Done, 0, message("x"))
	everySample(func(name string, s sample, o render.Options) {
		if o.Fold != render.Hidden || failure(s.entry) {
			return
		}
		c := render.NewCache(100)
		drawn := c.Units(s.entry, o) != 0 || c.Lines(s.entry, 0, o) != nil
		if drawn || render.Shown(s.entry, o) || render.Space(before, s.entry, o) != nil {
			t.Errorf("%s, %s is there", name, s.name)
		}
	})
}

// TestFoldsInOneCache: going through the folds gives what a new cache gives.
func TestFoldsInOneCache(t *testing.T) {
	t.Parallel()
	kept := map[*timeline.Entry]*render.Cache{}
	everySample(func(name string, s sample, o render.Options) {
		if kept[s.entry] == nil {
			kept[s.entry] = render.NewCache(1000)
		}
		got, want := drawn(kept[s.entry], s.entry, o), drawn(render.NewCache(1000), s.entry, o)
		if !slices.Equal(got, want) {
			t.Errorf("%s, %s: %q, want %q", name, s.name, got, want)
		}
	})
}

// TestFoldableFromLine: what is cut on one line can be unfolded, but for the
// prompts and the running calls that no density cuts.
func TestFoldableFromLine(t *testing.T) {
	t.Parallel()
	everySample(func(name string, s sample, o render.Options) {
		if o.Fold != render.Line {
			return
		}
		line := drawn(render.NewCache(100), s.entry, o)
		o.Fold = render.Whole
		all := drawn(render.NewCache(1000), s.entry, o)
		_, prompt := s.entry.Body.(*timeline.Prompt)
		if !prompt && s.entry.State.Final() && !slices.Equal(line, all) && !render.Foldable(s.entry) {
			t.Errorf("%s, %s: %q is all that can be seen of %q", name, s.name, line, all)
		}
	})
}
