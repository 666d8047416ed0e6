package tui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// folderAgent opens the scenario's session in a folder, if there is one.
type folderAgent struct {
	scriptedAgent
	dir string
}

// folderSession is the scenario's session in a folder.
type folderSession struct {
	*scriptedSession
	dir string
}

func (a *folderAgent) Open(context.Context, session.Options) (session.Session, error) {
	if _, err := os.Stat(a.dir); err != nil {
		return nil, &session.FolderError{Dir: a.dir}
	}
	return folderSession{a.s, a.dir}, nil
}

func (s folderSession) Info() session.Info {
	info := s.scriptedSession.Info()
	info.Dir = s.dir
	return info
}

// inDir is a scenario whose agent works in a folder.
func inDir(t *testing.T, dir string) *scenario {
	t.Helper()
	return newScenario(t, func(c *Config) {
		start := c.Agent
		c.Agent = func(ctx context.Context) (session.Agent, error) {
			plain, err := start(ctx)
			a, _ := plain.(scriptedAgent)
			return &folderAgent{a, dir}, err
		}
	})
}

// words are the words on the screen, wherever a line ends.
func (sc *scenario) words() string {
	return strings.Join(strings.Fields(strings.Join(sc.screen(), " ")), " ")
}

// A folder that is deleted under the agent is said with the prompt that finds it so, once,
// and the prompt is sent.
func TestFolderDeletedInTheMiddle(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "proj")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	sc := inDir(t, dir)
	send := func(prompt string) {
		t.Helper()
		sc.step("type", prompt)
		sc.step("key", "enter")
		if !contains(sc.s.calls, prompt) {
			t.Errorf("%s was not sent: %v", prompt, sc.s.calls)
		}
	}
	send("first")
	sc.misses("does not exist")
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	send("second")
	send("third")
	if n := strings.Count(sc.words(), "does not exist any more: the agent can read, change and run nothing there."); n != 1 {
		t.Errorf("it is said %d times: %s", n, sc.words())
	}
}

// A session that cannot be opened because its folder was deleted is opened by Enter when the
// folder is there again, and the prompt is sent.
func TestFolderDeletedBefore(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "proj")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	sc := inDir(t, dir)
	sc.step("type", "first")
	sc.step("key", "enter")
	sc.spoken("s1")
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	sc.step("type", "/new")
	sc.step("key", "enter")
	if said := sc.words(); !strings.Contains(said, "proj does not exist any more") || !strings.Contains(said, "Make it again and press enter") {
		t.Errorf("the window says %s", said)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	sc.step("type", "hello")
	sc.step("key", "enter")
	if !contains(sc.s.calls, `"hello"`) || sc.draft() != "" {
		t.Errorf("draft %q, calls %v", sc.draft(), sc.s.calls)
	}
}

// TestOtherFolderWhileDisconnected: a session that could not be opened can be opened in another
// folder, and what failed again is not added to the conversation again.
func TestOtherFolderWhileDisconnected(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "proj")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	sc := inDir(t, dir)
	sc.step("type", "first")
	sc.step("key", "enter")
	sc.spoken("s1")
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	sc.command("/new")
	for range 2 {
		sc.step("type", "hello")
		sc.step("key", "enter")
	}
	if n := strings.Count(sc.words(), "Could not start the agent"); n != 1 {
		t.Errorf("it is said %d times: %s", n, sc.words())
	}
	sc.contains("Still not possible")
	sc.step("key", "ctrl+u")
	sc.command("/cwd " + filepath.Join(dir, "nowhere"))
	if !strings.Contains(sc.words(), "it is no folder") {
		t.Errorf("the window says %s", sc.words())
	}
	other := t.TempDir()
	sc.step("key", "ctrl+u")
	sc.command("/cwd " + other)
	if got := sc.m.win.Front.Info.Dir; got != other {
		t.Errorf("works in %s: %s", got, sc.words())
	}
}

// TestThemeOfSettings: enter on the theme in the list of settings opens the list of themes.
func TestThemeOfSettings(t *testing.T) {
	t.Parallel()
	sc := watching(t, nil).sc
	sc.command("/settings theme")
	sc.step("key", "enter")
	sc.contains("high-contrast")
}
