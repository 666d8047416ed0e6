package files

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"parley/session/sessiontest"
)

// readList reads a folder and returns its entries, sorted.
func readList(t *testing.T, dir, git string) []string {
	t.Helper()
	x, err := read(t.Context(), dir, "", git, usual())
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(slices.Values(listOf(x)))
}

func checkList(t *testing.T, got []string, want ...string) {
	t.Helper()
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("\ngot  %q\nwant %q", got, want)
	}
}

// tricky makes what may be in a folder.
func tricky(t *testing.T, dir string) {
	t.Helper()
	write(t, dir, ".gitignore=*.log\nbuild/\n", "a.go", "a.log", "build/out", "src/b.go", "src/deep/c.go", ".hidden", "two words")
	if runtime.GOOS == "windows" {
		return
	}
	write(t, dir, "new\nline", "bad\xff")
	if err := os.Symlink("src", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := sessiontest.Mkfifo(filepath.Join(dir, "pipe")); err != nil {
		t.Fatal(err)
	}
}

// trickyList is what is listed of it.
func trickyList() []string {
	list := []string{".gitignore", "a.go", "src/", "src/b.go", "src/deep/", "src/deep/c.go", ".hidden", "two words"}
	if runtime.GOOS != "windows" {
		list = append(list, "new\nline", "bad\xff", "link")
	}
	return list
}

func TestReadCheckout(t *testing.T) {
	t.Parallel()
	git := realGit(t)
	dir := repository(t, git)
	tricky(t, dir)
	write(t, dir, "gone.go", "gone/d.go", "tracked.log")
	run(t, git, dir, "add", "a.go", "src", "gone.go", "gone")
	run(t, git, dir, "add", "-f", "tracked.log")
	run(t, git, dir, "commit", "-q", "-m", "first")
	if err := errors.Join(os.Remove(filepath.Join(dir, "gone.go")), os.RemoveAll(filepath.Join(dir, "gone"))); err != nil {
		t.Fatal(err)
	}
	checkList(t, readList(t, dir, git), append(trickyList(), "tracked.log")...)
	checkList(t, readList(t, filepath.Join(dir, "src"), git), "b.go", "deep/", "deep/c.go")
}

func TestReadWithoutGit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tricky(t, dir)
	write(t, dir, ".ignore=!kept.log\n", "kept.log", ".git/info/exclude=secret\n", ".git/HEAD", "secret", "src/.gitignore=/deep\n", ".svn/entries")
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	want := slices.DeleteFunc(trickyList(), func(p string) bool { return strings.HasPrefix(p, "src/deep") })
	want = append(want, ".ignore", "kept.log", "src/.gitignore", "empty/")
	checkList(t, readList(t, dir, ""), want...)
	broken := filepath.Join(t.TempDir(), "git")
	sessiontest.Program(t, broken, "#!/bin/sh\nexit 128\n")
	checkList(t, readList(t, dir, broken), want...)
}

// TestReadIgnored has what is ignored among the files on request, and never what is in .git.
func TestReadIgnored(t *testing.T) {
	t.Parallel()
	git := realGit(t)
	dir := repository(t, git)
	tricky(t, dir)
	run(t, git, dir, "add", "a.go")
	for _, by := range []string{git, ""} {
		most := usual()
		most.ignored = true
		x, err := read(t.Context(), dir, "", by, most)
		if err != nil {
			t.Fatal(err)
		}
		checkList(t, slices.Sorted(slices.Values(listOf(x))), append(trickyList(), "a.log", "build/", "build/out")...)
	}
}

func TestReadIgnoredFolder(t *testing.T) {
	t.Parallel()
	git := realGit(t)
	dir := repository(t, git)
	write(t, dir, ".gitignore=*\n", "notes/a.md")
	checkList(t, readList(t, filepath.Join(dir, "notes"), git), "a.md")
}

func TestReadCheckoutsInside(t *testing.T) {
	t.Parallel()
	git := realGit(t)
	dir, library := repository(t, git), repository(t, git)
	write(t, library, "lib.go", ".gitignore=*.o\n")
	run(t, git, library, "add", ".")
	run(t, git, library, "commit", "-q", "-m", "first")
	write(t, dir, "main.go", "sub.go", "clone/.gitignore=x\n", "clone/x", "clone/y")
	run(t, git, dir, "submodule", "--quiet", "add", library, "sub")
	run(t, git, dir, "submodule", "--quiet", "add", library, "unpopulated")
	run(t, git, dir, "submodule", "--quiet", "deinit", "-f", "unpopulated")
	run(t, git, filepath.Join(dir, "clone"), "init", "-q")
	write(t, dir, "sub/new.go", "sub/new.o")
	checkList(t, readList(t, dir, git), ".gitmodules", "main.go", "sub.go", "unpopulated/",
		"sub/", "sub/lib.go", "sub/.gitignore", "sub/new.go", "clone/", "clone/.gitignore", "clone/y")
}

func TestReadConflict(t *testing.T) {
	t.Parallel()
	git := realGit(t)
	dir := repository(t, git)
	commit := func(content string) {
		write(t, dir, "a="+content)
		run(t, git, dir, "add", ".")
		run(t, git, dir, "commit", "-q", "-m", content)
	}
	commit("first")
	run(t, git, dir, "checkout", "-q", "-b", "other")
	commit("second")
	run(t, git, dir, "checkout", "-q", "main")
	commit("third")
	if out, err := lsFiles(t.Context(), git, dir, "--unmerged"); err != nil || len(out) != 0 {
		t.Fatalf("%q, %v", out, err)
	}
	if _, err := lsFiles(t.Context(), git, dir, "--no-such-flag"); err == nil {
		t.Fatal("git took a flag that there is not")
	}
	runFails(t, git, dir, "merge", "-q", "other")
	checkList(t, readList(t, dir, git), "a")
}

// runFails runs git where it stops halfway, as in a conflict.
func runFails(t *testing.T, git, dir string, args ...string) {
	t.Helper()
	if _, err := lsFiles(t.Context(), git, dir); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "git")
	sessiontest.Program(t, script, fmt.Sprintf("#!/bin/sh\n%s \"$@\" >/dev/null 2>&1\nexit 0\n", git))
	run(t, script, dir, args...)
}

// TestReadStartsNothing reads a checkout whose configuration names programs to
// start.
func TestReadStartsNothing(t *testing.T) {
	t.Parallel()
	git := realGit(t)
	dir, mark := repository(t, git), filepath.Join(t.TempDir(), "started")
	write(t, dir, "a")
	run(t, git, dir, "add", ".")
	hook := filepath.Join(dir, "hook")
	sessiontest.Program(t, hook, fmt.Sprintf("#!/bin/sh\ntouch %s\n", mark))
	run(t, git, dir, "config", "core.fsmonitor", hook)
	checkList(t, readList(t, dir, git), "a", "hook")
	if _, err := os.Stat(mark); err == nil {
		t.Error("the monitor of the checkout was started")
	}
}

func TestReadIsCut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "a/b/c/d", "e", "f")
	for limit, want := range map[int][]string{3: {"a/", "e", "f"}, 4: {"a/", "a/b/", "e", "f"}} {
		x, err := read(t.Context(), dir, "", "", limits{walked: limit})
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.Sorted(slices.Values(listOf(x))); !slices.Equal(got, want) || !x.Cut() {
			t.Errorf("%d: %q, cut %v", limit, got, x.Cut())
		}
	}
	git := realGit(t)
	run(t, git, dir, "init", "-q")
	x, err := read(t.Context(), dir, "", git, limits{listed: 2})
	if err != nil || x.Len() != 2 || !x.Cut() {
		t.Errorf("%d entries, cut %v, %v", x.Len(), x.Cut(), err)
	}
}

func TestReadFails(t *testing.T) {
	t.Parallel()
	if _, err := Read(t.Context(), filepath.Join(t.TempDir(), "nowhere"), false); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := Read(ended, t.TempDir(), false); !errors.Is(err, context.Canceled) {
		t.Errorf("ended: %v", err)
	}
}

func TestReadThisFolder(t *testing.T) {
	t.Parallel()
	x, err := Read(t.Context(), ".", false)
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Find("read_test", nil, 1); len(got) != 1 || got[0].Path != "read_test.go" || got[0].Dir {
		t.Errorf("found %v", got)
	}
}

func TestUnreadableFolder(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "modes of files")
	if os.Geteuid() == 0 {
		t.Skip("root can read everything")
	}
	dir := t.TempDir()
	write(t, dir, "a", "closed/b")
	if err := os.Chmod(filepath.Join(dir, "closed"), 0); err != nil {
		t.Fatal(err)
	}
	checkList(t, readList(t, dir, ""), "a", "closed/")
}

func TestReadText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if err := os.WriteFile(file, []byte("text\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := ReadText(file, 5); err != nil || text != "text\n" {
		t.Errorf("%q, %v", text, err)
	}
	none := func(path string) {
		t.Helper()
		if text, err := ReadText(path, 5); err == nil || text != "" {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
	none(dir)
	none(filepath.Join(dir, "none"))
	if text, err := ReadText(file, 4); err == nil || text != "" {
		t.Errorf("a longer file: %q, %v", text, err)
	}
	sessiontest.UnixOnly(t, "pipes in folders")
	pipe := filepath.Join(dir, "pipe")
	if err := sessiontest.Mkfifo(pipe); err != nil {
		t.Fatal(err)
	}
	none(pipe)
}
