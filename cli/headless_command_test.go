package cli

import (
	"strings"
	"testing"

	"parley/cli/process"
)

// TestHeadlessComplaints are the mistakes on a command line with -p.
func TestHeadlessComplaints(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		input string
		args  []string
		code  int
		want  string
	}{
		{"", []string{"-p"}, process.ExitUsage, "flag needs an argument"},
		{"", []string{"-p", " "}, process.ExitUsage, "-p - reads it"},
		{"", []string{"-p", "/help"}, process.ExitUsage, "-p runs none"},
		{"", []string{"-p", "a", "b"}, process.ExitUsage, "two prompts"},
		{"", []string{"-p", "a", "--output", "xml"}, process.ExitUsage, `--output is text or json, not "xml"`},
		{"", []string{"--output", "json"}, process.ExitUsage, "with -p only"},
		{"", []string{"-p", "a", "--allow-tool", "shell("}, process.ExitUsage, "not closed"},
		{"", []string{"-p", "a", "--log-file", ""}, process.ExitUsage, "needs the name"},
		{"", []string{"-p", "a", "--log-file", "/nonexistent/x"}, process.ExitFailure, "open the log file"},
		{" \n", []string{"-p", "-"}, process.ExitFailure, "holds no prompt"},
		{"", []string{"-p", "a"}, process.ExitFailure, "Copilot CLI"},
	} {
		got := runWith(t, c.input, c.args...)
		if got.Code != c.code || !strings.Contains(got.Err, c.want) || got.Out != "" || strings.Count(got.Err, "\n") != 1 {
			t.Errorf("%q: exit code %d, %q, said %q; want %d and %q", c.args, got.Code, got.Out, got.Err, c.code, c.want)
		}
	}
}
