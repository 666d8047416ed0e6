package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/cli/clitest"
	"parley/cli/process"
)

// TestPurgeOnCLI has the real Copilot CLI remove a session, and no other.
func TestPurgeOnCLI(t *testing.T) {
	t.Parallel()
	cli := onCLI(t)
	home, env := clitest.PastHome(t)
	env = append(append(env, cli...), "PATH="+os.Getenv("PATH"), "HOME="+t.TempDir(), "COPILOT_OFFLINE=true",
		"COPILOT_PROVIDER_BASE_URL=http://127.0.0.1:9/v1", "COPILOT_MODEL=fake-model")
	if got := lineIn(t, env, "", "sessions", "delete", "bbbb"); got.Code != process.ExitOK {
		t.Fatalf("got %+v", got)
	}
	got := lineIn(t, env, "", "sessions", "delete", "--purge", "--yes")
	if got.Code != process.ExitOK || !strings.Contains(got.Out, "Removed: bbbb0000") {
		t.Fatalf("got %+v", got)
	}
	left, err := filepath.Glob(filepath.Join(home, "session-state", "????0000-*"))
	if err != nil || len(left) != 3 || strings.Contains(strings.Join(left, " "), "bbbb0000") {
		t.Errorf("%v: %q are left", err, left)
	}
	if got := lineIn(t, env, "", "sessions", "list", "--deleted"); strings.Contains(got.Out, "bbbb") || !strings.Contains(got.Out, "aaaa") {
		t.Errorf("got %+v", got)
	}
}
