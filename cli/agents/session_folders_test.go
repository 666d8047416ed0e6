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
// with it. What the agent may know better is left to it.
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
	for _, o := range []agents.Options{
		{Resume: whole.Resume},
		{},
		{Resume: "not-here", CopilotURL: "localhost:1"},
		{Resume: "not-here", Agent: agents.Demo},
		{Resume: "ses_dfb68dc2effeL7794U84005VL4", Agent: "opencode"},
		{Resume: "00000000-0000-0000-0000-000000000000"}, // the agent may have it in another form
	} {
		id := o.Resume
		if err := o.FindSession(env); err != nil || o.Resume != id {
			t.Errorf("%q became %q, %v", id, o.Resume, err)
		}
	}
}

// TestNoSession: what is not there is said with what was looked for, what is near, and what to
// do next.
func TestNoSession(t *testing.T) {
	t.Parallel()
	_, env := clitest.PastHome(t)
	for id, want := range map[string]string{
		"bbb": `"bbb" is too short for the id of a session: give at least 4 characters of it; ` + "`parley -r` lists the sessions",
		"zzzz": `no session on this machine has an id that begins with "zzzz"; ` +
			"`parley -r` lists the sessions, and `parley sessions search zzzz` looks in what was said",
		"bbbc": `no session on this machine has an id that begins with "bbbc"; did you mean bbbb0000? ` +
			"`parley -r` lists the sessions, and `parley sessions search bbbc` looks in what was said",
	} {
		o := agents.Options{Resume: id}
		if err := o.FindSession(env); err == nil || err.Error() != want {
			t.Errorf("%q: %v", id, err)
		}
	}
	o := agents.Options{Resume: "bbbb"}
	if err := o.FindSession([]string{"HOME=" + t.TempDir()}); err == nil || !strings.Contains(err.Error(), "none is stored on this machine") {
		t.Errorf("without any: %v", err)
	}
}
