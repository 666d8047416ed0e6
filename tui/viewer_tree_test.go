package tui

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
	"parley/tui/conversation"
	"parley/tui/viewer"
)

// inCheckout puts a scenario's session into a checkout with one commit, in which
// the file that a command made is new.
func inCheckout(t *testing.T) *scenario {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	commit(t, dir, "first")
	if err := os.WriteFile(filepath.Join(dir, "made.txt"), []byte("by a command\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sc := newScenario(t, nil)
	sc.m.win.Front.Info.Dir = dir
	return sc
}

// commit commits what is staged, and returns the name of the commit.
func commit(t *testing.T, dir, message string) string {
	t.Helper()
	git(t, dir, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", message)
	return strings.TrimSpace(git(t, dir, "rev-parse", "HEAD"))
}

// git runs git in a folder.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git here")
	}
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// TestDiffSince: what changed since the session began is first, committed meanwhile or
// not; one key goes to what changed since the last commit, to the edits, and back.
func TestDiffSince(t *testing.T) {
	t.Parallel()
	sc := inCheckout(t)
	dir := sc.m.win.Front.Info.Dir
	first := strings.TrimSpace(git(t, dir, "rev-parse", "HEAD"))
	sc.say(session.Event{Body: session.SessionStart{Context: &session.WorkingContext{Cwd: dir, HeadCommit: first}}})
	sc.editFile(1, 3)
	sc.step("key", "ctrl+x d")
	sc.contains("Since session start and last commit " + first[:7] + ", 1 file   +1 −0   1 of 2")
	sc.contains("s single edits")
	sc.step("key", "s")
	sc.contains("+3 −0   2 of 2")
	sc.step("key", "esc")

	git(t, dir, "add", "-A")
	second := commit(t, dir, "second")
	if err := os.WriteFile(filepath.Join(dir, "later.txt"), []byte("untracked\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sc.editFile(2, 4)
	sc.step("key", "ctrl+x d")
	sc.contains("Since session start " + first[:7] + ", 2 files   +2 −0   1 of 4")
	sc.contains("s since the commit")
	sc.step("key", "s")
	sc.contains("s single edits")
	sc.contains("Since last commit " + second[:7] + ", 1 file   +1 −0   2 of 4")
	sc.contains("untracked")
	sc.step("key", "s")
	sc.contains("+4 −0   3 of 4")
	sc.step("key", "l")
	sc.contains("+3 −0   4 of 4")
	sc.contains("s all changes")
	sc.step("key", "s")
	sc.contains("1 of 4")
}

// TestDiffOfTheCheckout: what commands changed is before the edits, and alone where
// there are no edits. A session that is only read begins with its newest edit.
func TestDiffOfTheCheckout(t *testing.T) {
	t.Parallel()
	sc := inCheckout(t)
	sc.step("key", "ctrl+x d")
	sc.contains("Since last commit ")
	sc.contains(", 1 file   +1 −0   1 of 1")
	sc.contains("by a command")
	sc.step("key", "esc")

	sc.editFile(1, 3)
	sc.step("key", "ctrl+x d")
	sc.contains("+1 −0   1 of 2")
	sc.contains("by a command")
	sc.step("key", "l")
	sc.contains("+3 −0   2 of 2")
	sc.editFile(2, 4)
	sc.step("key", "h")
	sc.contains("+4 −0   2 of 3")
	sc.step("key", "esc")

	sc.m.win.Front.ReadOnly = &conversation.PastSession{}
	sc.step("key", "ctrl+x d")
	sc.contains("+4 −0   2 of 3")
}

// TestDiffIsOfChanges: a file that was read is no change though its text comes as a
// diff, and a name from the root keeps its slash.
func TestDiffIsOfChanges(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	call := func(id, tool, args, detail string) {
		sc.say(
			session.Event{ID: session.EventID("s" + id), Body: session.ToolExecutionStart{ToolCallID: session.CallID(id), ToolName: tool, Arguments: []byte(args)}},
			session.Event{ID: session.EventID("e" + id), Body: session.ToolExecutionComplete{
				ToolCallID: session.CallID(id), Success: true, Result: &session.ToolResult{Content: "done", DetailedContent: detail},
			}},
		)
	}
	const head = "diff --git a/srv/t.go b/srv/t.go\n--- a/srv/t.go\n+++ b/srv/t.go\n"
	call("r", "view", `{"path":"/srv/t.go"}`, head+"@@ -1,1 +1,1 @@\n package t\n")
	sc.step("key", "ctrl+x d")
	sc.contains("No file was changed in this session yet.")
	call("w", "edit", `{"path":"/srv/t.go","old_str":"t","new_str":"u"}`, head+"@@ -1,1 +1,1 @@\n-package t\n+package u\n")
	sc.step("key", "ctrl+x d")
	sc.contains("/srv/t.go   +1 −1   1 of 1")
}

// TestDiffOpensOverNothing: what git says late does not open over what the user has
// turned to, in this conversation or in another.
func TestDiffOpensOverNothing(t *testing.T) {
	t.Parallel()
	for _, turned := range []string{"typing", "elsewhere"} {
		sc := inCheckout(t)
		sc.step("type", "/diff")
		sc.step("key", "esc")
		late := sc.later("enter")
		if turned == "typing" {
			sc.step("type", "h")
		} else {
			sc.m.win.Front.Session = &scriptedSession{id: "another"}
		}
		sc.run(late)
		if conversation.Over[*viewer.Viewer](sc.m.win) != nil {
			t.Errorf("%s: it opened", turned)
		}
	}
}

// TestCommit: the agent is asked to commit, with what the user says about it, once there is
// something to commit; otherwise a hint says why not, and nothing is sent.
func TestCommit(t *testing.T) {
	t.Parallel()
	sc := inCheckout(t)
	sc.command("/commit name the ticket")
	sent := fmt.Sprint(sc.s.calls)
	if len(sc.s.calls) != 2 || !strings.Contains(sent, "git commit") || !strings.Contains(sent, "About the commit: name the ticket") {
		t.Errorf("sent %s", sent)
	}
	if last := sc.s.calls[len(sc.s.calls)-1]; last != "shown as /commit name the ticket" {
		t.Error(last)
	}
	clean := inCheckout(t)
	dir := clean.m.win.Front.Info.Dir
	git(t, dir, "add", "-A")
	commit(t, dir, "second")
	clean.command("/commit")
	clean.contains("no file has changed since the last commit")
	none := newScenario(t, nil)
	none.m.win.Front.Info.Dir = t.TempDir()
	none.command("/commit")
	none.contains("is in no git")
	if len(clean.s.calls)+len(none.s.calls) > 0 {
		t.Errorf("sent %s %s", clean.s.calls, none.s.calls)
	}
}
