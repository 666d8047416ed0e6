package appearance

import (
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/settings"
	"parley/terminal"
	"parley/theme"
)

// colourful is the appearance on a terminal with all colours, or as env says, with the
// themes of a folder.
func colourful(chosen, dir string, env ...string) *Appearance {
	p := Preferences{
		Terminal: terminal.Environment{
			Vars:   append([]string{"TERM=xterm-256color", "COLORTERM=truecolor"}, env...),
			Prefer: settings.Defaults().Terminal,
		},
		Theme: chosen, Themes: dir,
	}
	return New(p, p.Load())
}

func ground(c color.Color) tea.BackgroundColorMsg { return tea.BackgroundColorMsg{Color: c} }

// writeTheme writes a theme of the user's own.
func writeTheme(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name+".toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestFaint: on a terminal without the colours of a theme secondary text is faint, but
// not for a user who has chosen contrast.
func TestFaint(t *testing.T) {
	t.Parallel()
	for _, without := range []string{"COLORTERM= TERM=xterm-color", "NO_COLOR=1"} {
		for name, want := range map[string]bool{"auto": true, "terminal": true, "high-contrast": false, "high-contrast-dark": false} {
			th, _ := colourful(name, "", strings.Fields(without)...).Theme()
			if got := th.Style(theme.Dim).GetFaint(); got != want {
				t.Errorf("%s, %s: faint is %v", name, without, got)
			}
		}
	}
}

// TestThemeSetting: the setting names a theme. Those that follow the background
// do so when the terminal reports it, now and when it changes; the others do not.
func TestThemeSetting(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTheme(t, dir, "sea", "base = \"dark\"\n[colors]\naccent = \"#00c0c0\"\n")
	writeTheme(t, dir, "tide", "[dark]\naccent = \"#00c0c0\"\n[light]\naccent = \"#005a5a\"\n")
	for _, c := range []struct {
		chosen, env         string
		first, light, later string // before the terminal answers, on a light background, where it never answers
	}{
		{"auto", "", "dark", "light", "auto"},
		{"", "", "dark", "light", "auto"},
		{"auto", "COLORFGBG=0;15", "light", "light", "light"},
		{"auto", "COLORFGBG=15;default;0", "dark", "light", "dark"},
		{"dark", "", "dark", "dark", "dark"},
		{"light", "", "light", "light", "light"},
		{"high-contrast", "", "high-contrast-dark", "high-contrast-light", "high-contrast"},
		{"high-contrast-dark", "", "high-contrast-dark", "high-contrast-dark", "high-contrast-dark"},
		{"high-contrast-light", "", "high-contrast-light", "high-contrast-light", "high-contrast-light"},
		{"colorblind", "", "colorblind-dark", "colorblind-light", "colorblind"},
		{"colorblind-dark", "", "colorblind-dark", "colorblind-dark", "colorblind-dark"},
		{"colorblind-light", "", "colorblind-light", "colorblind-light", "colorblind-light"},
		{"terminal", "", "terminal-dark", "terminal-light", "terminal"},
		{"sea", "", "sea", "sea", "sea"},
		{"tide", "", "tide", "tide", "tide"},
		{"auto", "NO_COLOR=1", "mono", "mono", "mono"},
		{"sea", "NO_COLOR=1", "mono", "mono", "mono"},
		{"auto", "COLORTERM=", "dark", "light", "auto"},
		{"high-contrast-dark", "COLORTERM= TERM=xterm-color", "terminal-dark", "terminal-light", "terminal"},
		{"sea", "COLORTERM= TERM=xterm-color", "terminal-dark", "terminal-light", "terminal"},
		{"auto", "TERM_PROGRAM=tmux TERM_PROGRAM_VERSION=3.3a", "auto", "light", "auto"},
		{"auto", "COLORTERM= TERM=linux", "terminal-dark", "terminal-light", "terminal-dark"},
		{"auto", "COLORTERM= TERM=dumb", "mono", "mono", "mono"},
	} {
		a := colourful(c.chosen, dir, strings.Fields(c.env)...)
		is := func(when, want string) {
			t.Helper()
			if th, _ := a.Theme(); th.Name != want {
				t.Errorf("%s, %s, %s: %s, want %s", c.chosen, c.env, when, th.Name, want)
			}
		}
		is("at first", c.first)
		a.Update(ground(color.White))
		is("on a light background", c.light)
		a.Update(ground(color.White))
		a.Update(NoAnswer{})
		if _, changed := a.Theme(); changed {
			t.Errorf("%s: another theme though nothing changed", c.chosen)
		}
		a = colourful(c.chosen, dir, strings.Fields(c.env)...)
		a.Update(NoAnswer{})
		is("if the terminal does not answer", c.later)
		a.Update(ground(color.White))
		is("if it answers late", c.light)
	}
	if th, _ := colourful("tide", dir).Theme(); th.Style(theme.Accent).GetForeground() == nil || !th.Dark {
		t.Error("a theme of the user's has not its side")
	}
}
