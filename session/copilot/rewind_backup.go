package copilot

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/robustio"
)

// keepLimit is how many bytes of files are kept in memory for taking rewinds
// back, of all sessions of an agent.
const keepLimit = 32 << 20

// keptFile is a file that a rewind changed.
type keptFile struct {
	path   string
	before contents // as it was before the rewind
	lost   error    // why that is not known
	after  contents // as the rewind left it, without the text
}

// contents are what is at a path, which may be nothing.
type contents struct {
	there bool
	mode  fs.FileMode
	text  []byte
	sum   [sha256.Size]byte
}

func (c contents) equal(o contents) bool { return c.there == o.there && c.sum == o.sum }

var (
	errNotRegular = errors.New("it is not a plain file")
	errTooLarge   = fmt.Errorf("it was too large to keep (%d MB for all files)", keepLimit>>20)
	errChanged    = errors.New("it was changed since the rewind")
	errUnseen     = errors.New("the rewind did not change it on this machine")
)

// readContents reads a file for which there is room.
func readContents(path string, room int) (c contents, err error) {
	f, at, err := openRegular(path)
	if f == nil {
		return c, err
	}
	defer f.Close()
	size := int(min(at.Size(), keepLimit+1))
	if size > room {
		return c, errTooLarge
	}
	text := make([]byte, size)
	n, err := io.ReadFull(f, text)
	if err == nil {
		n2, _ := f.Read(make([]byte, 1))
		n += n2
	}
	if err != nil || n != size {
		return c, errors.Join(errors.New("it changed while it was read"), err)
	}
	return contents{there: true, mode: at.Mode().Perm(), text: text, sum: sha256.Sum256(text)}, nil
}

// openRegular opens a plain file. It returns nil without an error if no file is there.
func openRegular(path string) (*os.File, fs.FileInfo, error) {
	at, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	case !at.Mode().IsRegular():
		return nil, nil, errNotRegular
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	return f, at, nil
}

// look is what is at a path now, without the text. Of a file that is larger
// than what is kept in all it is not found out.
func look(path string) (c contents, err error) {
	f, at, err := openRegular(path)
	if f == nil {
		return c, err
	}
	defer f.Close()
	if at.Size() > keepLimit {
		return c, errTooLarge
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(f, keepLimit+1)); err != nil {
		return c, err
	}
	c.there, c.mode = true, at.Mode().Perm()
	copy(c.sum[:], sum.Sum(nil))
	return c, nil
}

// settle notes how the rewind left the files. Those that it did not put back
// are forgotten: they are as they were.
func (w *undone) settle(restored []string) {
	w.files = slices.DeleteFunc(w.files, func(f keptFile) bool { return !slices.Contains(restored, f.path) })
	for i := range w.files {
		f := &w.files[i]
		if f.lost != nil {
			continue
		}
		after, err := look(f.path)
		switch {
		case err != nil:
			f.lost = err
		case after.equal(f.before):
			f.lost = errUnseen
		}
		f.after = after
	}
}

// restore puts a file back as it was before the rewind, if it is still as the
// rewind left it.
func (f keptFile) restore() error {
	if f.lost != nil {
		return f.lost
	}
	now, err := look(f.path)
	if err != nil {
		return err
	}
	if !now.equal(f.after) {
		return errChanged
	}
	if !f.before.there {
		return os.Remove(f.path)
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
		return err
	}
	return replaceFile(f.path, f.before.text, f.before.mode)
}

// replaceFile writes a file whole or not at all.
func replaceFile(path string, text []byte, mode fs.FileMode) error {
	next, err := os.CreateTemp(filepath.Dir(path), ".parley-*")
	if err != nil {
		return err
	}
	_, err = next.Write(text)
	err = errors.Join(err, next.Chmod(mode), next.Sync(), next.Close())
	if err == nil {
		err = robustio.Rename(next.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(next.Name()))
	}
	return nil
}
