package settings

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settleTime is for how long nothing more may happen before a change is over:
// an editor writes a file in several steps.
const settleTime = 50 * time.Millisecond

// themesDir is the folder of a user's own themes, in that of the settings.
const themesDir = "themes"

// Stamp is what the files of a user's say: equal stamps mean equal files.
type Stamp string

// Stamped reads the stamp of the files in a folder of settings: settings.toml,
// keys.toml, and the themes and the styles of markdown in themes.
func Stamped(dir string) Stamp {
	sum := sha256.New()
	for _, path := range watched(dir) {
		text, err := readFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		_, _ = fmt.Fprintf(sum, "%q %d %v\n%s", path, len(text), err, text)
	}
	return Stamp(sum.Sum(nil))
}

// watched are the files that count in a folder of settings, there or not.
func watched(dir string) []string {
	files := []string{filepath.Join(dir, "settings.toml"), filepath.Join(dir, "keys.toml")}
	themes, _ := os.ReadDir(filepath.Join(dir, themesDir)) // without the folder there are no themes
	for _, t := range themes {
		if ofTheme(t.Name()) {
			files = append(files, filepath.Join(dir, themesDir, t.Name()))
		}
	}
	return files
}

// ofTheme reports whether a file in the folder of themes is one, or a style of
// markdown.
func ofTheme(name string) bool { return filepath.Ext(name) == ".toml" || filepath.Ext(name) == ".json" }

// WatchError says that no change will be seen.
type WatchError struct{ Err error }

// Error implements error.
func (e *WatchError) Error() string { return "changes of the files cannot be seen: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *WatchError) Unwrap() error { return e.Err }

// Watch waits until the files in a folder of settings are others than they were,
// and for a moment more, in which nothing changes. It returns at once where they
// are others already. The folder need not be there. The error is that of ctx, or
// a WatchError.
func Watch(ctx context.Context, dir string, were Stamp) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return &WatchError{err}
	}
	defer func() { _ = w.Close() }() // it has nothing to lose
	for {
		seen, err := attend(w, dir)
		if err != nil {
			return &WatchError{err}
		}
		if Stamped(dir) != were {
			return settle(ctx, w, dir)
		}
		for changed := false; !changed; {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case e := <-w.Events:
				changed = seen.counts(e.Name)
			case err := <-w.Errors:
				if !errors.Is(err, fsnotify.ErrEventOverflow) {
					return &WatchError{err}
				}
				changed = true
			}
		}
	}
}

// settle waits until the files stay as they are.
func settle(ctx context.Context, w *fsnotify.Watcher, dir string) error {
	now := Stamped(dir)
	for {
		timer := time.NewTimer(settleTime)
	quiet:
		for {
			select {
			case <-ctx.Done():
				timer.Stop()
				return ctx.Err()
			case <-w.Events: // they are drained, and the stamp shows what changed
			case err := <-w.Errors:
				if !errors.Is(err, fsnotify.ErrEventOverflow) {
					return &WatchError{err}
				}
			case <-timer.C:
				break quiet
			}
		}
		last := now
		if now = Stamped(dir); now == last {
			return nil
		}
	}
}

// seen are the paths whose events count.
type seen struct {
	paths  []string
	themes string
}

// counts reports whether something happened to a path that matters.
func (s seen) counts(path string) bool {
	return slices.Contains(s.paths, path) || filepath.Dir(path) == s.themes && ofTheme(path)
}

// attend watches the folders in which a change of the files shows: theirs, or
// the nearest one that is there, and those of what their links mean. What
// appears while it does so is attended to as well.
func attend(w *fsnotify.Watcher, dir string) (seen, error) {
	added := map[string]bool{}
	for {
		folders, s := places(dir)
		more := false
		for _, folder := range folders {
			if added[folder] {
				continue
			}
			added[folder], more = true, true
			if err := w.Add(folder); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
				return s, err
			}
		}
		if !more {
			return s, nil
		}
	}
}

// places are the folders to watch, and the paths in them that matter.
func places(dir string) (folders []string, s seen) {
	s.themes = filepath.Join(dir, themesDir)
	s.paths = []string{s.themes}
	for _, file := range append(watched(dir), s.themes, dir) {
		for range mostLinks {
			s.paths = append(s.paths, file)
			folders = append(folders, nearestFolder(filepath.Dir(file), &s.paths))
			to, ok := linked(file)
			if !ok {
				break
			}
			file = to
		}
	}
	if info, err := os.Stat(s.themes); err == nil && info.IsDir() {
		folders = append(folders, s.themes)
	}
	slices.Sort(folders)
	folders = slices.Compact(folders)
	s.paths = append(s.paths, folders...) // one that goes takes its watch along
	return folders, s
}

// nearestFolder is a folder, or the nearest above it that is there; those that
// are not are paths that matter.
func nearestFolder(dir string, paths *[]string) string {
	for {
		info, err := os.Stat(dir)
		parent := filepath.Dir(dir)
		if err == nil && info.IsDir() || parent == dir {
			return dir
		}
		*paths = append(*paths, dir)
		dir = parent
	}
}
