package e2e

import (
	"path/filepath"
	"testing"

	"parley/cli/process"
)

// TestReportAsks is the command in a terminal.
func TestReportAsks(t *testing.T) {
	t.Parallel()
	for answer, written := range map[string]bool{"y": true, "": false, "n": false} {
		dir := t.TempDir()
		x := start(t, launch{args: []string{"report"}, dir: dir})
		x.wait("[y/N]")
		x.send(answer + "\r")
		if code := x.exit(); code != process.ExitOK {
			t.Errorf("exit code %d", code)
		}
		files, err := filepath.Glob(filepath.Join(dir, "parley-report-*.md"))
		if err != nil || (len(files) == 1) != written {
			t.Errorf("after %q: %v, %q", answer, err, files)
		}
	}
}
