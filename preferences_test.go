package main

import (
	"os"
	"path/filepath"
	"testing"

	"parley/cli/process"
)

// TestPrefersBesideMistakes: a mistake in the file of keys does not keep a
// setting from being written, and what is written counts.
func TestPrefersBesideMistakes(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	c := process.Console{Env: []string{"XDG_CONFIG_HOME=" + home}}
	keys := filepath.Join(home, "parley", "keys.toml")
	folder(t, filepath.Dir(keys))
	put(t, keys, "preset = \"nobody\"\n")
	if _, err := preferences(c); err == nil {
		t.Fatal("there is no mistake")
	}
	now, err := prefers(t.Context(), c, "vim", true)
	if text, _ := os.ReadFile(process.SettingsPath(c)); err != nil || !now.Vim || string(text) != "vim = true\n" {
		t.Errorf("%v, %v; the file is %q", now.Vim, err, text)
	}
}
