package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/cli/clitest"
	"parley/cli/process"
	"parley/settings/environ"
)

// TestPurgeOnCLI has the real Copilot CLI remove a session, and no other. Nothing of it is in a file of the index then.
func TestPurgeOnCLI(t *testing.T) {
	t.Parallel()
	cli := onCLI(t)
	home, env := clitest.PastHome(t)
	env = append(append(env, cli...), "PATH="+os.Getenv("PATH"), "HOME="+t.TempDir(), "COPILOT_OFFLINE=true",
		"COPILOT_PROVIDER_BASE_URL=http://127.0.0.1:9/v1", "COPILOT_MODEL=fake-model")
	if got := lineIn(t, env, "", "sessions", "delete", "bbbb"); got.Code != process.ExitOK {
		t.Fatalf("got %+v", got)
	}
	indexed := func() (all string) {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(environ.Get(env, "XDG_CACHE_HOME"), "parley", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			bytes, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			all += string(bytes)
		}
		return all
	}
	if all := indexed(); !strings.Contains(all, "bbbb0000") || !strings.Contains(all, "background_shell_detached") {
		t.Fatal("the session is not in the index")
	}
	got := lineIn(t, env, "", "sessions", "delete", "--purge", "--yes")
	if got.Code != process.ExitOK || !strings.Contains(got.Out, "Removed: bbbb0000") {
		t.Fatalf("got %+v", got)
	}
	left, err := filepath.Glob(filepath.Join(home, "session-state", "????0000-*"))
	if err != nil || len(left) != 3 || strings.Contains(strings.Join(left, " "), "bbbb0000") {
		t.Errorf("%v: %q are left", err, left)
	}
	if all := indexed(); strings.Contains(all, "bbbb0000") || strings.Contains(all, "background_shell_detached") || !strings.Contains(all, "aaaa0000") {
		t.Error("the index has something of it still, or nothing of the others")
	}
	if got := lineIn(t, env, "", "sessions", "list", "--deleted"); strings.Contains(got.Out, "bbbb") || !strings.Contains(got.Out, "aaaa") {
		t.Errorf("got %+v", got)
	}
}
