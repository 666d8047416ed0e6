package copilot

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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

// readContents reads a file; room is asked before it is held in memory.
func readContents(path string, room func(size int) bool) (c contents, err error) {
	at, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return contents{}, nil
	}
	switch {
	case err != nil:
		return c, err
	case !at.Mode().IsRegular():
		return c, errNotRegular
	}
	size := int(min(at.Size(), keepLimit+1))
	if !room(size) {
		return c, errTooLarge
	}
	f, err := os.Open(path)
	if err != nil {
		room(-size)
		return c, err
	}
	defer f.Close()
	text := make([]byte, size)
	n, err := io.ReadFull(f, text)
	if err == nil {
		n2, _ := f.Read(make([]byte, 1))
		n += n2
	}
	if err != nil || n != size {
		room(-size)
		return c, errors.Join(errors.New("it changed while it was read"), err)
	}
	return contents{there: true, mode: at.Mode().Perm(), text: text, sum: sha256.Sum256(text)}, nil
}

// look is what is at a path now, without the text. Of a file that is larger
// than what is kept in all it is not found out.
func look(path string) (contents, error) {
	at, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return contents{}, nil
	}
	switch {
	case err != nil:
		return contents{}, err
	case !at.Mode().IsRegular():
		return contents{}, errNotRegular
	case at.Size() > keepLimit:
		return contents{}, errTooLarge
	}
	f, err := os.Open(path)
	if err != nil {
		return contents{}, err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(f, keepLimit+1)); err != nil {
		return contents{}, err
	}
	c := contents{there: true, mode: at.Mode().Perm()}
	copy(c.sum[:], sum.Sum(nil))
	return c, nil
}

// settle notes how the rewind left the files. Those that it did not put back
// are forgotten: they are as they were. It returns how many bytes that frees.
func (w *undone) settle(restored []string) (freed int) {
	w.files = slices.DeleteFunc(w.files, func(f keptFile) bool { return !slices.Contains(restored, f.path) })
	held := 0
	for i := range w.files {
		f := &w.files[i]
		held += len(f.before.text)
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
	freed, w.size = w.size-held, held
	return freed
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
	return replace(f.path, f.before.text, f.before.mode)
}

// replace writes a file in one step.
func replace(path string, text []byte, mode fs.FileMode) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".parley-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(tmp.Name())
		}
	}()
	_, err = io.Copy(tmp, bytes.NewReader(text))
	if err = errors.Join(err, tmp.Chmod(mode), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
