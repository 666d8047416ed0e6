package settings_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/settings"
)

func TestLoad(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       settings.Settings
		failure    string // what the error says; "" for none
	}{
		{"empty", "", settings.Settings{}, ""},
		{"vim", "# how I write\nvim = true\n", settings.Settings{Vim: true}, ""},
		{"unknown", "vim = true\n\nvmi = true\n", settings.Settings{}, `line 3: there is no setting "vmi"`},
		{"unknown table", "[composer]\nvim = true\n", settings.Settings{}, `there is no setting "composer`},
		{"another type", "\nvim = \"yes\"\n", settings.Settings{}, "line 2:"},
		{"no TOML", "vim = true\nvim: true\n", settings.Settings{}, "line 2:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "settings.toml")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := settings.Load(path)
			if got != c.want {
				t.Errorf("%+v", got)
			}
			switch {
			case c.failure == "" && err != nil:
				t.Error(err)
			case c.failure != "" && (err == nil || !strings.Contains(err.Error(), c.failure) || !strings.Contains(err.Error(), path)):
				t.Errorf("error %v, want %q and the path", err, c.failure)
			}
		})
	}
}

func TestLoadWithoutAFile(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"", filepath.Join(t.TempDir(), "none.toml")} {
		if got, err := settings.Load(path); err != nil || got != (settings.Settings{}) {
			t.Errorf("Load(%q) = %+v, %v", path, got, err)
		}
	}
	if _, err := settings.Load(t.TempDir()); err == nil {
		t.Error("a folder was read")
	}
}

func TestPath(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env  []string
		home string
		want string
	}{
		{nil, "/home/x", "/home/x/.config/parley/settings.toml"},
		{[]string{"XDG_CONFIG_HOME=/etc/x"}, "/home/x", "/etc/x/parley/settings.toml"},
		{[]string{"XDG_CONFIG_HOME=relative"}, "/home/x", "/home/x/.config/parley/settings.toml"},
		{[]string{"XDG_CONFIG_HOME=/a", "XDG_CONFIG_HOME=/b"}, "", "/b/parley/settings.toml"},
		{nil, "", ""},
	} {
		if got := settings.Path(c.env, c.home); got != c.want {
			t.Errorf("Path(%q, %q) = %q, want %q", c.env, c.home, got, c.want)
		}
	}
}
