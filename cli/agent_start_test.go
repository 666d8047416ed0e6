package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"parley/cli/clitest"
	"parley/cli/process"
	"parley/session/sessiontest"
)

// TestAgentThatDoesNotStart: a user whose agent cannot be used reads what to do, and how the window
// is seen without it, unless it was asked for something that the demo does not have.
func TestAgentThatDoesNotStart(t *testing.T) {
	t.Parallel()
	old := sessiontest.Program(t, filepath.Join(t.TempDir(), "old"), "#!/bin/sh\necho \"error: unknown option '--headless'\" >&2; exit 1\n")
	for name, c := range map[string]struct {
		cli  string
		args []string
		want string
		demo bool
	}{
		"too old":          {old, nil, "update it with", true},
		"not there":        {"/x/copilot", nil, "does not exist", true},
		"that was named":   {old, []string{"--agent", "copilot"}, "update it with", false},
		"with its session": {old, []string{"-r", "7f3a0000-1111-4222-8333-444444444444"}, "update it with", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			code, wrote := clitest.OnPty(t, "", func(console process.Console) int {
				console.Env = append(console.Env, "PATH=/usr/bin:/bin", "COPILOT_CLI_PATH="+c.cli, "XDG_STATE_HOME="+home,
					"XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home, "COPILOT_HOME="+home)
				return Run(c.args, console)
			})
			if code != process.ExitFailure || !strings.Contains(wrote, c.want) || strings.Contains(wrote, "`parley --agent demo`") != c.demo {
				t.Errorf("exit code %d, %q", code, wrote)
			}
		})
	}
}
