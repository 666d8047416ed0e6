package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSettingsLive: an open window takes up what changes in the file, tells the
// mistakes of it and keeps what was set before, and writes into it what is
// changed in the window. The folder is not there when the window opens.
func TestSettingsLive(t *testing.T) {
	t.Parallel()
	l := launch{home: t.TempDir(), width: 120, height: 40, args: []string{"--agent", "demo"}}
	s := &stage{terminal: start(t, l), launch: l}
	s.started(textReady)
	file := filepath.Join(l.home, ".config", "parley", "settings.toml")
	folder(t, filepath.Dir(file))
	put(t, file, "vim = true # mine\n")
	s.wait("INSERT")
	put(t, file, "vim = false\nmotoin = \"none\"\n\n[notify]\ndone = \"bel\"\n")
	s.wait(`~/.config/parley/settings.toml, line 2: there is no setting "motoin"; did you mean "motion"?`,
		"~/.config/parley/settings.toml, line 5: notify.done is \"bel\"", "What was set before stays.", "INSERT")
	beside := filepath.Join(filepath.Dir(file), "settings.toml.new")
	put(t, beside, "# how I write\nvim = false # mine\n")
	if err := os.Rename(beside, file); err != nil {
		t.Fatal(err)
	}
	s.waitGone("INSERT")
	s.send("/settings notify.after 30\r")
	s.wait("notify.after is 30 now.")
	s.send("/settings vim true\r")
	s.wait("INSERT")
	text, err := os.ReadFile(file)
	if want := "# how I write\nvim = true # mine\n\n[notify]\nafter = 30\n"; err != nil || string(text) != want {
		t.Errorf("the file is %q, %v; want %q", text, err, want)
	}
	s.leave()
}

// TestSettingsAtTheStart: a file with mistakes is told, each in a line, before
// anything is started.
func TestSettingsAtTheStart(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	file := filepath.Join(home, ".config", "parley", "settings.toml")
	folder(t, filepath.Dir(file))
	put(t, file, "vmi = true\nmotion = \"noen\"\n")
	x := start(t, launch{home: home, width: 200, height: 30, args: []string{"--agent", "demo"}})
	if code := x.exit(); code != exitFailure {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{
		"parley: " + file + `, line 1: there is no setting "vmi"; did you mean "vim"?` + "\r\n",
		"parley: " + file + `, line 2: motion is "noen", but must be one of full, none; did you mean "none"?` + "\r\n",
	} {
		if !strings.Contains(x.raw(), want) {
			t.Errorf("%q is not told: %q", want, x.raw())
		}
	}
}
