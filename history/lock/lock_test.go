package lock_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"parley/history/lock"
)

// TestTry: one has the lock, and what it says of a file that is gone is of no use.
func TestTry(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	first, err := lock.Try(path)
	if first == nil || err != nil {
		t.Fatalf("a free lock: %v, %v", first, err)
	}
	if second, err := lock.Try(path); second != nil || err != nil {
		t.Errorf("two have it: %v, %v", second, err)
	}
	second := first
	if lock.MovesOpen {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if second, err = lock.Try(path); second == nil || err != nil {
			t.Fatalf("after the file was removed: %v, %v", second, err)
		}
	}
	if err := errors.Join(first.Release(), second.Remove()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is left: %v", err)
	}
	if l, err := lock.Try(filepath.Join(t.TempDir(), "nowhere", "lock")); l != nil || err != nil {
		t.Errorf("in no folder: %v, %v", l, err)
	}
	if l, err := lock.Try(t.TempDir()); l != nil || err == nil {
		t.Errorf("a folder: %v, %v", l, err)
	}
}

// TestWait: who waits has it when it is free, and gives up with the context.
func TestWait(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	first, err := lock.Wait(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if l, err := lock.Wait(ended, path); l != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", l, err)
	}
	got := make(chan error)
	go func() {
		l, err := lock.Wait(t.Context(), path)
		if l != nil {
			err = errors.Join(err, l.Release())
		}
		got <- err
	}()
	if err := errors.Join(first.Release(), <-got); err != nil {
		t.Error(err)
	}
}
