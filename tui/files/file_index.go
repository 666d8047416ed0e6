// Package files knows the files of a working folder: which there are, which of
// them a few typed letters mean, what one of them is, and what image is on the
// clipboard. It is the edge: every call may block on the disk or on another
// program, and returns when that is done.
package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"
)

// Index is the files and folders of a working folder as they were when it was
// read. Nothing changes it, so it may be used by many at once.
//
// Paths are kept as the system gives them, byte for byte: they may be no UTF-8
// and may hold anything but a zero byte. They are relative to the folder, with
// slashes, and a folder's has none at its end.
type Index struct {
	dir, home string
	cut       bool
	left      string
	// The entries are in the order in which equally good ones are offered: by
	// depth, then by the bytes of the path, a folder as if it ended in a slash.
	text   []byte   // all paths, one after another
	starts []uint32 // of each path in text, and the end of the last
	bases  []uint32 // where in text the last element of each path starts
	dirs   []bool   // which are folders
	levels []int    // the first entry of each depth, and the number of entries
	whole  []letters
	name   []letters // as whole, of the last element
}

// limits bound the reading of a folder. Zero times are no bound.
type limits struct {
	listed int           // entries that git may list
	walked int           // entries that a walk may find
	git    time.Duration // what git may take, before the folder is walked instead
	walk   time.Duration // what a walk may take
}

// usual are the limits that hold. What git lists is a project; a walk may be one
// through a home folder or the whole system, with the disk at work meanwhile.
func usual() limits {
	return limits{listed: maxEntries, walked: 200_000, git: 20 * time.Second, walk: 3 * time.Second}
}

// maxEntries is how many entries an Index holds.
const maxEntries = 1_000_000

// Read reads the files below dir. Inside a git checkout they are those that git
// tracks and those that it neither tracks nor ignores, also those of submodules
// and of other checkouts inside this one. Elsewhere, and if there is no git,
// they are all but what .gitignore, .ignore and .git/info/exclude leave out.
// Hidden files are among them, what is in .git never is. Symbolic links are
// listed and not followed, and neither are folders of other file systems, where
// there is no git. Beyond 1,000,000 entries, or 200,000 and some seconds without git,
// it stops, see Cut and Left.
//
// It fails when dir cannot be read or ctx ends.
func Read(ctx context.Context, dir string) (*Index, error) {
	git, err := exec.LookPath("git")
	if err != nil {
		git = ""
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	return read(ctx, dir, home, git, usual())
}

// read is Read with what it takes from outside: the home folder, the program
// git ("" is none) and the limits.
func read(ctx context.Context, dir, home, git string, most limits) (*Index, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("read the files of %s: %w", dir, err)
	}
	l := &listing{limit: most.listed}
	if git != "" {
		err = within(ctx, most.git, func(ctx context.Context) error { return l.checkout(ctx, git, dir, "") })
	}
	if git == "" || err != nil || len(l.paths) == 0 { // no checkout, or one that ignores this folder
		l = &listing{limit: most.walked, mounts: mounts()}
		err = within(ctx, most.walk, func(ctx context.Context) error { return l.walk(ctx, resolved(dir)) })
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			l.cut, l.late, err = true, true, nil
		}
	}
	if err = errors.Join(ctx.Err(), err); err != nil {
		return nil, fmt.Errorf("read the files of %s: %w", dir, err)
	}
	x := index(l.paths, l.limit)
	x.dir, x.home, x.cut = dir, home, x.cut || l.cut
	x.left = l.left(x.cut)
	return x, nil
}

// resolved is a folder without links in its path, as the mounts are known.
func resolved(dir string) string {
	if path, err := filepath.EvalSymlinks(dir); err == nil {
		return path
	}
	return dir
}

// within does something with a time limit; 0 is none.
func within(ctx context.Context, limit time.Duration, do func(context.Context) error) error {
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	return do(ctx)
}

// listing is the paths found so far; a folder's ends in a slash.
type listing struct {
	paths []string
	limit int
	cut   bool // there is more than limit
	late  bool // there was no time for more
	repos int  // checkouts listed

	mounts map[string]bool // folders of other file systems, by their whole paths
	away   []string        // those that were found
}

// left says why there are more files than are listed; "" if there are none.
func (l *listing) left(cut bool) string {
	var why []string
	switch {
	case l.late:
		why = append(why, "reading them took too long")
	case cut:
		why = append(why, "there are too many")
	}
	switch n := len(l.away); {
	case n == 1:
		why = append(why, l.away[0]+" is on another file system")
	case n > 1:
		why = append(why, fmt.Sprintf("%s and %d more are on other file systems", l.away[0], n-1))
	}
	return strings.Join(why, ", and ")
}

// add takes a path, or notes that it is one too many.
func (l *listing) add(path string) {
	if len(l.paths) >= l.limit {
		l.cut = true
		return
	}
	l.paths = append(l.paths, path)
}

// index makes the Index of paths, and of the folders they are in.
func index(paths []string, limit int) *Index {
	if !slices.IsSorted(paths) {
		slices.Sort(paths)
	}
	x := &Index{}
	var found []string // paths and folders, sorted as a folder with a slash is
	last := ""
	for _, path := range paths {
		for i := len(sharedFolder(last, path)); ; {
			n := strings.IndexByte(path[i:], '/')
			if n < 0 {
				break
			}
			i += n + 1
			found = append(found, path[:i])
		}
		if path != last && !strings.HasSuffix(path, "/") {
			found = append(found, path)
		}
		last = path
	}
	if x.cut = len(found) > limit; x.cut {
		found = found[:limit]
	}
	x.fill(found)
	return x
}

// sharedFolder is the folder that two paths have in common, with its slash.
func sharedFolder(a, b string) string {
	n, slash := min(len(a), len(b)), 0
	for i := 0; i < n && a[i] == b[i]; i++ {
		if a[i] == '/' {
			slash = i + 1
		}
	}
	return a[:slash]
}

// fill lays the sorted entries out by depth.
func (x *Index) fill(found []string) {
	size := 0
	for _, path := range found {
		size += len(path)
		d := depth(path)
		for len(x.levels) < d+2 {
			x.levels = append(x.levels, 0)
		}
		x.levels[d+1]++
	}
	for d := 1; d < len(x.levels); d++ {
		x.levels[d] += x.levels[d-1]
	}
	order, next := make([]string, len(found)), slices.Clone(x.levels)
	for _, path := range found {
		d := depth(path)
		order[next[d]] = path
		next[d]++
	}
	n := len(order)
	x.text, x.starts, x.bases = make([]byte, 0, size), make([]uint32, 0, n+1), make([]uint32, 0, n)
	x.dirs, x.whole, x.name = make([]bool, n), make([]letters, n), make([]letters, n)
	for i, path := range order {
		path, x.dirs[i] = strings.CutSuffix(path, "/")
		start, slash := len(x.text), strings.LastIndexByte(path, '/')
		x.starts = append(x.starts, uint32(start))
		x.bases = append(x.bases, uint32(start+slash+1))
		x.text = append(x.text, path...)
		x.name[i] = lettersOf(x.text[start+slash+1:])
		x.whole[i] = x.name[i] | lettersOf(x.text[start:start+slash+1])
	}
	x.starts = append(x.starts, uint32(len(x.text)))
}

// depth is how many folders a path is below the first.
func depth(path string) int { return strings.Count(strings.TrimSuffix(path, "/"), "/") }

// Len is the number of files and folders.
func (x *Index) Len() int { return len(x.dirs) }

// Cut reports whether there are more than the index holds.
func (x *Index) Cut() bool { return x.cut }

// Left says why there are more files than the index holds, in a few words such as
// "there are too many"; "" if it holds all.
func (x *Index) Left() string { return x.left }

// path is the path of entry i. The caller must not change it.
func (x *Index) path(i int) []byte { return x.text[x.starts[i]:x.starts[i+1]] }

// base is the last element of the path of entry i.
func (x *Index) base(i int) []byte { return x.text[x.bases[i]:x.starts[i+1]] }

// level returns the entries of a depth: the first, and the one after the last.
func (x *Index) level(depth int) (from, to int) {
	if depth+1 >= len(x.levels) {
		return 0, 0
	}
	return x.levels[depth], x.levels[depth+1]
}

// entry finds a path. As a folder and a file of one name cannot be there at
// once, both places are looked at.
func (x *Index) entry(path string) (i int, ok bool) {
	from, to := x.level(depth(path))
	for _, key := range []string{path, path + "/"} {
		i = from + sort.Search(to-from, func(n int) bool { return x.compare(from+n, key) >= 0 })
		if i < to && string(x.path(i)) == path {
			return i, true
		}
	}
	return 0, false
}

// children returns the entries directly in a folder: the first, and the one
// after the last.
func (x *Index) children(folder string) (from, to int) {
	first, last := x.level(depth(folder) + 1)
	find := func(key string) int {
		return first + sort.Search(last-first, func(n int) bool { return x.compare(first+n, key) >= 0 })
	}
	return find(folder + "/"), find(folder + "0") // '0' follows '/'
}

// compare orders entry i and a path, a folder's with a slash at its end.
func (x *Index) compare(i int, key string) int {
	path := x.path(i)
	n := min(len(path), len(key))
	if c := bytes.Compare(path[:n], []byte(key[:n])); c != 0 || !x.dirs[i] {
		if c == 0 {
			return len(path) - len(key)
		}
		return c
	}
	switch rest := key[n:]; {
	case n < len(path):
		return 1
	case rest == "":
		return 1
	case rest[0] != '/':
		return int('/') - int(rest[0])
	default:
		return 1 - len(rest)
	}
}
