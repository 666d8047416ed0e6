package files

import (
	"context"
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
// they are what remains when there are too many. A folder inside that cannot be
// read is listed alone.
func (l *listing) walk(ctx context.Context, dir string) error {
	queue := []folder{{}}
	for len(queue) > 0 && !l.cut && ctx.Err() == nil {
		var at folder
		at, queue = queue[0], queue[1:]
		here := filepath.Join(dir, filepath.Join(at.path...))
		entries, err := os.ReadDir(here)
		if err != nil && len(at.path) == 0 {
			return err
		}
		at.rules = readRules(here, entries, at)
		for _, entry := range entries {
			path := append(slices.Clone(at.path), entry.Name())
			isFolder := entry.IsDir()
			switch {
			case slices.Contains(storage, entry.Name()), at.rules.ignores(path, isFolder):
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
