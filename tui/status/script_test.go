package status

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/render/text"
)

// A program that fails leaves its last text, marked, and is warned of once; another
// one starts anew.
func TestScript(t *testing.T) {
	t.Parallel()
	var s Script
	at := time.Date(2026, 11, 19, 10, 41, 0, 0, time.UTC)
	run := func(in ScriptInput) int {
		n, _ := s.Next(in, at)
		return n
	}
	if n := run(ScriptInput{}); n != 1 || run(ScriptInput{Width: 1}) != 0 {
		t.Fatalf("run %d, and another beside it", n)
	}
	if s.Ended(1, "\x1b[31mone\x1b[m\ntwo", nil) || s.text != "one" {
		t.Errorf("%+v", s)
	}
	if n, wait := s.Next(ScriptInput{}, at); n != 0 || wait != 0 {
		t.Error("it runs without a change")
	}
	if n, wait := s.Next(ScriptInput{Width: 1}, at.Add(ScriptInterval/4)); n != 0 || wait != ScriptInterval*3/4 {
		t.Errorf("run %d, wait %v", n, wait)
	}
	at = at.Add(ScriptInterval)
	if s.Rested(); run(ScriptInput{Width: 1}) != 2 || !s.Ended(2, "no", errors.New("x")) || s.text != "one" || !s.stale {
		t.Errorf("%+v", s)
	}
	at = at.Add(ScriptInterval)
	if run(ScriptInput{Width: 2}) != 3 || s.Ended(3, "", errors.New("x")) {
		t.Error("it is warned of again")
	}
	at = at.Add(ScriptInterval)
	run(ScriptInput{Width: 3})
	if s.Replace(); run(ScriptInput{}) != 0 || s.Ended(4, "old", nil) || s.text != "" || run(ScriptInput{}) != 6 {
		t.Errorf("another program: %+v", s)
	}
}

// Whatever the program writes, the line shows one line of it that is safe and
// bounded.
func FuzzScript(f *testing.F) {
	for _, content := range []string{"a\nb", "\x1b[2J\x9b31m", "\xff", "a\u202eb", strings.Repeat("\x1b]", 3000), "👩‍🚀\r\n"} {
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content string) {
		var s Script
		s.Ended(0, content, nil)
		is := facts()
		is.Script, is.ScriptStale = s.Text()
		got := is.script().text
		if got != text.SanitizeLine(got) || strings.ContainsAny(got, "\n\r\x1b\u009b") || text.Width(drawn(is, "script", "")) > is.Width {
			t.Errorf("%q shows %q", content, got)
		}
	})
}

// A program by its name is on the PATH, one by a path is the user's: relative to
// their settings, never to the folder in which the agent works.
func TestScriptProgramPlace(t *testing.T) {
	t.Parallel()
	root := filepath.FromSlash("/")
	if filepath.Separator == '\\' {
		root = `C:\`
	}
	home := filepath.Join(root, "home", "ada")
	settings := filepath.Join(home, ".config", "parley")
	for name, want := range map[string]string{
		"status": "status", filepath.Join(root, "opt", "status"): filepath.Join(root, "opt", "status"),
		"~/bin/status": filepath.Join(home, "bin", "status"), filepath.FromSlash("~/bin/status"): filepath.Join(home, "bin", "status"),
		"./status.sh": filepath.Join(settings, "status.sh"), "bin/../status": filepath.Join(settings, "status"),
		filepath.FromSlash("bin/status"): filepath.Join(settings, "bin", "status"),
	} {
		got, err := ScriptCommand{Argv: []string{name, "arg"}, Home: home, SettingsFile: filepath.Join(settings, "settings.toml")}.located()
		if err != nil || !slices.Equal(got, []string{want, "arg"}) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
