package files

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	// changesTime bounds how long git may take to find the changes.
	changesTime = 10 * time.Second
	// maxChanges is how many bytes of a diff are read.
	maxChanges = 8 << 20
	// maxNew and maxNewBytes bound which files that git does not track are shown
	// with their text.
	maxNew, maxNewBytes = 200, 64 << 10
	// noFiles is the object of git's that holds no file.
	noFiles = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
	// shortCommit is how many digits of a commit name it where it is shown.
	shortCommit = 7
)

// Changed is how the files of a checkout differ from a commit.
type Changed struct {
	Diff string // in git's form; "" for no difference
	Base string // the name of the commit, short; "" if there is no commit yet
}

// Changes finds how the files of the checkout that dir is in differ from a commit, if it is
// known there and not the last one, and from the last one: what is from which commit, the last
// one at the end. Outside of a checkout it is empty.
func Changes(ctx context.Context, dir, base string) ([]Changed, error) {
	root := Root(dir)
	git, err := exec.LookPath("git")
	if root == "" || err != nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, changesTime)
	defer cancel()
	plain, err := withoutFilters(ctx, git, root)
	if err != nil {
		return nil, err
	}
	created, err := newFiles(ctx, git, root)
	if err != nil {
		return nil, err
	}
	var all []Changed
	commits := []string{commitOf(ctx, git, root, "HEAD")}
	if commitName().MatchString(base) {
		if since := commitOf(ctx, git, root, base); since != "" && since != commits[0] {
			commits = []string{since, commits[0]}
		}
	}
	for _, commit := range commits {
		diff, err := runGit(ctx, git, root, maxChanges, plain, "diff", "--no-ext-diff", "--no-textconv", "--no-color",
			"--src-prefix=a/", "--dst-prefix=b/", "--ignore-submodules=all", cmp.Or(commit, noFiles), "--")
		if err != nil {
			return nil, err
		}
		all = append(all, Changed{string(diff) + created, commit[:min(len(commit), shortCommit)]})
	}
	return all, nil
}

// newFiles is the diff that makes the files which git does not track and does not ignore.
func newFiles(ctx context.Context, git, root string) (string, error) {
	others, err := lsFiles(ctx, git, root, "--others", "--exclude-standard")
	if err != nil {
		return "", err
	}
	var text strings.Builder
	n := 0
	for name := range names(others) {
		if n++; n > maxNew {
			break
		}
		text.WriteString(newFile(root, name))
	}
	return text.String(), nil
}

// Checkout is the state of a checkout; the zero value outside of one.
type Checkout struct {
	Branch string // "HEAD" on no branch
	Dirty  bool   // files are changed, or new and not ignored
}

// ReadCheckout asks git about the checkout that dir is in.
func ReadCheckout(ctx context.Context, dir string) (Checkout, error) {
	root := Root(dir)
	git, err := exec.LookPath("git")
	if root == "" || err != nil {
		return Checkout{}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, changesTime)
	defer cancel()
	plain, err := withoutFilters(ctx, git, root)
	if err != nil {
		return Checkout{}, err
	}
	out, err := runGit(ctx, git, root, maxListed, plain, "status", "--porcelain", "--branch", "-z", "--ignore-submodules=all")
	head, changed, _ := strings.Cut(string(out), "\x00")
	branch, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(head, "## "), "No commits yet on "), "...")
	branch, _, _ = strings.Cut(branch, " ") // HEAD (no branch)
	return Checkout{branch, changed != ""}, err
}

// Uncommitted returns nil if a file of the checkout that dir is in differs from the last
// commit, else why there is nothing to commit.
func Uncommitted(ctx context.Context, dir string) error {
	if _, err := exec.LookPath("git"); err != nil {
		return errors.New("git is not installed, or not in the PATH")
	}
	if Root(dir) == "" {
		return errors.New("the folder " + dir + " is in no git repository")
	}
	all, err := Changes(ctx, dir, "")
	if err == nil && !slices.ContainsFunc(all, func(c Changed) bool { return c.Diff != "" }) {
		err = errors.New("no file has changed since the last commit")
	}
	return err
}

// withoutFilters are the settings with which git runs none of the filters that are
// configured: a checkout from elsewhere may bring any program.
func withoutFilters(ctx context.Context, git, root string) ([]string, error) {
	out, err := runGit(ctx, git, root, 1<<20, nil, "config", "-z", "--list", "--name-only")
	if err != nil {
		return nil, err
	}
	var settings []string
	n := 0
	for name := range names(out) {
		if value := ""; strings.HasPrefix(name, "filter.") {
			if strings.HasSuffix(name, ".required") {
				value = "false"
			}
			settings = append(settings, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", n, name), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", n, value))
			n++
		}
	}
	return append(settings, fmt.Sprintf("GIT_CONFIG_COUNT=%d", n)), nil
}

// commitName is the full or shortened name of a commit, and nothing that git would
// take for an option.
var commitName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{7,64}$`) })

// commitOf is the full name of a commit of a checkout; "" if it is not known there.
func commitOf(ctx context.Context, git, root, name string) string {
	out, err := runGit(ctx, git, root, 1<<10, nil, "rev-parse", "--verify", "--quiet", name+"^{commit}")
	if commit := strings.TrimSpace(string(out)); err == nil && commitName().MatchString(commit) {
		return commit
	}
	return ""
}

// newFile is the diff that makes a file, in git's form.
func newFile(root, name string) string {
	quoted := func(side string) string {
		if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == utf8.RuneError }) {
			return strconv.Quote(side + name)
		}
		return side + name
	}
	head := fmt.Sprintf("diff --git %s %s\nnew file mode ", quoted("a/"), quoted("b/"))
	path := filepath.Join(root, filepath.FromSlash(name))
	at, err := os.Lstat(path)
	if err == nil && at.Mode()&os.ModeSymlink != 0 { // what it leads to is no part of the checkout
		to, _ := os.Readlink(path)
		return head + fmt.Sprintf("120000\n--- /dev/null\n+++ %s\n@@ -0,0 +1 @@\n+%s\n\\ No newline at end of file\n",
			quoted("b/"), strings.ReplaceAll(to, "\n", " "))
	}
	head += "100644\n"
	text, ok := readText(path)
	switch {
	case err == nil && at.Size() > maxNewBytes:
		return head + fmt.Sprintf("Not shown: it is larger than %d KB\n", maxNewBytes>>10)
	case !ok:
		return head + fmt.Sprintf("Binary files /dev/null and %s differ\n", quoted("b/"))
	case text == "":
		return head
	}
	lines, end := strings.Split(strings.TrimSuffix(text, "\n"), "\n"), ""
	if !strings.HasSuffix(text, "\n") {
		end = "\\ No newline at end of file\n"
	}
	return head + fmt.Sprintf("--- /dev/null\n+++ %s\n@@ -0,0 +1,%d @@\n+%s\n%s", quoted("b/"), len(lines), strings.Join(lines, "\n+"), end)
}

// readText reads a regular file of bounded size; not ok means that it holds no
// text to show.
func readText(path string) (text string, ok bool) {
	at, err := os.Lstat(path)
	if err != nil || !at.Mode().IsRegular() { // what a link leads to is no part of the checkout
		return "", false
	}
	data := readStart(path, maxNewBytes+1)
	return string(data), data != nil && len(data) <= maxNewBytes && utf8.Valid(data) && bytes.IndexByte(data, 0) < 0
}
