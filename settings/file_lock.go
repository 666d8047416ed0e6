package settings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// mostBytes bounds a file of a user's. One that says everything is far
// smaller.
const mostBytes = 1 << 20

// errNoFile is why a pipe and the like are not read: they need not have an end,
// and whoever waits for it waits for ever.
var errNoFile = errors.New("it is a pipe or a device, not a file")

// readFile reads a file of a user's, as os.ReadFile does, but never waits.
// There is nothing in /dev/null, which some link a file to.
func readFile(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		return nil, fmt.Errorf("%w: %w", fs.ErrNotExist, err) // a folder above it is none, so nothing is in it
	case err != nil:
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	switch info, err := f.Stat(); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() && !info.IsDir() && !isNull(info):
		return nil, errNoFile
	}
	text, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if len(text) > mostBytes {
		return nil, fmt.Errorf("it is longer than %d bytes", mostBytes)
	}
	return text, err
}

// isNull reports whether a file is the one in which nothing stays.
func isNull(info fs.FileInfo) bool {
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(info, null)
}

// again is how long a folder is left to others that write in it.
const again = 5 * time.Millisecond

// lock keeps others from writing in a folder, another window or this one, until
// unlock, and waits while they write: who reads a file, changes it and writes it would undo what came
// between. The folder is made if it is not there. One that cannot be locked, as
// in some network file systems, is used without.
func lock(ctx context.Context, dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	held := folderLock(dir)
	if _, err = held.TryLockContext(ctx, again); ctx.Err() != nil && err != nil {
		return nil, fmt.Errorf("wait for who writes in %s: %w", dir, ctx.Err())
	}
	return func() { _ = held.Close() }, nil // which ends the lock, if there is one
}
