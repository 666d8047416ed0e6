package terminal

import (
	"testing"

	"parley/settings"
)

func TestShowsProgress(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		env  []string
		want bool
	}{
		{"nothing known", []string{"TERM=xterm-256color"}, false},
		{"kitty takes it for a notification", []string{"KITTY_WINDOW_ID=1", "TERM=xterm-kitty"}, false},
		{"windows terminal", []string{"WT_SESSION=guid"}, true},
		{"conemu", []string{"ConEmuANSI=ON"}, true},
		{"conemu without sequences", []string{"ConEmuANSI=OFF"}, false},
		{"ghostty", []string{"TERM_PROGRAM=ghostty"}, true},
		{"ghostty afar", []string{"TERM=xterm-ghostty"}, true},
		{"wezterm of 2024", []string{"TERM_PROGRAM=WezTerm", "TERM_PROGRAM_VERSION=20240203-110809-5046fc22"}, false},
		{"wezterm since", []string{"TERM_PROGRAM=WezTerm", "TERM_PROGRAM_VERSION=20260117-154428-05343b38"}, true},
		{"old iterm", []string{"TERM_PROGRAM=iTerm.app", "TERM_PROGRAM_VERSION=3.5.14"}, false},
		{"iterm", []string{"TERM_PROGRAM=iTerm.app", "TERM_PROGRAM_VERSION=3.6.6"}, true},
		{"iterm beta", []string{"TERM_PROGRAM=iTerm.app", "TERM_PROGRAM_VERSION=3.6.10-nightly"}, true},
		{"iterm afar", []string{"LC_TERMINAL=iTerm2", "LC_TERMINAL_VERSION=3.6.9"}, true},
		{"some iterm", []string{"TERM_PROGRAM=iTerm.app"}, false},
		{"old vte", []string{"VTE_VERSION=7600"}, false},
		{"vte", []string{"VTE_VERSION=8001"}, true},
		{"tmux in ghostty", []string{"TERM_PROGRAM=ghostty", "TMUX=1"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := (Environment{Vars: c.env, Prefer: settings.Defaults().Terminal}).ShowsProgress(); got != c.want {
				t.Errorf("got %t", got)
			}
			if (Environment{Vars: c.env}).ShowsProgress() {
				t.Error("shown though it is switched off")
			}
		})
	}
}

func TestSince(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]bool{
		"3.6.6": true, "3.6.7": true, "3.7": true, "4": true, "3.6.6-beta": true, "3.6.5": false, "3.6": false, "3": false, "": false, "x": false,
	} {
		if got := since(version, 3, 6, 6); got != want {
			t.Errorf("%q: %t", version, got)
		}
	}
}
