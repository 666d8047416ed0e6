package timeline

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var text Text
		want := ""
		for range rapid.IntRange(0, 20).Draw(t, "steps") {
			s := rapid.String().Draw(t, "s")
			if rapid.Bool().Draw(t, "set") {
				text.Set(s)
				want = s
			} else {
				text.Append(s)
				want += s
			}
			if text.String() != want || text.Len() != len(want) {
				t.Fatalf("%q, %d bytes; want %q", text.String(), text.Len(), want)
			}
		}
	})
}

func TestAppendingIsCheap(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts for the whole process
	var text Text
	text.Append(strings.Repeat("x", 1<<20))
	if n := testing.AllocsPerRun(1000, func() { text.Append("0123456789abcdef") }); n > 0.1 {
		t.Errorf("%v allocations for each append", n)
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a  b\n\tc ":  "a b c",
		"\xff\xfea":   "a",
		"cap_reached": "cap reached",
		"exit-only":   "exit only",
	} {
		if got := humanize(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
	for in, want := range map[string]string{
		"no model": "no model",
		"compaction model call failed: RetriesExhausted { retries: 5, x: Some(\"{}\") }": "compaction model call failed",
		"{\"a\":1}": "",
		"":          "",
	} {
		if got := failure(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}
