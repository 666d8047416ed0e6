package cli

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/cli/clitest"
	"parley/cli/output"
	"parley/cli/process"
)

// fingerprint is what is in a folder, byte for byte.
func fingerprint(t *testing.T, dir string) string {
	t.Helper()
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintln(sum, path, info.Mode(), info.ModTime())
		if d.IsDir() {
			return nil
		}
		text, err := os.ReadFile(path)
		_, _ = sum.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// TestSessionsOnDisk uses every command on stored sessions, from one process after
// another, and leaves them as they were.
func TestSessionsOnDisk(t *testing.T) {
	t.Parallel()
	home, env := clitest.PastHome(t)
	before := fingerprint(t, home)
	sessionsOf := func(args ...string) clitest.Result {
		t.Helper()
		got := runIn(t, env, "", append([]string{"sessions"}, args...)...)
		if got.Code != process.ExitOK {
			t.Fatalf("%q: %+v", args, got)
		}
		return got
	}
	has := func(got clitest.Result, texts ...string) {
		t.Helper()
		for _, text := range texts {
			if !strings.Contains(got.Out, text) {
				t.Errorf("%q is missing: %+v", text, got)
			}
		}
	}
	has(sessionsOf("list"), "aaaa0000", "Session compaction", "dddd0000", "main")
	var rows struct {
		Total    int
		Sessions []json.RawMessage
	}
	if err := json.Unmarshal([]byte(sessionsOf("list", "--json", "--all").Out), &rows); err != nil || rows.Total != 4 || len(rows.Sessions) != 4 {
		t.Fatalf("%v: %+v", err, rows)
	}
	has(sessionsOf("search", "title:rewind"), "dddd0000")
	if got := runIn(t, env, "", "sessions", "search", "nothingsaysthis"); got != (clitest.Result{Code: process.ExitFailure, Err: "Nothing was found.\n"}) {
		t.Errorf("got %+v", got)
	}
	has(sessionsOf("show", "aaaa"), "aaaa0000-1111", "summarised", "/home/ada/tide")
	has(sessionsOf("show", "bbbb", "--as", "model"), "What the model sees")
	has(sessionsOf("export", "dddd", "--format", "txt"), "Session rewind\n")
	has(sessionsOf("stats"), "4 sessions", "Repository", "/home/ada/tide")
	has(sessionsOf("reindex"), "4 sessions, ")
	has(sessionsOf("delete", "cccc"), "Deleted: cccc0000")
	if got := sessionsOf("list"); strings.Contains(got.Out, "cccc0000") {
		t.Errorf("a deleted session is listed: %s", got.Out)
	}
	has(sessionsOf("list", "--deleted"), "cccc0000", "deleted")
	has(sessionsOf("delete", "--undo", "cccc"), "Is back: cccc0000")
	has(sessionsOf("list"), "cccc0000")
	if fingerprint(t, home) != before {
		t.Error("something of the stored sessions has changed")
	}
}

// TestSessionsUnread continues if there is no session, and if one cannot be
// read.
func TestSessionsUnread(t *testing.T) {
	t.Parallel()
	home, env := clitest.PastHome(t)
	if got := runIn(t, append(env, "COPILOT_HOME="+filepath.Join(home, "none")), "", "sessions"); got != (clitest.Result{Code: process.ExitOK, Err: "There are no past sessions.\n"}) {
		t.Errorf("got %+v", got)
	}
	log := filepath.Join(home, "session-state", "aaaa0000-1111-4222-8333-444444444440", output.EventsFile)
	if err := os.Truncate(log, 0); err != nil {
		t.Fatal(err)
	}
	if got := runIn(t, env, "", "sessions", "show", "aaaa"); got.Code != process.ExitFailure || !strings.Contains(got.Err, "holds no events") {
		t.Errorf("got %+v", got)
	}
	if err := os.Chmod(log, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(log); err == nil {
		t.Skip("nothing is denied to this user, so this case cannot be tried")
	}
	if got := runIn(t, env, "", "sessions"); got.Code != process.ExitOK || !strings.Contains(got.Out, "bbbb0000") {
		t.Errorf("got %+v", got)
	}
	if got := runIn(t, env, "", "sessions", "show", "aaaa"); got.Code != process.ExitFailure || !strings.Contains(got.Err, "permission denied") {
		t.Errorf("got %+v", got)
	}
}
