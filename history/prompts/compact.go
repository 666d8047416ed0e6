package prompts

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"parley/history/lock"

	"github.com/rogpeppe/go-internal/robustio"
)

// bounds are how much of the prompts is searched. The file may grow to the first two,
// and is then cut to the newest lines that the others leave room for: in one go for
// many prompts, since all of it is written anew and read anew by every window. What is
// cut off stays on the disk, in a file beside it (oldSuffix).
type bounds struct {
	lines, bytes int64 // of the file before it is cut

	kept int64 // lines that are kept
	// A line that is longer holds a large paste or an image. Those have room of
	// their own, so that some images do not take the place of years of words.
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

// tempSuffix ends the name of a file that takes the place of the prompts, and oldSuffix
// that of the file with what was cut off, in the same form, which is never cut or read.
const (
	tempSuffix = ".new"
	oldSuffix  = ".old"
)

// lockWait is how long a write may wait for others. None takes a second.
const lockWait = 5 * time.Second

// lockFile keeps the file of the prompts from being replaced while somebody adds to
// it, and makes its folder. Where files cannot be locked, none is replaced.
func (p *History) lockFile() (unlock func() error, err error) {
	held, err := lock.Try(p.lockName())
	if held == nil && err == nil { // another process has it, or the folder is missing
		if err := os.MkdirAll(filepath.Dir(p.file), 0o700); err != nil {
			return nil, err
		}
		held, err = p.waitForLock()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, err
	}
	if held == nil {
		return func() error { return nil }, nil
	}
	return held.Release, nil
}

// waitForLock takes the lock under which the file is added to and replaced.
func (p *History) waitForLock() (*lock.Lock, error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	return lock.Wait(ctx, p.lockName())
}

func (p *History) lockName() string { return p.file + ".lock" }

// over reports whether the file is longer than it may be.
func (p *History) over() bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.offset > p.bounds.bytes || p.lines > p.bounds.lines
}

// compact cuts the file to what is searched of it, unless another process does, and
// reports whether it is another file now. The newest lines stay, byte for byte. Others
// add to the file meanwhile, but for the moment in which it is replaced: what a disk
// takes to store it can be seconds.
func (p *History) compact() (replaced bool, err error) {
	file, err := filepath.EvalSymlinks(p.file)
	if err != nil {
		return false, err
	}
	c, err := beginCut(file)
	if robustio.IsEphemeralError(err) {
		return false, nil // another process has just opened it: it is left as it is, until the next time
	}
	if c == nil || err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	p.mu.RLock()
	same := os.SameFile(c.info, p.read)
	p.mu.RUnlock()
	if !same {
		return true, nil // another process was faster
	}
	if err := c.copy(p.bounds); err != nil {
		return false, fmt.Errorf("cut %s: %w", file, err)
	}
	held, err := p.waitForLock()
	if err != nil {
		return false, nil // without the lock it is left as it is, until the next time
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	err = c.replace()
	if robustio.IsEphemeralError(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("cut %s: %w", file, err)
	}
	return true, nil
}

// cut is a file of prompts that is being cut.
type cut struct {
	file     string
	from, to *os.File // the file, and what takes its place
	old      *os.File // where lines are added that were cut off; nil before that
	oldSize  int64    // what it had before
	info     fs.FileInfo
	held     *lock.Lock // on what takes its place: one process cuts at a time
	done     int64      // how much of the file is kept, or left out
	replaced bool
}

// beginCut opens a file and what takes its place; nil if another process does.
func beginCut(file string) (*cut, error) {
	to, err := os.OpenFile(file+tempSuffix, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	c := &cut{file: file, to: to}
	if c.held, err = lock.Try(lock.For(to.Name())); c.held == nil || err != nil {
		return nil, to.Close() // without a lock the file is left as it is
	}
	own, err := to.Stat()
	if now, statErr := os.Stat(to.Name()); err != nil || statErr != nil || !os.SameFile(own, now) {
		_ = os.Remove(to.Name()) // what was opened has just taken its place; this one is empty
		return nil, errors.Join(err, to.Close(), c.held.Release())
	}
	if c.from, err = os.Open(file); err == nil {
		c.info, err = c.from.Stat()
	}
	if err == nil {
		err = to.Truncate(0) // what a process left that has died
	}
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// copy stores what is kept of the lines that the file has, and the others with those that
// were cut off before.
func (c *cut) copy(b bounds) error {
	lengths, err := lineLengths(c.from)
	if err != nil {
		return err
	}
	if err := c.openOld(); err != nil {
		return err
	}
	kept, cutOff := bufio.NewWriterSize(c.to, readBuffer), bufio.NewWriterSize(c.old, readBuffer)
	for i, keep := range b.keeps(lengths) {
		out := cutOff
		if keep {
			out = kept
		}
		if _, err := io.Copy(out, io.NewSectionReader(c.from, c.done, lengths[i])); err != nil {
			return err
		}
		c.done += lengths[i]
	}
	return errors.Join(kept.Flush(), cutOff.Flush(), c.to.Sync(), c.old.Sync())
}

func (c *cut) openOld() error {
	old, err := os.OpenFile(c.file+oldSuffix, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	info, err := old.Stat()
	if err != nil {
		return errors.Join(err, old.Close())
	}
	c.old, c.oldSize = old, info.Size()
	return nil
}

// replace adds what was added meanwhile, and puts the new file in the place of the
// old one. Nothing may be added to that while it does.
func (c *cut) replace() error {
	if now, err := os.Stat(c.file); err != nil || !os.SameFile(now, c.info) {
		return err // somebody else has replaced it
	}
	if _, err := io.Copy(c.to, io.NewSectionReader(c.from, c.done, 1<<62-c.done)); err != nil {
		return err
	}
	if !lock.MovesOpen {
		if err := errors.Join(c.to.Close(), c.from.Close()); err != nil {
			return err
		}
	}
	err := robustio.Rename(c.to.Name(), c.file)
	c.replaced = err == nil
	return err
}

// close ends the cut. What takes no place is removed, which gives back what a full
// disk needs.
func (c *cut) close() error {
	_ = c.from.Close() // it was only read
	err := c.to.Close()
	if errors.Is(err, os.ErrClosed) { // to be renamed
		err = nil
	}
	var old error
	if !c.replaced {
		_ = os.Remove(c.to.Name())
		if c.old != nil { // the lines are still in the file, and would be there twice after the next cut
			old = c.old.Truncate(c.oldSize)
		}
	}
	if c.old != nil {
		old = errors.Join(old, c.old.Close())
	}
	return errors.Join(old, err, c.held.Release())
}

// lineLengths are the lengths of the lines of a file, with their ends. Of a line
// without its end it is not known how long it gets.
func lineLengths(f *os.File) ([]int64, error) {
	in := bufio.NewReaderSize(f, readBuffer)
	var long []byte
	var all []int64
	for {
		_, length, err := readLine(in, &long)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, int64(length))
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
