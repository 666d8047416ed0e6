package tui

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/settings"
	"parley/tui/keymap"
)

// reload gives a window the files of its user as they would be read when they
// have changed, and draws it.
func reload(t *testing.T, sc *scenario, texts [3]string) {
	t.Helper()
	dir := sc.m.win.Config.Themes
	paths := [3]string{filepath.Join(dir, "settings.toml"), filepath.Join(dir, "keys.toml"), filepath.Join(dir, "own.toml")}
	for i, text := range texts {
		if err := os.WriteFile(paths[i], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, wrong := settings.Load(paths[0])
	k, err := settings.LoadKeys(paths[1])
	if err == nil {
		err = errors.Join(keymap.Check(k)...)
	}
	sc.run(sc.m.preferred(preferMsg{preferences: Preferences{Settings: s, Keys: k}, err: errors.Join(wrong, err)}))
	looks := looks(sc.m.win)
	looks.Theme = "own"
	sc.run(sc.m.appearance.SetPreferences(looks))
	sc.run(sc.m.handlers["theme"](""))
	sc.screen()
	sc.m.win.Front.CloseOverlays()
	sc.m.dress()
	sc.screen()
}

func reloading(t *testing.T) *scenario {
	t.Helper()
	sc := newScenario(t, func(c *Config) { c.Themes = t.TempDir() })
	sc.size(80, 24)
	return sc
}

// TestReloadOfATheme: a theme in which a name with an empty line comes twice is
// an error of two lines, and costs a notice.
func TestReloadOfATheme(t *testing.T) {
	t.Parallel()
	sc := reloading(t)
	reload(t, sc, [3]string{"", "", "\"a\\n\\nb\" = 1\n\"a\\n\\nb\" = 1\n"})
	if screen := strings.Join(sc.screen(), "\n"); !strings.Contains(screen, "own.toml") {
		t.Errorf("nothing is said of the theme:\n%s", screen)
	}
}

// FuzzLiveReload: whatever is written into the files of settings, keys and themes
// while the window is open, it stays open.
func FuzzLiveReload(f *testing.F) {
	for _, texts := range [][3]string{
		{"vim = true", "[bindings]\nqueue = 'f9'", "base = 'dark'\n[colors]\naccent = '#ff0000'"},
		{"theme = 'own'\n[status]\nleft = ['mode', 'nonsense']", "preset = 'claude'", "\"a\\n\\nb\" = 1\n\"a\\n\\nb\" = 1\n"},
		{"[notify]\nafter = -1\ndone = 7", "[bindings]\n\"\\n\\n\" = []", "base = ''\n[tokens]\n'\\n' = {}"},
		{"= ", "\xff\xfe", "[[x]]\n\n"},
		{"", "", ""},
	} {
		f.Add(texts[0], texts[1], texts[2])
	}
	f.Fuzz(func(t *testing.T, a, b, c string) { reload(t, reloading(t), [3]string{a, b, c}) })
}
