package files

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// checkoutOf makes a checkout with one commit of files, and returns its root and
// the commit.
func checkoutOf(t *testing.T, content map[string]string) (root, commit string) {
	t.Helper()
	git := realGit(t)
	root = repository(t, git)
	fill(t, root, content)
	run(t, git, root, "add", "-A")
	run(t, git, root, "commit", "-q", "-m", "first")
	head, err := os.ReadFile(filepath.Join(root, ".git", "refs", "heads", "main"))
	if err != nil {
		t.Fatal(err)
	}
	return root, strings.TrimSpace(string(head))
}

// fill writes files.
func fill(t *testing.T, root string, content map[string]string) {
	t.Helper()
	for name, text := range content {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestChanges: what differs from a commit, committed or not, tracked or not.
func TestChanges(t *testing.T) {
	t.Parallel()
	root, first := checkoutOf(t, map[string]string{"a.go": "one\n", "b.go": "two\n", ".gitignore": "*.log\n"})
	fill(t, root, map[string]string{"a.go": "one\nmore\n"})
	run(t, realGit(t), root, "commit", "-q", "-am", "second")
	fill(t, root, map[string]string{"b.go": "2\n", "new/c.go": "x\ny", "empty": "", "bin": "\x00\x01", "out.log": "no", "huge": strings.Repeat("line\n", maxNewBytes)})
	if err := os.Symlink("/etc/hostname", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	both, err := Changes(t.Context(), filepath.Join(root, "new"), first)
	if err != nil || len(both) != 2 || both[0].Base != first[:7] || both[1].Base == first[:7] {
		t.Fatalf("%+v, %v", both, err)
	}
	got := both[0]
	for _, want := range []string{
		"--- a/a.go\n+++ b/a.go\n@@ -1 +1,2 @@\n one\n+more\n", "-two\n+2\n",
		"+++ b/new/c.go\n@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file\n",
		"diff --git a/empty b/empty\nnew file mode 100644\n", "Binary files /dev/null and b/bin differ",
		"new file mode 120000\n--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+/etc/hostname\n\\ No newline at end of file\n",
		"b/huge\nnew file mode 100644\nNot shown: it is larger than 64 KB\n",
	} {
		if !strings.Contains(got.Diff, want) {
			t.Errorf("without %q:\n%s", want, got.Diff)
		}
	}
	if strings.Contains(got.Diff, "out.log") {
		t.Errorf("what is ignored is shown:\n%s", got.Diff)
	}
	for _, base := range []string{"", "--output=x", "0123456789", strings.Repeat("f", 40)} { // unknown: since the last commit
		got, err := Changes(t.Context(), root, base)
		if err != nil || len(got) != 1 || got[0] != both[1] || strings.Contains(got[0].Diff, "more") || !strings.Contains(got[0].Diff, "-two\n+2\n") {
			t.Errorf("since %q: %v\n%+v", base, err, got)
		}
	}
	if _, err := os.Stat(filepath.Join(root, "x")); err == nil {
		t.Error("a commit was taken for an option")
	}
}

// TestChangesStartNothing: no program that a checkout configures runs, and git
// writes nothing.
func TestChangesStartNothing(t *testing.T) {
	t.Parallel()
	root, first := checkoutOf(t, map[string]string{"a.go": "one\n", ".gitattributes": "* filter=f=g diff=d\n"})
	for _, name := range []string{
		"filter.f=g.clean", "filter.f=g.process", "diff.d.command", "diff.d.textconv", "diff.external", "core.fsmonitor",
	} {
		run(t, realGit(t), root, "config", name, "touch "+filepath.Join(root, "ran"))
	}
	run(t, realGit(t), root, "config", "filter.f=g.required", "true")
	fill(t, root, map[string]string{"a.go": "three\n"})
	index, err := os.ReadFile(filepath.Join(root, ".git", "index"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Changes(t.Context(), root, first)
	if err != nil || len(got) != 1 || !strings.Contains(got[0].Diff, "-one\n+three\n") {
		t.Errorf("the commit is the last one: %v\n%+v", err, got)
	}
	if _, err := os.Stat(filepath.Join(root, "ran")); err == nil {
		t.Error("a program of the checkout ran")
	}
	if after, err := os.ReadFile(filepath.Join(root, ".git", "index")); err != nil || string(after) != string(index) {
		t.Errorf("the index was written: %v", err)
	}
}

// TestChangesWithoutACommit: all files are new before the first commit; outside of
// a checkout there is nothing; and an end is an error.
func TestChangesWithoutACommit(t *testing.T) {
	t.Parallel()
	root := repository(t, realGit(t))
	fill(t, root, map[string]string{"a.go": "one\n"})
	if got, err := Changes(t.Context(), root, ""); err != nil || len(got) != 1 || got[0].Base != "" || !strings.Contains(got[0].Diff, "+one\n") {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := Changes(t.Context(), t.TempDir(), ""); err != nil || got != nil {
		t.Errorf("%+v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Changes(ctx, root, ""); err == nil {
		t.Error("no error")
	}
}

// TestCheckoutAsGitReportsIt: the branch and whether files are changed, as they are now.
func TestCheckoutAsGitReportsIt(t *testing.T) {
	t.Parallel()
	git := realGit(t)
	root := repository(t, git)
	is := func(want Checkout) {
		t.Helper()
		if got, err := ReadCheckout(t.Context(), root); got != want || err != nil {
			t.Errorf("%+v, want %+v (%v)", got, want, err)
		}
	}
	is(Checkout{Branch: "main"})
	fill(t, root, map[string]string{"a.go": "one\n"})
	is(Checkout{"main", true})
	run(t, git, root, "add", "-A")
	run(t, git, root, "commit", "-q", "-m", "first")
	run(t, git, root, "checkout", "-q", "-b", "fix/a.b", "--track", "main")
	is(Checkout{Branch: "fix/a.b"})
	fill(t, root, map[string]string{"a.go": "two\n"})
	is(Checkout{"fix/a.b", true})
	run(t, git, root, "checkout", "-q", "--", ".")
	run(t, git, root, "checkout", "-q", "--detach")
	is(Checkout{Branch: "HEAD"})
	if got, err := ReadCheckout(t.Context(), t.TempDir()); got != (Checkout{}) || err != nil {
		t.Errorf("outside: %+v %v", got, err)
	}
}
