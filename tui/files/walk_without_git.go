package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ignoreFiles are read in each folder; a later one overrules an earlier one.
var ignoreFiles = []string{".git/info/exclude", ".gitignore", ".ignore"}

// storage are the folders of version control systems. They are left out.
var storage = []string{".git", ".hg", ".jj", ".svn"}

// maxIgnoreFile is how much of an ignore file is read, in bytes.
const maxIgnoreFile = 1 << 20

// folder is one that is still to be walked.
type folder struct {
	path  []string // its elements, from the first folder on
	rules *rules
}

// walk lists the files below dir without git, the shallow ones first, so that
// they are what remains when there are too many, or no time for more. A folder
// inside that cannot be read is listed alone, and so is one of another file system:
// that may be slow, without an end, or not answer at all.
func (l *listing) walk(ctx context.Context, dir string) error {
	queue := []folder{{}}
	for first := true; len(queue) > 0 && !l.cut && (first || ctx.Err() == nil); first = false {
		var at folder
		at, queue = queue[0], queue[1:]
		here := filepath.Join(dir, filepath.Join(at.path...))
		entries, err := l.entries(ctx, here)
		if err != nil && len(at.path) == 0 {
			return err
		}
		at.rules = readRules(here, entries, at)
		for _, entry := range entries {
			path := append(slices.Clone(at.path), entry.Name())
			isFolder := entry.IsDir()
			switch {
			case slices.Contains(storage, entry.Name()), !l.ignored && at.rules.ignores(path, isFolder):
			case isFolder && l.mounts[filepath.Join(here, entry.Name())]:
				l.add(strings.Join(path, "/") + "/")
				l.away = append(l.away, strings.Join(path, "/"))
			case isFolder:
				l.add(strings.Join(path, "/") + "/")
				queue = append(queue, folder{path, at.rules})
			case entry.Type()&^fs.ModeSymlink == 0:
				l.add(strings.Join(path, "/"))
			}
		}
	}
	return ctx.Err()
}

// entries are those of a folder, sorted: all of them, or a few more than there is
// room for. At least some are read.
func (l *listing) entries(ctx context.Context, dir string) ([]fs.DirEntry, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	const some = 4096
	var all []fs.DirEntry
	for len(all) == 0 || len(all) <= l.limit-len(l.paths) && ctx.Err() == nil {
		part, err := f.ReadDir(some)
		all = append(all, part...)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return all, nil
}

// readRules are the rules in a folder that has these entries.
func readRules(dir string, entries []fs.DirEntry, at folder) *rules {
	var list []rule
	for _, name := range ignoreFiles {
		first, _, _ := strings.Cut(name, "/")
		if _, ok := slices.BinarySearchFunc(entries, first, func(e fs.DirEntry, name string) int {
			return strings.Compare(e.Name(), name)
		}); !ok {
			continue
		}
		list = append(list, parseRules(readStart(filepath.Join(dir, name), maxIgnoreFile))...)
	}
	if len(list) == 0 {
		return at.rules
	}
	return &rules{above: at.rules, depth: len(at.path), list: list}
}

// readStart is the start of a regular file; nil when it cannot be read.
func readStart(path string, most int64) []byte {
	f, err := openRegular(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return nil
	}
	return data
}
