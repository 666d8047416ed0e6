package prompts

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"parley/history/lock"
)

// TestLoadWhileReplaced: a file that cannot be opened, because another window replaces it, is read when that is over.
func TestLoadWhileReplaced(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "prompts.jsonl")
	mustAdd(t, Open(file), sent(1, "one"))
	p := Open(file)
	held, err := lock.Wait(t.Context(), p.lockName())
	if err != nil {
		t.Fatal(err)
	}
	name, err := syscall.UTF16PtrFromString(file)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := syscall.CreateFile(name, syscall.GENERIC_READ, 0, nil, syscall.OPEN_EXISTING, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	replaced := make(chan error, 1)
	time.AfterFunc(50*time.Millisecond, func() { replaced <- errors.Join(syscall.CloseHandle(alone), held.Release()) })
	if err := errors.Join(p.Load(), <-replaced); err != nil {
		t.Fatal(err)
	}
	equal(t, "found", found(p, ""), []string{"one"})
}
