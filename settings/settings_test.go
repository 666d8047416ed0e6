package settings_test

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"parley/settings"
)

func TestLoad(t *testing.T) {
	t.Parallel()
	const channels = "auto, off, bell, osc9, osc777, osc99"
	for _, c := range []struct {
		name, text string
		want       func(*settings.Settings) // how it differs from the defaults
		failure    string                   // what the error says; "" for none
	}{
		{"empty", "", nil, ""},
		{"vim", "# how I write\nvim = true\n", func(s *settings.Settings) { s.Vim = true }, ""},
		{
			"all of it", "vim = true\nmotion = \"none\"\ntimes = \"ago\"\ndensity = \"compact\"\n\n" +
				"[notify]\napproval = \"bell\"\nquestion = \"osc99\"\ndone = \"off\"\nerror = \"osc777\"\n\n[terminal]\ntitle = false\nprogress = false\npictures = false\n",
			func(s *settings.Settings) {
				s.Vim, s.Motion, s.Times, s.Density = true, "none", "ago", "compact"
				s.Notify = settings.Notify{Approval: "bell", Question: "osc99", Done: "off", Error: "osc777", After: 5}
				s.Terminal = settings.Terminal{Links: true, LowBandwidth: "auto"}
			}, "",
		},
		{
			"the rest stays", "[notify]\ndone = \"osc9\"\n[terminal]\ntitle = false\n",
			func(s *settings.Settings) { s.Notify.Done, s.Terminal.Title = "osc9", false }, "",
		},
		{"telemetry", "[telemetry]\nagent = true\n", func(s *settings.Settings) { s.Telemetry.Agent = true }, ""},
		{"dotted", "notify.done = \"osc99\"\n", func(s *settings.Settings) { s.Notify.Done = "osc99" }, ""},
		{"unknown", "vim = true\n\nvmi = true\n", nil, `line 3: there is no setting "vmi"`},
		{"unknown table", "[composer]\nvim = true\n", nil, `line 1: there is no table [composer]`},
		{"unknown in a table", "[notify]\n\nneedsyou = \"bell\"\n", nil, `line 3: there is no setting "notify.needsyou"`},
		{"another type", "\nvim = \"yes\"\n", nil, "line 2:"},
		{"no TOML", "vim = true\nvim: true\n", nil, "line 2:"},
		{"no such word", "vim = true\n\nmotion = \"some\"\n", nil, `line 3: motion is "some", but must be one of full, none`},
		{"no word", "times = \"\"\n", nil, `line 1: times is "", but must be one of clock, ago, full, off`},
		{"no such density", "density = \"tight\"", nil, `line 1: density is "tight", but must be one of compact, normal, verbose`},
		{"no such channel", "[terminal]\ntitle = true\n\n[notify]\n# loud\ndone = \"growl\"\n", nil, `line 6: notify.done is "growl", but must be one of ` + channels},
		{"no such dotted channel", "\nnotify.error = \"x\"\n", nil, `line 2: notify.error is "x"`},
		{"no such inline channel", "\n\nnotify = { question = \"x\" }\n", nil, `line 3: notify.question is "x"`},
		{"a number for a word", "vim = true\nmotion = 0\n", nil, "line 2: motion must be one of full, none, in quotes"},
		{"a switch for a channel", "[notify]\ndone = true\n", nil, "line 2: notify.done must be one of " + channels},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "settings.toml")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			want := settings.Defaults()
			if c.want != nil {
				c.want(&want)
			}
			got, err := settings.Load(path)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, want %+v", got, want)
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
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", filepath.Join(t.TempDir(), "none.toml"), filepath.Join(file, "parley", "settings.toml")} {
		if got, err := settings.Load(path); err != nil || !reflect.DeepEqual(got, settings.Defaults()) {
			t.Errorf("Load(%q) = %+v, %v", path, got, err)
		}
	}
	if _, err := settings.Load(t.TempDir()); err == nil {
		t.Error("a folder was read")
	}
}

func TestPath(t *testing.T) {
	t.Parallel()
	home, other := t.TempDir(), t.TempDir()
	own := filepath.Join(home, ".config")
	if runtime.GOOS == "windows" {
		own = filepath.Join(home, "AppData", "Roaming")
	}
	for _, c := range []struct {
		env  []string
		home string
		in   string
	}{
		{nil, home, own},
		{[]string{"XDG_CONFIG_HOME=" + other}, home, other},
		{[]string{"XDG_CONFIG_HOME=relative"}, home, own},
		{[]string{"XDG_CONFIG_HOME=" + home, "XDG_CONFIG_HOME=" + other}, "", other},
		{nil, "", ""},
	} {
		want := ""
		if c.in != "" {
			want = filepath.Join(c.in, "parley", "settings.toml")
		}
		if got := settings.Path(c.env, c.home); got != want {
			t.Errorf("Path(%q, %q) = %q, want %q", c.env, c.home, got, want)
		}
	}
}

// TestRenamedSetting: a setting by its name of before counts for each that it is now, but
// for one that the file has itself; the new names are said.
func TestRenamedSetting(t *testing.T) {
	t.Parallel()
	const said = ": notify.needs_you is two settings now: notify.approval and notify.question"
	for text, want := range map[string]settings.Notify{
		"[notify]\nneeds_you = \"off\"\n":                           {Approval: "off", Question: "off"},
		"[notify]\napproval = \"bell\"\nneeds_you = \"off\"\n":      {Approval: "bell", Question: "off"},
		"[notify]\nquestion = \"auto\"\nneeds_you = \"off\"\n":      {Approval: "off", Question: "auto"},
		"notify = { needs_you = \"off\", question = \"bell\" }\n":   {Approval: "off", Question: "bell"},
		"notify.needs_you = \"osc9\"\nnotify.approval = \"auto\"\n": {Approval: "auto", Question: "osc9"},
	} {
		want.Done, want.Error, want.After = "auto", "auto", 5
		file, err := settings.Read(write(t, text))
		if err != nil || file.Settings.Notify != want {
			t.Errorf("%q: %+v, %v", text, file.Settings.Notify, err)
		}
		if len(file.Renamed) != 1 || !strings.HasSuffix(file.Renamed[0], said) {
			t.Errorf("%q: said %q", text, file.Renamed)
		}
	}
}

// TestRenamedStatusItems: a file may have the names of before of the parts of the status line.
func TestRenamedStatusItems(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "settings.toml")
	if err := os.WriteFile(path, []byte("[status]\nleft = [\"turns\", \"waiting\", \"mode\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := settings.Load(path)
	if want := []string{"model-calls", "queued", "mode"}; err != nil || !slices.Equal(s.Status.Left, want) {
		t.Errorf("%v, %v", s.Status.Left, err)
	}
}
