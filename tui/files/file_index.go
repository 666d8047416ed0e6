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
	"strings"
	"time"
)

// Index is the files and folders of a working folder as they were when it was
// read. Nothing changes it, so it may be used by many at once.
//
// Paths are kept as the system gives them, byte for byte: they may be invalid UTF-8
// and may hold anything but a zero byte. They are relative to the folder, with
// slashes, and a folder's has none at its end.
type Index struct {
	dir, home string
	cut       bool
	left      string
	// paths are in the order in which equally good ones are offered: by depth, then
	// byte by byte. A folder's ends in a slash.
	paths   [][]byte
	letters []letters // of each path
	bases   []int     // where in each path its last element begins
	levels  []int     // the first entry of each depth, and the number of entries
}

// limits bound the reading of a folder. Zero times are no bound.
type limits struct {
	ignored bool          // what is ignored is among the files
	listed  int           // entries that git may list
	walked  int           // entries that a walk may find
	git     time.Duration // what git may take, before the folder is walked instead
	walk    time.Duration // what a walk may take
}

// usual are the limits that hold. What git lists is a project; a walk may be one
// through a home folder or the whole system, with the disk at work meanwhile: it has room
// for 200,000 files and their folders.
func usual() limits {
	return limits{listed: maxEntries, walked: 300_000, git: 20 * time.Second, walk: 3 * time.Second}
}

// maxEntries is how many entries an Index holds.
const maxEntries = 1_000_000

// Read reads the files below dir. Inside a git checkout they are those that git
// tracks and those that it neither tracks nor ignores, also those of submodules
// and of other checkouts inside this one. Elsewhere, and if there is no git,
// they are all but what .gitignore, .ignore and .git/info/exclude leave out.
// Hidden files are among them, what is in .git never is. Symbolic links are
// listed and not followed, and neither are folders of other file systems, where
// there is no git. Beyond 1,000,000 entries, or 300,000 and some seconds without git,
// it stops, see Cut and Left. With ignored, what git or those files leave out is among them.
//
// It fails when dir cannot be read or ctx ends.
func Read(ctx context.Context, dir string, ignored bool) (*Index, error) {
	git, err := exec.LookPath("git")
	if err != nil {
		git = ""
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	most := usual()
	most.ignored = ignored
	return read(ctx, dir, home, git, most)
}

// read is Read with what it takes from outside: the home folder, the program
// git ("" is none) and the limits.
func read(ctx context.Context, dir, home, git string, most limits) (*Index, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("read the files of %s: %w", dir, err)
	}
	l := &listing{limit: most.listed, ignored: most.ignored}
	if git != "" {
		err = within(ctx, most.git, func(ctx context.Context) error { return l.checkout(ctx, git, dir, "") })
	}
	if git == "" || err != nil || len(l.paths) == 0 { // no checkout, or one that ignores this folder
		l = &listing{limit: most.walked, ignored: most.ignored, mounts: mounts()}
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

	ignored bool // what is ignored is listed, too

	mounts map[string]bool // folders of other file systems, by their whole paths
	away   []string        // those that were found
}

// left returns why there are more files than are listed; "" if all are listed.
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
	x := &Index{levels: []int{0}}
	var byDepth [][]string // paths and folders, sorted as a folder with a slash is
	entries, size := 0, 0
	add := func(path string) {
		if x.cut = entries == limit; x.cut {
			return
		}
		d := depth(path)
		for len(byDepth) <= d {
			byDepth = append(byDepth, nil)
		}
		byDepth[d] = append(byDepth[d], path)
		entries, size = entries+1, size+len(path)
	}
	last := ""
	for _, path := range paths {
		for i := len(sharedFolder(last, path)); ; {
			n := strings.IndexByte(path[i:], '/')
			if n < 0 {
				break
			}
			i += n + 1
			add(path[:i])
		}
		if path != last && !strings.HasSuffix(path, "/") {
			add(path)
		}
		last = path
	}
	text := make([]byte, 0, size) // of all paths, so that the lists of git go
	x.paths, x.letters, x.bases = make([][]byte, 0, entries), make([]letters, 0, entries), make([]int, 0, entries)
	for _, level := range byDepth {
		for _, path := range level {
			text = append(text, path...)
			x.paths = append(x.paths, text[len(text)-len(path):])
			x.letters = append(x.letters, lettersOf(path))
			x.bases = append(x.bases, strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')+1)
		}
		x.levels = append(x.levels, len(x.paths))
	}
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

// depth is how many folders a path is below the first.
func depth(path string) int { return strings.Count(strings.TrimSuffix(path, "/"), "/") }

// Len is the number of files and folders.
func (x *Index) Len() int { return len(x.paths) }

// Cut reports whether there are more than the index holds.
func (x *Index) Cut() bool { return x.cut }

// Left returns why there are more files than the index holds, in a few words such as
// "there are too many"; "" if it holds all.
func (x *Index) Left() string { return x.left }

// Only returns the path of the file with a name, without its folder, if there is one and no
// other.
func (x *Index) Only(name string) (path string, ok bool) {
	for i, p := range x.paths {
		if string(p[x.bases[i]:]) == name {
			if ok {
				return "", false
			}
			path, ok = string(p), true
		}
	}
	return path, ok && !x.cut
}

// split is the path of entry i in two: the folder that it is in, with a slash, and its
// last element, without one. The caller must not change them.
func (x *Index) split(i int) (folder, base []byte) {
	path, n := x.paths[i], x.bases[i]
	return path[:n], bytes.TrimSuffix(path[n:], []byte("/"))
}

// isFolder reports whether entry i is a folder.
func (x *Index) isFolder(i int) bool { return bytes.HasSuffix(x.paths[i], []byte("/")) }

// level returns the entries of a depth: the first, and the one after the last.
func (x *Index) level(depth int) (from, to int) {
	if depth+1 >= len(x.levels) {
		return 0, 0
	}
	return x.levels[depth], x.levels[depth+1]
}

// find returns where an entry of a depth is, or would be.
func (x *Index) find(depth int, path string) (i int, ok bool) {
	from, to := x.level(depth)
	i, ok = slices.BinarySearchFunc(x.paths[from:to], []byte(path), bytes.Compare)
	return from + i, ok
}

// entry finds a file or a folder.
func (x *Index) entry(path string) (i int, ok bool) {
	if i, ok = x.find(depth(path), path); !ok {
		i, ok = x.find(depth(path), path+"/")
	}
	return i, ok
}

// children returns the entries directly in a folder: the first, and the one
// after the last.
func (x *Index) children(folder string) (from, to int) {
	below := depth(folder) + 1
	from, _ = x.find(below, folder+"/")
	to, _ = x.find(below, folder+"0") // '0' follows '/'
	return from, to
}
