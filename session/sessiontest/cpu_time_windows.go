package sessiontest

import (
	"syscall"
	"testing"
	"time"
)

// CPU is the processor time that this process has used so far, its garbage
// collector included.
func CPU(tb testing.TB) time.Duration {
	tb.Helper()
	var started, ended, kernel, user syscall.Filetime
	self, err := syscall.GetCurrentProcess()
	if err == nil {
		err = syscall.GetProcessTimes(self, &started, &ended, &kernel, &user)
	}
	if err != nil {
		tb.Fatal(err)
	}
	ticks := func(t syscall.Filetime) time.Duration {
		return time.Duration(t.HighDateTime)<<32 | time.Duration(t.LowDateTime)
	}
	return (ticks(kernel) + ticks(user)) * 100 // of 100 ns
}
