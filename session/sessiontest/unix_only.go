package sessiontest

import (
	"runtime"
	"testing"
)

// Unix is whether files have modes, a path below a file is an error of its own and there is /dev/full, unlike on Windows.
const Unix = runtime.GOOS != "windows"

// UnixOnly skips a test on Windows, which lacks what the test needs: "a POSIX shell", "modes of files".
func UnixOnly(t testing.TB, needs string) {
	t.Helper()
	if !Unix {
		t.Skip("not on Windows: it needs " + needs)
	}
}
