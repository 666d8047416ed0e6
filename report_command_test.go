package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/cli/process"
	"parley/session/sessiontest"
)

// TestReport is the command without a terminal: it shows, and writes only where
// it was told to.
func TestReport(t *testing.T) {
	t.Parallel()
	log := filepath.Join(sessiontest.Root(t), "testdata", "sessions", sessiontest.LogNames(t)[0]+".jsonl")
	file := filepath.Join(t.TempDir(), "report.md")
	config := t.TempDir()
	folder(t, filepath.Join(config, "parley"))
	put(t, filepath.Join(config, "parley", "keys.toml"), "preset = \"claude\"\n[bindings]\nhelp = \"f2\"\n")
	own := runIn(t, []string{"XDG_CONFIG_HOME=" + config}, "", "report")
	if !strings.Contains(own.out, "keys: claude") || !strings.Contains(own.out, "keys of your own: help") || strings.Contains(own.out, "f2") {
		t.Errorf("of the keys:\n%s", own.out)
	}
	put(t, filepath.Join(config, "parley", "settings.toml"), "vmi = \"secret\"\n")
	own = runIn(t, []string{"XDG_CONFIG_HOME=" + config}, "", "report")
	if !strings.Contains(own.out, "which do not count\n\n- settings.toml\n") || strings.Contains(own.out, "vmi") || strings.Contains(own.out, "0 by 0") {
		t.Errorf("of a mistake:\n%s", own.out)
	}
	got := runWith(t, "y\n", "report", log)
	if got.code != process.ExitOK || !strings.HasPrefix(got.out, "# A report about Parley") || !strings.Contains(got.out, "## The last events") || got.err != "" {
		t.Fatalf("code %d, err %q, out:\n%s", got.code, got.err, got.out)
	}
	written := runWith(t, "", "report", log, "--output", file)
	text, err := os.ReadFile(file)
	if err != nil || string(text) != written.out || written.code != process.ExitOK {
		t.Errorf("code %d, %v: what was written is not what was shown", written.code, err)
	}
	again := runWith(t, "", "report", "--output", file)
	if after, _ := os.ReadFile(file); again.code != process.ExitFailure || !strings.Contains(again.err, "there already") || string(after) != string(text) {
		t.Errorf("code %d, %q: a file was written over", again.code, again.err)
	}
	for _, args := range [][]string{{"report", "--output", ""}, {"report", "a", "b"}} {
		if got := runWith(t, "", args...); got.code != process.ExitUsage {
			t.Errorf("%q: code %d", args, got.code)
		}
	}
	if got := runWith(t, "", "report", file); got.code != process.ExitFailure || got.out != "" {
		t.Errorf("code %d, out %q: a file without events made a report", got.code, got.out)
	}
}
