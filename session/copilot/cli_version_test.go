package copilot_test

import (
	"os"
	"path/filepath"
	"testing"

	"parley/session/copilot"
)

// TestTooOld: a version counts by its numbers, and what names none is not too old.
func TestTooOld(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]bool{
		"GitHub Copilot CLI 1.0.102.": false, "1.0.101": true, "0.0.400": true, "1.0.99-3": true, "1.1.0": false, "2.0.0": false,
		"1.0.1000": false, "": false, "dev": false, "1.0": false, "99999999999999999999.0.0": false,
	} {
		if got := copilot.TooOld(said); got != want {
			t.Errorf("%q is too old: %t", said, got)
		}
	}
}

// TestStartError: what keeps a CLI from being started is said in words.
func TestStartError(t *testing.T) {
	t.Parallel()
	lost := filepath.Join(t.TempDir(), "lost")
	for name, c := range map[string]struct {
		change func(*copilot.Config)
		want   string
	}{
		"the folder was deleted": {func(cfg *copilot.Config) { cfg.Dir = lost }, "the folder " + lost + " does not exist any more"},
		"the program was":        {func(cfg *copilot.Config) { cfg.Path = lost }, "there is no Copilot CLI at " + lost + " any more: install it"},
		"it is no program":       {func(cfg *copilot.Config) { cfg.Path = plainFile(t) }, "check that it is the Copilot CLI and may be run"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := pretend(t, "leaves")
			c.change(&cfg)
			_, err := copilot.Open(t.Context(), cfg)
			says(t, err, c.want)
		})
	}
}

// plainFile is a file that is no program.
func plainFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
