// Package lock keeps two processes from doing one thing at once: a lock of the
// operating system on a file. The kernel releases it with the process that has
// it, however that ends, so that no lock is ever left behind.
package lock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// Lock is a lock that this process has. Another Lock on the same file conflicts
// with it, also in the same process.
type Lock struct{ file *flock.Flock }

// Try takes the lock on a file, which it makes for its owner alone; the folder
// must be there. Without an error and a lock, somebody else has it, or has removed
// the file, or its folder, meanwhile.
func Try(path string) (*Lock, error) {
	file := flock.New(path, flock.SetPermissions(0o600))
	ok, err := file.TryLock()
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if !ok {
		return nil, nil
	}
	// The file may have been removed between its opening and its locking.
	locked, err := file.Stat()
	if err == nil {
		var there os.FileInfo
		if there, err = os.Stat(path); err == nil && os.SameFile(locked, there) {
			return &Lock{file}, nil
		}
	}
	_ = file.Unlock() // of a file that is gone
	return nil, nil
}

// Wait takes the lock as Try does, as soon as it is free. It is for locks
// that are never held for long, on files that stay.
func Wait(ctx context.Context, path string) (*Lock, error) {
	return WaitLong(ctx, path, 5*time.Millisecond, func() {})
}

// WaitLong is Wait for a lock that may be held for long: it looks again after a while
// each time, and calls waiting before.
func WaitLong(ctx context.Context, path string, again time.Duration, waiting func()) (*Lock, error) {
	for {
		l, err := Try(path)
		if l != nil || err != nil {
			return l, err
		}
		waiting()
		wait := time.NewTimer(again)
		select {
		case <-wait.C:
		case <-ctx.Done():
			wait.Stop()
			return nil, fmt.Errorf("wait for the lock %s: %w", path, context.Cause(ctx))
		}
	}
}

// Release gives the lock back. The file stays.
func (l *Lock) Release() error { return l.file.Unlock() }

// Remove gives the lock back and removes its file. The file stays where another process has opened it
// meanwhile and the system removes no file that is open.
func (l *Lock) Remove() error {
	err := l.Yield()
	_ = os.Remove(l.file.Path()) // what stays is an empty file
	return errors.Join(err, l.Release())
}

// Yield gives the lock back, if it must be for its file or the folder of that to be renamed or
// removed. Release does nothing then.
func (l *Lock) Yield() error {
	if MovesOpen {
		return nil
	}
	return l.Release()
}
