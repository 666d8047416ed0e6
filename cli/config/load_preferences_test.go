package config

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
	if err := os.MkdirAll(filepath.Dir(keys), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(keys, []byte("preset = \"nobody\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Preferences(c); err == nil {
		t.Fatal("there is no mistake")
	}
	now, err := Put(t.Context(), c, "vim", true)
	if text, _ := os.ReadFile(process.SettingsPath(c)); err != nil || !now.Vim || string(text) != "vim = true\n" {
		t.Errorf("%v, %v; the file is %q", now.Vim, err, text)
	}
}
