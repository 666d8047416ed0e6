package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

const (
	// maxListed is how many bytes of a list of git's are read.
	maxListed = 512 << 20
	// maxRepos is how many checkouts inside a checkout are listed.
	maxRepos = 200
)

// checkout lists what git tracks, and what it neither tracks nor ignores, or does not track at
// all, below dir, under prefix. What is tracked but deleted is left out. It fails where git
// does, as outside of any checkout.
func (l *listing) checkout(ctx context.Context, git, dir, prefix string) error {
	l.repos++
	var tracked, untracked, deleted []byte
	var errs [3]error
	others := []string{"--others"}
	if !l.ignored {
		others = append(others, "--exclude-standard")
	}
	var all sync.WaitGroup
	all.Go(func() { tracked, errs[0] = lsFiles(ctx, git, dir, "-t", "-s") })
	all.Go(func() { untracked, errs[1] = lsFiles(ctx, git, dir, others...) })
	all.Go(func() { deleted, errs[2] = lsFiles(ctx, git, dir, "--deleted") })
	all.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	deletedPaths := map[string]bool{}
	for path := range names(deleted) {
		deletedPaths[path] = true
	}
	var nested []string // checkouts inside this one
	paths := make([]string, 0, bytes.Count(tracked, []byte{0}))
	for line := range names(tracked) {
		// "H 100644 <object> <stage>\t<path>"; S is for what a sparse checkout
		// leaves out, mode 160000 for a submodule.
		head, path, ok := strings.Cut(line, "\t")
		if !ok || strings.HasPrefix(head, "S") || deletedPaths[path] {
			continue
		}
		if strings.Contains(head, " 160000 ") {
			path += "/"
			nested = append(nested, path)
		}
		paths = append(paths, path)
	}
	for path := range names(untracked) {
		paths = append(paths, path)
		if strings.HasSuffix(path, "/") {
			nested = append(nested, path)
		}
	}
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) { // a path in conflict is listed more than once
		l.add(prefix + path)
	}
	for _, path := range nested {
		inside := filepath.Join(dir, path)
		if _, err := os.Lstat(filepath.Join(inside, ".git")); err != nil || l.repos >= maxRepos || l.cut {
			continue // nothing in it, or no end to it
		}
		if err := l.checkout(ctx, git, inside, prefix+path); ctx.Err() != nil {
			return err // of one that is broken, the folder alone is listed
		}
	}
	return nil
}

// names are the entries of a list of git's, each with a zero byte at its end.
func names(list []byte) iter.Seq[string] {
	return strings.FieldsFuncSeq(string(list), func(r rune) bool { return r == 0 })
}

// lsFiles runs "git ls-files" in dir.
func lsFiles(ctx context.Context, git, dir string, args ...string) ([]byte, error) {
	return runGit(ctx, git, dir, maxListed, nil, append([]string{"ls-files", "-z"}, args...)...)
}

// runGit runs git in dir and returns the first bytes that it writes. Nothing that
// the checkout configures is started: no monitor of the file system, and nothing
// is fetched. settings are more of git's, as "name=value" of its environment.
func runGit(ctx context.Context, git, dir string, most int64, settings []string, args ...string) ([]byte, error) {
	what := "git " + args[0] + " in " + dir
	cmd := exec.CommandContext(ctx, git, append([]string{"-c", "core.fsmonitor=false", "-c", "protocol.allow=never"}, args...)...)
	cmd.Dir, cmd.Env = dir, append(gitEnv(os.Environ()), settings...)
	var complaint bytes.Buffer
	cmd.Stderr = &limited{&complaint, 4 << 10}
	text, err := output(ctx, cmd, most)
	if err == nil && int64(len(text)) == most {
		err = fmt.Errorf("more than %d bytes", most)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", what, err, strings.TrimSpace(complaint.String()))
	}
	return text, nil
}

// output runs a program and returns the first bytes that it writes. One that would
// write more is ended, and when ctx ends nothing more is read: what it started may keep
// its output open.
func output(ctx context.Context, cmd *exec.Cmd, most int64) ([]byte, error) {
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { _ = out.Close() })()
	var text bytes.Buffer
	_, err = io.Copy(&text, io.LimitReader(out, most))
	if int64(text.Len()) == most {
		_ = cmd.Process.Kill() // it would wait for its reader
		_ = cmd.Wait()
		return text.Bytes(), nil
	}
	if err := errors.Join(err, cmd.Wait()); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

// gitEnv is env without what leads git to another checkout, as a hook has it,
// and with what keeps it from writing, asking and fetching.
func gitEnv(env []string) []string {
	elsewhere := []string{
		"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE",
		"GIT_LITERAL_PATHSPECS", "GIT_CONFIG", "GIT_TRACE",
	}
	out := slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(elsewhere, name)
	})
	return append(out, "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
}

// limited keeps the first bytes that are written and drops the others.
type limited struct {
	to   *bytes.Buffer
	left int
}

func (w *limited) Write(p []byte) (int, error) {
	n := min(len(p), w.left)
	w.left -= n
	w.to.Write(p[:n])
	return len(p), nil
}

// Root is the root of the checkout that a folder is in; "" for none.
func Root(dir string) string {
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}
