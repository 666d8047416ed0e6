package sessiontest

import (
	"os"
	"syscall"
	"testing"
)

// Program writes a program to a file, which may be started at once, and returns the
// path. Linux starts no file that is open for writing, and a process that
// another test starts meanwhile has it open until it runs its own program
// (golang/go#22315): none is started while the file is written.
func Program(t testing.TB, path, text string) string {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil { //nolint:gosec // it is a program
		t.Fatal(err)
	}
	return path
}
