package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"parley/cli/clitest"
	"parley/cli/process"
)

// TestSettingsAtTheStart: the mistakes of a file are reported, each in a line, before
// anything is started.
func TestSettingsAtTheStart(t *testing.T) {
	t.Parallel()
	config := t.TempDir()
	file := filepath.Join(config, "parley", "settings.toml")
	clitest.Folder(t, filepath.Dir(file))
	clitest.Put(t, file, "vmi = true\nmotion = \"noen\"\n")
	want := "parley: " + file + `, line 1: there is no setting "vmi"; did you mean "vim"?` + "\n" +
		"parley: " + file + `, line 2: motion is "noen", but must be one of full, none; did you mean "none"?` + "\n"
	if got := runIn(t, []string{"XDG_CONFIG_HOME=" + config}, "", "--agent", "demo", "-p", "hello"); got != (clitest.Result{Code: process.ExitFailure, Err: want}) {
		t.Errorf("without a window: got %+v, want %q", got, want)
	}
	code, wrote := clitest.OnPty(t, "", func(c process.Console) int {
		c.Env = append(c.Env, "XDG_CONFIG_HOME="+config)
		return Run([]string{"--agent", "demo"}, c)
	})
	if want := strings.ReplaceAll(want, "\n", "\r\n"); code != process.ExitFailure || wrote != want {
		t.Errorf("in a window: exit code %d, %q, want %q", code, wrote, want)
	}
}
