//go:build unix

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
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
