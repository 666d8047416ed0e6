package copilot

import (
	"runtime/debug"
	"sync"
)

// leanPercent is how much the heap grows between two collections while it is lean, in
// percent of what is in use.
const leanPercent = 10

// leanHeap keeps the process small while a long history is read, and as long as its session
// lives: what it takes to read is garbage of some hundred megabytes, and the heap would else
// grow to twice the history before the first collection.
type leanHeap struct {
	mu     sync.Mutex
	users  int
	before int // the percentage before the first of them
}

// enter makes the heap lean until the returned function is called.
func (h *leanHeap) enter() (leave func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.users++; h.users == 1 {
		h.before = debug.SetGCPercent(leanPercent)
	}
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.users--; h.users == 0 {
			debug.SetGCPercent(h.before)
		}
	}
}
