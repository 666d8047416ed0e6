package diff

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/render/patch"
)

// TestAround: whatever was changed, and however much more is shown, the change is the
// same, its lines are where they are said to be, and with all of the file it is shown.
func TestAround(t *testing.T) {
	t.Parallel()
	line := rapid.StringMatching(`[ab]{0,2}`)
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(line, 0, 40).Draw(t, "lines")
		before := strings.Join(lines, "\n")
		if rapid.Bool().Draw(t, "ended") && before != "" {
			before += "\n"
		}
		changed := append([]string{}, lines...)
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			i := rapid.IntRange(0, len(changed)).Draw(t, "at")
			changed = append(changed[:i:i], append([]string{"new"}, changed[min(i+rapid.IntRange(0, 2).Draw(t, "gone"), len(changed)):]...)...)
		}
		after := strings.Join(changed, "\n") + "\n"
		d := Compare("f", before, after)
		more := rapid.SampledFrom([]int{0, 1, 5, 1000}).Draw(t, "more")
		wider, at, ok := d.Around(before, more)
		if !ok {
			t.Fatalf("not ok: %q to %q", before, after)
		}
		if d.Produces(&before, after) && !wider.Produces(&before, after) || wider.Added != d.Added || wider.Removed != d.Removed {
			t.Fatalf("another change: %q to %q\n%s", before, after, wider.Unified())
		}
		for i, l := range d.Lines {
			if wider.Lines[at[i]] != l {
				t.Fatalf("line %d is %+v, and not %+v", i, wider.Lines[at[i]], l)
			}
		}
		kept := 0
		for _, l := range wider.Lines {
			if l.Op != patch.Add {
				kept++
			}
		}
		if whole := strings.Count(before, "\n"); more == 1000 && kept < whole {
			t.Fatalf("%d of %d lines with all of the file", kept, whole)
		}
	})
}

// TestAroundAnotherFile: a file that is not what the change changes is not shown.
func TestAroundAnotherFile(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 30 {
		lines = append(lines, fmt.Sprint("line ", i))
	}
	before := strings.Join(lines, "\n") + "\n"
	d := Compare("f", before, strings.Replace(before, "line 15", "other", 1))
	for name, file := range map[string]string{
		"a line before": "more\n" + before, "shorter": "line 1\n", "empty": "", "the line is another": strings.Replace(before, "line 15", "gone", 1),
		"a line around": strings.Replace(before, "line 13", "gone", 1),
	} {
		if _, _, ok := d.Around(file, 10); ok {
			t.Errorf("%s: shown", name)
		}
	}
	if _, _, ok := Planned("f", "a\nb\n", "a\nc\n").Around("a\nb\n", 10); ok {
		t.Error("shown, though its place is not known")
	}
	crlf := strings.ReplaceAll(before, "\n", "\r\n")
	if wider, _, ok := d.Around(crlf, 1000); !ok || len(wider.Lines) != 31 {
		t.Errorf("with other line ends: %v", ok)
	}
}
