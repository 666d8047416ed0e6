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
	var written atomic.Bool
	go func() {
		pause := unix.NsecToTimespec(time.Millisecond.Nanoseconds())
		for range 5 {
			_ = unix.Nanosleep(&pause, nil)
			_ = unix.Tgkill(unix.Getpid(), thread, unix.SIGURG)
		}
		written.Store(true)
		_, _ = to.WriteString("x")
	}()
	switch follows := NewInput(from, nil).Follows(time.Minute); {
	case !follows:
		t.Error("it did not wait any more after a signal")
	case !written.Load():
		t.Error("a signal was taken for input")
	}
}
