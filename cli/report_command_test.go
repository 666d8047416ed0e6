package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/cli/clitest"
	"parley/cli/process"
	"parley/session/sessiontest"
)

// TestReport is the command without a terminal: it shows, and writes only where
// it was asked to.
func TestReport(t *testing.T) {
	t.Parallel()
	log := filepath.Join(sessiontest.Root(t), "testdata", "sessions", sessiontest.LogNames(t)[0]+".jsonl")
	file := filepath.Join(t.TempDir(), "report.md")
	config := t.TempDir()
	clitest.Folder(t, filepath.Join(config, "parley"))
	clitest.Put(t, filepath.Join(config, "parley", "keys.toml"), "preset = \"claude\"\n[bindings]\nhelp = \"f2\"\n")
	own := runIn(t, []string{"XDG_CONFIG_HOME=" + config}, "", "report")
	if !strings.Contains(own.Out, "keys: claude") || !strings.Contains(own.Out, "keys of your own: help") || strings.Contains(own.Out, "f2") {
		t.Errorf("of the keys:\n%s", own.Out)
	}
	clitest.Put(t, filepath.Join(config, "parley", "settings.toml"), "vmi = \"secret\"\n")
	own = runIn(t, []string{"XDG_CONFIG_HOME=" + config}, "", "report")
	if !strings.Contains(own.Out, "which do not count\n\n- settings.toml\n") || strings.Contains(own.Out, "vmi") || strings.Contains(own.Out, "0 by 0") {
		t.Errorf("of a mistake:\n%s", own.Out)
	}
	got := runWith(t, "y\n", "report", log)
	if got.Code != process.ExitOK || !strings.HasPrefix(got.Out, "# A report about Parley") || !strings.Contains(got.Out, "## The last events") || got.Err != "" {
		t.Fatalf("code %d, err %q, out:\n%s", got.Code, got.Err, got.Out)
	}
	written := runWith(t, "", "report", log, "--output", file)
	text, err := os.ReadFile(file)
	if err != nil || string(text) != written.Out || written.Code != process.ExitOK {
		t.Errorf("code %d, %v: what was written is not what was shown", written.Code, err)
	}
	again := runWith(t, "", "report", "--output", file)
	if after, _ := os.ReadFile(file); again.Code != process.ExitFailure || !strings.Contains(again.Err, "there already") || string(after) != string(text) {
		t.Errorf("code %d, %q: a file was written over", again.Code, again.Err)
	}
	for _, args := range [][]string{{"report", "--output", ""}, {"report", "a", "b"}} {
		if got := runWith(t, "", args...); got.Code != process.ExitUsage {
			t.Errorf("%q: code %d", args, got.Code)
		}
	}
	if got := runWith(t, "", "report", file); got.Code != process.ExitFailure || got.Out != "" {
		t.Errorf("code %d, out %q: a file without events made a report", got.Code, got.Out)
	}
}
