package files

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file, path string
		want             bool
	}{
		{"a name", "a.log", "x/a.log", true},
		{"another name", "a.log", "x/b.log", false},
		{"comment", "#a", "#a", false},
		{"no comment", `\#a`, "#a", true},
		{"no negation", `\!a`, "!a", true},
		{"blank lines", "\n\n  \na", "a", true},
		{"lines of Windows", "a\r\nb\r\n", "a", true},
		{"byte order mark", "\ufeffa", "a", true},
		{"spaces at the end", "a  ", "a", true},
		{"a space that is kept", `a\ `, "a ", true},
		{"star", "*.log", "x/y.log", true},
		{"star and no slash", "/*.log", "x/y.log", false},
		{"question mark", "?.go", "a.go", true},
		{"class", "[a-c].go", "b.go", true},
		{"negated class", "[!a-c].go", "b.go", false},
		{"class with bracket", "[]a]", "]", true},
		{"class with dash", "[a-]", "-", true},
		{"named class", "[[:digit:]x]", "7", true},
		{"class that is not closed", "[a", "[a", false},
		{"folder", "build/", "build/", true},
		{"folder, a file of that name", "build/", "build", false},
		{"from here", "/a", "x/a", false},
		{"path", "a/b", "a/b", true},
		{"path, further down", "a/b", "x/a/b", false},
		{"path, escaped", `a\/b`, "a/b", true},
		{"path, no escape of it", `a\\/b`, "a/b", false},
		{"path, a class with a slash", "[a/]", "a", true},
		{"path, an escape", `a\\/b`, `a\/b`, true},
		{"anywhere", "**/a/b", "a/x/a/b", true},
		{"all below", "a/**", "a/b/c", true},
		{"all below, not itself", "a/**", "a/", false},
		{"between", "a/**/b", "a/b", true},
		{"far between", "a/**/b", "a/x/y/b", true},
		{"taken back", "*.log\n!a.log", "a.log", false},
		{"a list of what stays", "*\n!*/\n!*.go", "a/y.txt", true},
		{"a list of what stays, of it", "*\n!*/\n!*.go", "a/y.go", false},
		{"taken back for the folder alone", "*.log\n!/src/", "src/x.log", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path, folder := strings.CutSuffix(c.path, "/")
			r := &rules{list: parseRules([]byte(c.file))}
			if got := r.ignores(strings.Split(path, "/"), folder); got != c.want {
				t.Errorf("%q of %q: %v", c.path, c.file, got)
			}
		})
	}
}

func TestRulesTakeLinearTime(t *testing.T) {
	t.Parallel()
	r := &rules{list: parseRules([]byte(strings.Repeat("**/a/", 40) + "b\n" + strings.Repeat("*a", 60) + "b"))}
	path := append(slices.Repeat([]string{"a"}, 200), strings.Repeat("a", 250))
	if r.ignores(path, false) {
		t.Error("matched")
	}
}

// TestWalkIsAsGit holds the walk to the real git over random ignore files.
func TestWalkIsAsGit(t *testing.T) {
	t.Parallel()
	git := realGit(t)
	dir := repository(t, git)
	write(t, dir, []string{"a0", "b.go", "c.txt", "a/b.go", "a/c.log", "a/a/b.go", "b/a/c.txt", "b/a/a/b.log", "b/[x]", "c/!d", "c/e ", "c/d/a/e.go", "é/ü.txt", "x\\y/z"}...)
	glob := rapid.StringOfN(rapid.SampledFrom([]rune("aabbcdeg.*?[]!-x\\/ ")), 1, 6, -1)
	line := rapid.OneOf(glob, rapid.SampledFrom([]string{
		"*", "!*/", "!*.go", "*.go", "a", "!a", "/a", "a/", "!a/", "/a/", "a/*", "!a/b.go", "a/**", "**/a", "**/a/**", "b/**/a", "[!a]*", "[[:alpha:]].*", "!b", "b/a", "#a", "\\!d", "*.l?g", "**", "!**/",
	}))
	file := rapid.Map(rapid.SliceOfN(line, 0, 5), func(lines []string) string { return strings.Join(lines, "\n") })
	rapid.Check(t, func(rt *rapid.T) {
		for _, at := range []string{".git/info/exclude", ".gitignore", "a/.gitignore", "b/a/.gitignore"} {
			if err := os.WriteFile(filepath.Join(dir, at), []byte(file.Draw(rt, at)), 0o644); err != nil {
				rt.Fatal(err)
			}
		}
		out, err := lsFiles(t.Context(), git, dir, "--others", "--exclude-standard")
		if err != nil {
			rt.Fatal(err)
		}
		want := slices.Sorted(names(out))
		l := &listing{limit: maxEntries}
		if err := l.walk(t.Context(), dir); err != nil {
			rt.Fatal(err)
		}
		got := slices.DeleteFunc(l.paths, func(p string) bool { return strings.HasSuffix(p, "/") })
		slices.Sort(got)
		if !slices.Equal(got, want) {
			rt.Fatalf("\ngot  %q\nwant %q", got, want)
		}
	})
}

func realGit(t *testing.T) string {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("there is no git here")
	}
	return git
}

// repository is a new git checkout with nothing in it.
func repository(t *testing.T, git string) string {
	t.Helper()
	dir := t.TempDir()
	run(t, git, dir, "init", "-q", "-b", "main")
	return dir
}

func run(t *testing.T, git, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), git, append([]string{
		"-c", "user.name=ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false", "-c", "protocol.file.allow=always",
	}, args...)...)
	cmd.Dir, cmd.Env = dir, append(gitEnv(os.Environ()), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", args, err, out)
	}
}
