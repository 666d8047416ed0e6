package terminal

import (
	"os"
	"runtime"
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
	thread, done := unix.Gettid(), make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
				_ = unix.Tgkill(unix.Getpid(), thread, unix.SIGURG)
			}
		}
	}()
	defer close(done)
	in, start := NewInput(from, time.Now), time.Now()
	if in.follows(pasteGap) {
		t.Error("a signal was taken for input")
	}
	if took := time.Since(start); took < pasteGap {
		t.Errorf("waited %v, not %v", took, pasteGap)
	}
}
