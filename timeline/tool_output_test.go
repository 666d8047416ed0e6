package timeline_test

import (
	"strconv"
	"strings"
	"testing"

	"parley/session"
)

// TestOutputInTheWrongOrder: a chunk that comes late is put in its place among the
// last ones of its stream.
func TestOutputInTheWrongOrder(t *testing.T) {
	t.Parallel()
	const chunks, reorder = 34, 32
	var many []int
	for i := range chunks {
		many = append(many, 10+i)
	}
	text := strings.Repeat("#", chunks)
	for name, tt := range map[string]struct {
		order []int
		want  string
	}{
		"in order":         {[]int{1, 2, 3, 4}, "1234"},
		"one is late":      {[]int{1, 3, 4, 2}, "1234"},
		"two are late":     {[]int{1, 4, 2, 3}, "1234"},
		"all are":          {[]int{4, 3, 2, 1}, "1234"},
		"one is very late": {append(many, 1), text[:chunks-reorder] + "1" + text[:reorder]},
	} {
		f := newFeed().turn().stored(startOf("bash", "{}"))
		for _, n := range tt.order {
			text := "#"
			if n < 10 {
				text = strconv.Itoa(n)
			}
			f.live(session.ToolShellOutput{ToolCallID: "c", Stream: "stdout", Sequence: n, Text: text})
		}
		if _, c := f.call(t); c.Output.String() != tt.want {
			t.Errorf("%s: %q, want %q", name, c.Output.String(), tt.want)
		}
	}
}
