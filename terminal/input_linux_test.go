package terminal

import (
	"os"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestSignalIsNoInput: a signal that interrupts the wait for input is not taken for input,
// since the read after it would block: the Go runtime sends such signals to itself.
func TestSignalIsNoInput(t *testing.T) {
	t.Parallel()
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	defer to.Close()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	thread := unix.Gettid()
	var sent atomic.Int64
	done := make(chan struct{})
	go func() {
		for pause := unix.NsecToTimespec(time.Millisecond.Nanoseconds()); ; sent.Add(1) {
			select {
			case <-done:
				return
			default:
				_ = unix.Nanosleep(&pause, nil)
				_ = unix.Tgkill(unix.Getpid(), thread, unix.SIGURG)
			}
		}
	}()
	defer close(done)
	for before := sent.Load(); sent.Load() == before; { // on a busy machine none may come while it waits
		began := time.Now()
		if NewInput(from, nil).Follows(pasteGap) {
			t.Error("a signal was taken for input")
		}
		if waited := time.Since(began); waited < pasteGap {
			t.Errorf("it waited for %v after a signal, instead of %v", waited, pasteGap)
		}
	}
}
