package render_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"parley/render"
	"parley/render/text"
	"parley/theme"
	"parley/timeline"
)

// counted is n lines, each with its number.
func counted(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %06d\n", i)
	}
	return b.String()
}

// TestBounded: the verbose density shows of a text that is too long as much as it
// says, from the end that says more, and how many lines it leaves out.
func TestBounded(t *testing.T) {
	t.Parallel()
	const n = 20_000 // lines of 12 bytes
	raw, err := jsontext.AppendQuote(nil, counted(n))
	if err != nil {
		t.Fatal(err)
	}
	minor := entry(timeline.Done, 0, &timeline.Notice{Category: "system", Text: "System prompt", Detail: counted(n)})
	minor.VerboseOnly = true
	var diff strings.Builder
	fmt.Fprintf(&diff, "--- a/x\n+++ b/x\n@@ -0,0 +1,%d @@\n", n)
	for line := range strings.Lines(counted(n)) {
		diff.WriteString("+" + line)
	}
	for name, tc := range map[string]struct {
		e     *timeline.Entry
		tail  bool
		about bool // how many lines it leaves out is not known from what is drawn
	}{
		"a file":        {entry(timeline.Done, 0, call("view", `{"path":"x"}`, "", result(counted(n), ""))), false, false},
		"any tool":      {entry(timeline.Done, 0, call("do", `{"x":1}`, "", result(counted(n), ""))), false, false},
		"a command":     {entry(timeline.Done, 0, call("bash", `{"command":"x"}`, "", exit(0, counted(n)))), true, false},
		"a failed tool": {entry(timeline.Failed, 0, call("do", `{"x":1}`, "", result(counted(n), ""))), true, false},
		"arguments":     {entry(timeline.Done, 0, call("do", `{"x":`+string(raw)+`}`, "", nil)), false, true},
		"a change":      {entry(timeline.Done, 0, call("do", `{"x":1}`, "", result("ok", diff.String()))), false, false},
		"thinking":      {entry(timeline.Done, 0, reasoning(counted(n))), false, false},
		"a prompt":      {entry(timeline.Done, 0, &timeline.Prompt{Text: counted(n)}), false, false},
		"autopilot":     {entry(timeline.Done, 0, &timeline.Prompt{Source: "autopilot", Text: counted(n)}), false, false},
		"a minor entry": {minor, false, false},
		"a raw event":   {entry(timeline.Done, 0, &timeline.Unrecognised{Kind: "x", Raw: jsontext.Value(`{"x":` + string(raw) + `}`)}), false, true},
		"an answer of a sub-agent": {entry(timeline.Done, 0, call("task", `{"prompt":"x"}`, "", func(c *timeline.ToolCall) {
			c.Agent, c.Result = &timeline.Subagent{Name: "explore", State: timeline.Done}, strings.ReplaceAll(counted(n), "\n", "\n\n")
		})), false, true},
	} {
		o := options(80, theme.Plain())
		o.Unfold, o.Fold = "ctrl+o shows all", render.FoldOf(tc.e, render.Verbose)
		if o.Fold != render.Bounded {
			t.Errorf("%s: fold %d", name, o.Fold)
		}
		s := strings.Join(drawn(render.NewCache(10_000), tc.e, o), "\n")
		first, last := strings.Contains(s, "line 000000"), strings.Contains(s, fmt.Sprintf("line %06d", n-1))
		if first == tc.tail || last != tc.tail {
			t.Errorf("%s: its beginning %v, its end %v", name, first, last)
		}
		shown := strings.Count(s, "line 0")
		if shown < 1000 || shown > 8000 {
			t.Errorf("%s: %d lines", name, shown)
		}
		rest := n - shown
		what := "more"
		if tc.tail {
			what = "earlier"
		}
		if note := fmt.Sprintf("%s %s lines · ctrl+o shows all", text.Number(rest), what); !tc.about && !strings.Contains(s, note) {
			t.Errorf("%s: no %q at the edge: %q … %q", name, note, s[:400], s[len(s)-200:])
		}
		if !strings.Contains(s, what+" lines · ctrl+o shows all") {
			t.Errorf("%s does not say that there is more", name)
		}
	}
}

// TestBoundedAndWhole: going from one to the other in one cache shows each as it
// is.
func TestBoundedAndWhole(t *testing.T) {
	t.Parallel()
	e := entry(timeline.Done, 0, call("bash", `{"command":"x"}`, "", exit(0, counted(20_000))))
	kept := render.NewCache(100_000)
	for _, fold := range []render.Fold{render.Bounded, render.Whole, render.Bounded, render.Folded} {
		o := options(80, theme.Plain())
		o.Fold = fold
		got := strings.Join(drawn(kept, e, o), "\n")
		if want := strings.Join(drawn(render.NewCache(100_000), e, o), "\n"); got != want {
			t.Errorf("fold %d is drawn as another one: %d bytes, want %d", fold, len(got), len(want))
		}
	}
}

// TestShortIsWhole: what is not too long is drawn as in Whole.
func TestShortIsWhole(t *testing.T) {
	t.Parallel()
	everySample(func(name string, s sample, o render.Options) {
		if o.Fold != render.Bounded {
			return
		}
		got := strings.Join(drawn(render.NewCache(1000), s.entry, o), "\n")
		o.Fold = render.Whole
		if want := strings.Join(drawn(render.NewCache(1000), s.entry, o), "\n"); got != want {
			t.Errorf("%s, %s:\n%s\nwant\n%s", name, s.name, got, want)
		}
	})
}
