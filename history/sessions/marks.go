package sessions

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/rogpeppe/go-internal/robustio"

	"parley/history/lock"
	"parley/session"
)

// The marks are one file of JSON, which is replaced in one step under the lock of
// a file beside it. Whoever dies meanwhile leaves the marks from before.
const (
	marksVersion = 1
	maxMarks     = 64 << 20        // bytes; more is no file of ours
	lockWait     = 5 * time.Second // the lock is held no longer than a write takes
)

// Marks are what the user noted about sessions: a file, of which any number of
// processes change single marks. It is safe for concurrent use.
type Marks struct {
	path string

	mu    sync.Mutex
	known marksFile
	read  fs.FileInfo // of what is known; nil for nothing
	aside error       // the next error of All
}

// marksFile is what is stored. What a newer version added is kept.
type marksFile struct {
	Version  int                       `json:"version"`
	Sessions map[session.ID]storedMark `json:"sessions,omitzero"`
	Newer    map[string]jsontext.Value `json:",embed"`
}

type storedMark struct {
	Mark
	Newer map[string]jsontext.Value `json:",embed"`
}

// OpenMarks names the file of the marks, which need not exist; it is read when it
// is needed. Without a name they are kept in memory only.
func OpenMarks(path string) *Marks { return &Marks{path: path} }

// All are the marks of all sessions that have one, also beside an error: then
// they are those known last. That a file was damaged, and put aside, is reported once:
// what this process had read of it before is kept, and what is noted from then on.
func (m *Marks) All() (map[session.ID]Mark, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	err := m.load()
	if err != nil {
		err = fmt.Errorf("read what you noted about past sessions: %w", err)
	} else {
		err, m.aside = m.aside, nil
	}
	all := make(map[session.ID]Mark, len(m.known.Sessions))
	for id, stored := range m.known.Sessions {
		if mark := stored.clone(); !mark.empty() {
			all[id] = mark
		}
	}
	return all, err
}

// Change changes what is noted about one session, and brings it into form (see
// Mark). One that says nothing is removed. After an error everything is as
// before.
func (m *Marks) Change(ctx context.Context, id session.ID, change func(*Mark)) error {
	if err := m.change(ctx, id, change); err != nil {
		return fmt.Errorf("note that about the session: %w", err)
	}
	return nil
}

func (m *Marks) change(ctx context.Context, id session.ID, change func(*Mark)) error {
	if id == "" {
		return errors.New("it has no id")
	}
	if m.path != "" {
		if err := os.MkdirAll(filepath.Dir(m.path), 0o700); err != nil {
			return err
		}
		unlock, err := m.lock(ctx)
		if err != nil {
			return err
		}
		defer unlock()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.loadLocked(); err != nil {
		return err
	}
	next := m.known
	next.Version = max(next.Version, marksVersion)
	next.Sessions = maps.Clone(next.Sessions)
	if next.Sessions == nil {
		next.Sessions = map[session.ID]storedMark{}
	}
	stored := next.Sessions[id]
	stored.Mark = stored.clone()
	change(&stored.Mark)
	stored.Mark = stored.normalized()
	if stored.empty() && len(stored.Newer) == 0 {
		delete(next.Sessions, id)
	} else {
		next.Sessions[id] = stored
	}
	if m.path == "" {
		m.known = next
		return nil
	}
	return m.store(next)
}

// lock waits for the other processes that change marks.
func (m *Marks) lock(ctx context.Context) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	held, err := lock.Wait(ctx, m.path+".lock")
	if err != nil {
		return nil, err
	}
	return func() { _ = held.Release() }, nil
}

// load reads the file if it is another one than what is known.
func (m *Marks) load() error {
	err := m.refresh()
	var damage *damagedError
	if !errors.As(err, &damage) {
		return err
	}
	held, locked := lock.Try(m.path + ".lock")
	if held == nil {
		return errors.Join(err, locked) // who has it puts the file aside
	}
	defer func() { _ = held.Release() }()
	return m.loadLocked()
}

// loadLocked reads the file, and puts it aside if it is damaged: under the lock
// no other process is about to do so.
func (m *Marks) loadLocked() error {
	err := m.refresh()
	var damage *damagedError
	if !errors.As(err, &damage) {
		return err
	}
	for n := 1; ; n++ {
		aside := fmt.Sprintf("%s.damaged-%d", m.path, n)
		if _, err := os.Lstat(aside); err == nil {
			continue
		}
		if err := robustio.Rename(m.path, aside); err != nil {
			return errors.Join(damage, err)
		}
		m.aside = fmt.Errorf("the file with what you noted about past sessions is damaged; it was put aside as %s: %w", aside, damage.error)
		if len(m.known.Sessions) > 0 {
			return m.store(m.known) // as it was before the damage
		}
		m.read = nil
		return nil
	}
}

// damagedError is what is wrong with the content of the file.
type damagedError struct{ error }

// identify is os.Stat for a comparison later on: on Windows os.Stat does not look yet which file it is, but os.SameFile.
func identify(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err == nil {
		_ = os.SameFile(info, info)
	}
	return info, err
}

// refresh reads the file if it changed.
func (m *Marks) refresh() error {
	if m.path == "" {
		return nil
	}
	info, err := identify(m.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		m.known, m.read = marksFile{}, nil
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file", m.path)
	case m.read != nil && os.SameFile(info, m.read) && info.Size() == m.read.Size() && info.ModTime().Equal(m.read.ModTime()):
		return nil
	case info.Size() > maxMarks:
		return &damagedError{fmt.Errorf("it has more than %d MB", maxMarks>>20)}
	}
	content, err := robustio.ReadFile(m.path)
	if err != nil {
		return err
	}
	var next marksFile
	if err := json.Unmarshal(content, &next); err != nil {
		var v struct {
			Version int `json:"version"`
		}
		if json.Unmarshal(content, &v) == nil && v.Version > marksVersion {
			return fmt.Errorf("%s is of a newer version", m.path)
		}
		return &damagedError{errors.New(session.JSONProblem(err))}
	}
	for id, stored := range next.Sessions {
		stored.Mark = stored.normalized()
		next.Sessions[id] = stored
	}
	m.known, m.read = next, info
	return nil
}

// store replaces the file.
func (m *Marks) store(next marksFile) error {
	content, err := json.Marshal(next, json.Deterministic(true), jsontext.Multiline(true))
	if err != nil {
		return err
	}
	beside := m.path + ".new"
	f, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(content, '\n'))
	err = errors.Join(err, f.Sync())
	info, statErr := f.Stat()
	if err = errors.Join(err, statErr, f.Close()); err == nil {
		err = robustio.Rename(beside, m.path)
	}
	if err != nil {
		_ = os.Remove(beside) // gives back what a full disk needs
		return err
	}
	m.known, m.read = next, info
	return nil
}

// What a mark may hold.
const (
	nameLimit = 100 // characters, as the runtime's own names have
	tagLimit  = 40
	tagsLimit = 32
)

// Tags are the tags in a text, as one writes them: words in small letters, parted
// by blanks or commas, with or without # before them; sorted, each once.
func Tags(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return blank(r) || r == ',' })
	for i, word := range words {
		words[i] = cut(strings.TrimLeft(word, "#"), tagLimit)
	}
	slices.Sort(words)
	words = slices.DeleteFunc(slices.Compact(words), func(word string) bool { return word == "" })
	return words[:min(len(words), tagsLimit)]
}

// cut is as much of a text as some characters.
func cut(text string, characters int) string {
	for i := range text {
		if characters == 0 {
			return text[:i]
		}
		characters--
	}
	return text
}

// normalized is a mark as it is kept: the name is one line, tags are as Tags has
// them, the time is UTC.
func (m Mark) normalized() Mark {
	m.Name = strings.TrimSpace(cut(strings.Join(strings.FieldsFunc(m.Name, blank), " "), nameLimit))
	m.Tags = Tags(strings.Join(m.Tags, " "))
	m.Deleted = m.Deleted.UTC().Round(0)
	return m.clone()
}

// clone shares nothing with the mark.
func (m Mark) clone() Mark {
	m.Tags = slices.Clone(m.Tags)
	if len(m.Tags) == 0 {
		m.Tags = nil
	}
	return m
}

func (m Mark) empty() bool {
	return m.Name == "" && len(m.Tags) == 0 && !m.Pinned && !m.Archived && m.Deleted.IsZero()
}
