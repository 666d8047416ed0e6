package history

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"parley/history/lock"
)

// bounds are how much of the prompts is kept. The file may grow to the first two,
// and is then cut to the newest lines that the others leave room for: in one go for
// many prompts, since all of it is written anew and read anew by every window.
type bounds struct {
	lines, bytes int64 // of the file before it is cut

	kept int64 // lines that are kept
	// A line that is longer holds a large paste or a picture. Those have room of
	// their own, so that some pictures do not take the place of years of words.
	long                 int64
	shortBytes, bigBytes int64
}

// usual are the bounds of the file of a user's. A hundred thousand prompts are
// many years of work; what is searched of them is in memory.
func usual() bounds {
	return bounds{
		lines: 120_000, bytes: 96 << 20, kept: 100_000, long: 16 << 10, shortBytes: 32 << 20, bigBytes: 32 << 20,
	}
}

// lockWait is how long a write may wait for another one. To cut the file takes no
// second.
const lockWait = 5 * time.Second

// lockFile keeps the file of the prompts from being replaced while somebody adds to
// it, and makes its folder. Where files cannot be locked, none is replaced.
func (p *Prompts) lockFile() (unlock func() error, err error) {
	name := p.file + ".lock"
	held, err := lock.Try(name)
	if held == nil && err == nil { // another process has it, or the folder is missing
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return nil, err
		}
		ctx, cancel := context.WithTimeout(context.Background(), lockWait)
		defer cancel()
		held, err = lock.Wait(ctx, name)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, err
	case err != nil:
		return func() error { return nil }, nil
	}
	return held.Release, nil
}

// over reports whether the file is longer than it may be.
func (p *Prompts) over() bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.offset > p.bounds.bytes || p.lines > p.bounds.lines
}

// compact cuts the file to what is kept of it, unless another process does, and
// reports whether it has. The newest lines stay, byte for byte.
func (p *Prompts) compact() (done bool, err error) {
	held, err := lock.Try(p.file + ".lock")
	if held == nil || err != nil {
		return false, nil // without a lock it is left as it is
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	file, err := filepath.EvalSymlinks(p.file)
	if err != nil {
		return false, err
	}
	from, err := os.Open(file)
	if err != nil {
		return false, err
	}
	defer func() { _ = from.Close() }() // it was only read
	now, err := from.Stat()
	if err != nil {
		return false, err
	}
	p.mu.RLock()
	same := os.SameFile(now, p.read)
	p.mu.RUnlock()
	if !same {
		return true, nil // another process was faster
	}
	lengths, err := lineLengths(from)
	if err != nil {
		return false, err
	}
	if err := p.bounds.rewrite(from, file, lengths); err != nil {
		return false, err
	}
	return true, nil
}

// lineLengths are the lengths of the lines of a file, with their ends.
func lineLengths(f *os.File) ([]int64, error) {
	in := bufio.NewReaderSize(f, batchBytes)
	var long []byte
	var all []int64
	for {
		_, length, err := readLine(in, &long)
		if length > 0 {
			all = append(all, int64(length))
		}
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// keeps says which lines stay, by their lengths.
func (b bounds) keeps(lengths []int64) []bool {
	keep := make([]bool, len(lengths))
	lines, short, big := b.kept, b.shortBytes, b.bigBytes
	for i, n := range slices.Backward(lengths) {
		room := &short
		if n > b.long {
			room = &big
		}
		if lines == 0 {
			break
		}
		if *room -= n; *room >= 0 {
			keep[i] = true
			lines--
		}
	}
	return keep
}

// rewrite puts a file with the lines that stay in the place of the one that is read.
func (b bounds) rewrite(from *os.File, file string, lengths []int64) (err error) {
	to, err := os.OpenFile(file+newSuffix, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(to.Name()) // gives back what a full disk needs
		}
	}()
	out := bufio.NewWriterSize(to, batchBytes)
	var at int64
	for i, keep := range b.keeps(lengths) {
		if keep && err == nil {
			_, err = io.Copy(out, io.NewSectionReader(from, at, lengths[i]))
		}
		at += lengths[i]
	}
	if err = errors.Join(err, out.Flush(), to.Sync(), to.Close()); err != nil {
		return fmt.Errorf("cut %s: %w", file, err)
	}
	return os.Rename(to.Name(), file)
}
