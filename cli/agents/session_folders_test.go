package agents_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/cli/agents"
	"parley/cli/clitest"
)

// TestFindSession: the beginning of an id is enough to resume a session, if it is the only one
// with it. What is not stored here is left to the agent.
func TestFindSession(t *testing.T) {
	t.Parallel()
	home, env := clitest.PastHome(t)
	whole := agents.Options{Resume: "bbbb"}
	if err := whole.FindSession(env); err != nil || !strings.HasPrefix(whole.Resume, "bbbb0000-") || len(whole.Resume) != 36 {
		t.Errorf("bbbb is %q, %v", whole.Resume, err)
	}
	if err := os.Mkdir(filepath.Join(home, "session-state", "bbbb1111"), 0o700); err != nil {
		t.Fatal(err)
	}
	several := agents.Options{Resume: "bbbb"}
	if err := several.FindSession(env); err == nil || !strings.Contains(err.Error(), `2 sessions have an id that begins with "bbbb"`) {
		t.Errorf("of two it is %q, %v", several.Resume, err)
	}
	for _, id := range []string{whole.Resume, "bbb", "not-here", ""} {
		o := agents.Options{Resume: id}
		if err := o.FindSession(env); err != nil || o.Resume != id {
			t.Errorf("%q became %q, %v", id, o.Resume, err)
		}
	}
}
