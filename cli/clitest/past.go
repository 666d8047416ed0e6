package clitest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"parley/cli/output"
	"parley/session/sessiontest"
)

// PastHome makes a folder with sessions of the Copilot CLI from recorded logs, and
// returns it with the environment in which it is the one that is looked at.
func PastHome(t *testing.T) (home string, env []string) {
	t.Helper()
	dir := t.TempDir()
	home = filepath.Join(dir, "copilot")
	for i, name := range []string{"hand/compaction", "background_shell_detached", "mcp_oauth_token", "hand/rewind"} {
		log, err := os.ReadFile(filepath.Join(sessiontest.Root(t), "testdata", "sessions", filepath.FromSlash(name)+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		id := fmt.Sprintf("%c%c%c%c0000-1111-4222-8333-44444444444%d", 'a'+i, 'a'+i, 'a'+i, 'a'+i, i)
		folder := filepath.Join(home, "session-state", id)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		about := "id: " + id + "\ncwd: /home/ada/tide\ngit_root: /home/ada/tide\nbranch: main\n" +
			"name: Session " + filepath.Base(name) + "\nuser_named: true\n"
		for file, text := range map[string]string{output.EventsFile: string(log), "workspace.yaml": about} {
			if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return home, []string{
		"COPILOT_HOME=" + home, "XDG_CACHE_HOME=" + filepath.Join(dir, "cache"), "XDG_STATE_HOME=" + filepath.Join(dir, "state"),
		"XDG_CONFIG_HOME=" + filepath.Join(dir, "config"), "LANG=C.UTF-8",
	}
}
