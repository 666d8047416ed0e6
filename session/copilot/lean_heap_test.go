package copilot

import (
	"runtime/debug"
	"testing"
)

// TestHeapIsLeanWhileUsed: the heap is lean from the first that enters to the last that
// leaves, and then as it was. It is not parallel: the percentage is the process's.
func TestHeapIsLeanWhileUsed(t *testing.T) {
	percent := func() int {
		p := debug.SetGCPercent(50)
		debug.SetGCPercent(p)
		return p
	}
	before := percent()
	var h leanHeap
	first, second := h.enter(), h.enter()
	first()
	if p := percent(); p != leanPercent {
		t.Errorf("%d %% while one reads", p)
	}
	second()
	if p := percent(); p != before {
		t.Errorf("%d %% in the end, not %d", p, before)
	}
}
