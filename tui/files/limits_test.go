package files

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestWalkHasAnEnd: a walk that takes too long, or finds too much, stops with what
// it has, and says why.
func TestWalkHasAnEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "a", "b/c", "b/d/e")
	for _, tt := range []struct {
		most limits
		want []string
		why  string
	}{
		{usual(), []string{"a", "b/", "b/c", "b/d/", "b/d/e"}, ""},
		{limits{walked: 100, walk: 1}, []string{"a", "b/"}, "reading them took too long"},
		{limits{walked: 3}, []string{"a", "b/", "b/c"}, "there are too many"},
	} {
		x, err := read(t.Context(), dir, "", "", tt.most)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Sorted(slices.Values(listOf(x))); !slices.Equal(got, tt.want) || x.Left() != tt.why || x.Cut() != (tt.why != "") {
			t.Errorf("%+v: %q, %q, cut %v", tt.most, got, x.Left(), x.Cut())
		}
	}
}

// TestWalkHoldsLargeFolders: 200,000 files are listed without git too, beside the folders
// that they are in.
func TestWalkHoldsLargeFolders(t *testing.T) {
	t.Parallel()
	l := &listing{limit: usual().walked}
	for i := range 200 {
		l.add(fmt.Sprintf("d%03d/", i))
		for j := range 1000 {
			l.add(fmt.Sprintf("d%03d/file_%06d", i, 1000*i+j))
		}
	}
	x := index(l.paths, l.limit)
	if _, ok := x.entry("d199/file_199999"); !ok || l.cut || x.Cut() {
		t.Errorf("%d entries, cut %v", x.Len(), l.cut || x.Cut())
	}
}

// TestSlowGit: a checkout that git takes too long for is walked.
func TestSlowGit(t *testing.T) {
	t.Parallel()
	git := realGit(t)
	dir := repository(t, git)
	write(t, dir, "a")
	x, err := read(t.Context(), dir, "", git, limits{listed: 100, walked: 100, git: 1})
	if err != nil || !slices.Equal(listOf(x), []string{"a"}) {
		t.Errorf("%q, %v", listOf(x), err)
	}
}

// TestWalkStaysOnItsFileSystem: a folder in which another one begins is listed and
// not looked into.
func TestWalkStaysOnItsFileSystem(t *testing.T) {
	t.Parallel()
	dir := resolved(t.TempDir())
	write(t, dir, "a", "net/b", "media/usb/c", "media/d")
	for n, want := range map[int]string{1: "net is on another file system", 2: "net and 1 more are on other file systems"} {
		l := &listing{limit: 100, mounts: map[string]bool{filepath.Join(dir, "net"): true}}
		if n > 1 {
			l.mounts[filepath.Join(dir, "media/usb")] = true
		}
		if err := l.walk(t.Context(), dir); err != nil {
			t.Fatal(err)
		}
		inside := slices.Contains(l.paths, "media/usb/c")
		if slices.Contains(l.paths, "net/b") || !slices.Contains(l.paths, "net/") || inside != (n == 1) || l.left(false) != want {
			t.Errorf("%q, %q", l.paths, l.left(false))
		}
	}
}

// TestMounts: the system's own folders are on other file systems wherever they are.
func TestMounts(t *testing.T) {
	t.Parallel()
	for path := range mounts() {
		if !strings.HasPrefix(path, "/") {
			t.Errorf("%q", path)
		}
	}
}
