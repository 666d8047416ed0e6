package sessiontest

import (
	"runtime"
	"testing"
)

// UnixOnly skips a test on Windows, which lacks what the test needs: "a POSIX shell", "modes of files".
func UnixOnly(t testing.TB, needs string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("not on Windows: it needs " + needs)
	}
}
