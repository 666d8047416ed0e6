package cli

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
	if got.Code != process.ExitOK || got.Err != "" || !strings.Contains(got.Out, "this is not a terminal") || strings.Contains(got.Out, "\x1b") {
		t.Errorf("code %d, err %q, out:\n%s", got.Code, got.Err, got.Out)
	}
	got = runWith(t, "", "doctor", "--json", "--copilot-path", filepath.Join(t.TempDir(), "gone"))
	var d struct{ Works bool }
	if err := json.Unmarshal([]byte(got.Out), &d); err != nil || d.Works || !strings.Contains(got.Out, `"works": false`) || got.Code != process.ExitFailure || !strings.Contains(got.Err, "keeps Parley from working") {
		t.Errorf("code %d, err %q, %v, out:\n%s", got.Code, got.Err, err, got.Out)
	}
	if got := runWith(t, "", "doctor", "me"); got.Code != process.ExitUsage {
		t.Errorf("an argument was taken: code %d", got.Code)
	}
}
