package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"parley/cli/process"
)

// TestDoctor is the command without a terminal, and what its exit code says.
func TestDoctor(t *testing.T) {
	t.Parallel()
	got := runWith(t, "", "doctor")
	if got.code != process.ExitOK || got.err != "" || !strings.Contains(got.out, "this is not a terminal") || strings.Contains(got.out, "\x1b") {
		t.Errorf("code %d, err %q, out:\n%s", got.code, got.err, got.out)
	}
	got = runWith(t, "", "doctor", "--json", "--copilot-path", filepath.Join(t.TempDir(), "gone"))
	var d struct{ Works bool }
	if err := json.Unmarshal([]byte(got.out), &d); err != nil || d.Works || !strings.Contains(got.out, `"works": false`) || got.code != process.ExitFailure || !strings.Contains(got.err, "keeps Parley from working") {
		t.Errorf("code %d, err %q, %v, out:\n%s", got.code, got.err, err, got.out)
	}
	if got := runWith(t, "", "doctor", "me"); got.code != process.ExitUsage {
		t.Errorf("an argument was taken: code %d", got.code)
	}
}
