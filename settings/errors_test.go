package settings_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"parley/settings"
)

// write puts a text into a file of settings of its own.
func write(t testing.TB, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "settings.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestMistakes: all that is wrong in a file is reported, each with its line and what
// may be meant.
func TestMistakes(t *testing.T) {
	t.Parallel()
	const channels = "auto, off, bell, osc9, osc777, osc99"
	for _, c := range []struct {
		text string
		want []string
	}{
		{"vmi = true\nmotion = \"noen\"\n", []string{
			`line 1: there is no setting "vmi"; did you mean "vim"?`,
			`line 2: motion is "noen", but must be one of full, none; did you mean "none"?`,
		}},
		{"colour = 1\n", []string{"line 1: there is no setting \"colour\"; `parley config show` lists them all"}},
		{"low_bandwidth = \"off\"\n", []string{`line 1: there is no setting "low_bandwidth"; did you mean "terminal.low_bandwidth"?`}},
		{"busy-enter = \"queue\"\nbusyEnter = \"queue\"\n", []string{
			`line 1: there is no setting "busy-enter"; did you mean "busy_enter"?`,
			`line 2: there is no setting "busyEnter"; did you mean "busy_enter"?`,
		}},
		{"\"notify.done\" = \"off\"\n", []string{`line 1: there is no setting "notify.done"; write its name without quotes`}},
		{"[notfy]\ndone = \"x\"\nmore = 1\n[mouse]\nweel = true\n", []string{
			"line 1: there is no table [notfy]; did you mean [notify]?",
			`line 5: there is no setting "mouse.weel"; did you mean "mouse.wheel"?`,
		}},
		{"[composer]\nvim = true\n", []string{"line 1: there is no table [composer]; the tables are status, mouse, notify, terminal, reader, telemetry"}},
		{"[notify.done]\nx = 1\n", []string{"line 1: notify.done must be one of " + channels + ", in quotes, not a table"}},
		{"[[notify]]\ndone = \"off\"\n", []string{"line 1: notify is a table: write [notify], and its settings below it"}},
		{"notify = true\n", []string{"line 1: notify is a table: write [notify], and its settings below it"}},
		{"vim = 1\nvim = true\n", []string{"line 1: vim must be true or false, without quotes, not 1", "line 2: this is no TOML: key vim is already defined; what comes after it was not read"}},
		{"[notify]\ndone = \"off\"\n[mouse]\n[notify]\nerror = \"off\"\n", []string{"line 4: this is no TOML: table notify already exists; what comes after it was not read"}},
		{"notify.done = \"off\"\nnotify = { error = \"off\" }\n", []string{"line 2: this is no TOML: key notify is already defined; what comes after it was not read"}},
		{"[notify]\nafter = 99999\ndone = true\nerror = \"bel\"\nquestion = 1979-05-27\nneeds_you = \"bel\"\n", []string{
			"line 2: notify.after is 99999, but must be from 0 to 86400",
			"line 3: notify.done must be one of " + channels + ", in quotes, not true",
			`line 4: notify.error is "bel", but must be one of ` + channels + `; did you mean "bell"?`,
			"line 5: notify.question must be one of " + channels + ", in quotes, not 1979-05-27",
			`line 6: notify.needs_you is "bel", but must be one of ` + channels + `; did you mean "bell"?`,
		}},
		{"notify.after = 99999999999999999999\n", []string{"line 1: this is no TOML: decimal number is too large to fit in a 64-bit signed integer"}},
		{"notify.after = 5.5\n", []string{"line 1: notify.after must be a whole number from 0 to 86400, not 5.5"}},
		{"theme = \"\"\n", []string{"line 1: theme must not be empty"}},
		{"theme = [\"dark\"]\nvim = { on = true }\n", []string{
			"line 1: theme must be a text in quotes, not a list", "line 2: vim must be true or false, without quotes, not a table",
		}},
		{"[status]\nleft = [\n  \"mode\",\n  \"mdoel\", # my own\n  \"mode\",\n  3,\n]\nscript = \"date\"\n", []string{
			`line 4: status.left cannot have "mdoel"; did you mean "model"? (it may have activity, `, `line 5: status.left has "mode" twice`,
			"line 6: status.left must have texts in quotes only, not 3",
			`line 8: status.script must be a list in brackets, such as ["...", "..."], not "date"`,
		}},
		{"vmi = 1\nmotion: none\nvmi = 1\n", []string{`line 1: there is no setting "vmi"`, "line 2: this is no TOML: "}},
		{"vim = true\n# caf\xe9\n", []string{"line 2: the file is not UTF-8 text"}},
		{"\ufeffvim = true\n", []string{"line 1: the file begins with a byte order mark"}},
		{"theme = \"" + strings.Repeat("x", 500) + "\nvim = 1\n", []string{"line 1: this is no TOML: "}},
		{"motion = \"" + strings.Repeat("x", 500) + "\"\n", []string{`line 1: motion is "` + strings.Repeat("x", 60) + `...", but must`}},
	} {
		path := write(t, c.text)
		got, err := settings.Load(path)
		var lines []string
		for _, m := range settings.Mistakes(err) {
			lines = append(lines, strings.TrimPrefix(m.Error(), path+", "))
		}
		if len(lines) != len(c.want) {
			t.Errorf("%q: %q, want %q", c.text, lines, c.want)
			continue
		}
		for i, want := range c.want {
			if !strings.HasPrefix(lines[i], want) {
				t.Errorf("%q: %q, want %q", c.text, lines[i], want)
			}
		}
		for _, s := range settings.Table() {
			if settings.TOML(s.Value(got)) != settings.TOML(s.Default) {
				t.Errorf("%q: %s is not the default", c.text, s.Name)
			}
		}
	}
}

// TestUnreadable: a file that cannot be read is a mistake, too.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := settings.Load(dir); err == nil || !strings.HasPrefix(err.Error(), dir+": the file cannot be read: ") {
		t.Errorf("a folder: %v", err)
	}
}

// TestMistakesOfErrors takes apart what was put together, and nothing else.
func TestMistakesOfErrors(t *testing.T) {
	t.Parallel()
	one, two := errors.New("one"), errors.New("two")
	for _, c := range []struct {
		err  error
		want []error
	}{
		{one, []error{one}},
		{errors.Join(one, two), []error{one, two}},
		{errors.Join(one, errors.Join(two, one)), []error{one, two, one}},
	} {
		if got := settings.Mistakes(c.err); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v", c.err, got)
		}
	}
	if both := fmt.Errorf("%w, since %w", one, two); !slices.Equal(settings.Mistakes(both), []error{both}) {
		t.Error("a sentence was taken apart")
	}
}

// FuzzLoad compares what is read with what the library reads by the struct: a
// file without mistakes is one that the library takes, with the same settings.
func FuzzLoad(f *testing.F) {
	for _, text := range []string{
		"", "vim = true", "[notify]\ndone = 'bell'\nafter = 0x1F\n", "notify = { done = \"off\", }\n", "status.left = [ # c\n \"mode\" ]",
		"\"vim\" = true\n'theme' = \"\"\"\ndark\"\"\"", "notify.after = +1_000", "vim=true\nvim=false", "[notify]\n[notify]", "a.b.c=1\n[[a.b]]",
		"theme = \"\\u00e9\\\\\"", "[ notify ] # x\r\nerror = \"osc9\"\r\n", "status = { left = [\"mode\"], script = [[]] }", "vim = true \xff",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := write(t, string(text))
		got, err := settings.Load(path)
		want := settings.Defaults()
		d := toml.NewDecoder(strings.NewReader(string(text)))
		d.DisallowUnknownFields()
		broken := d.Decode(&want)
		if err != nil {
			for _, m := range settings.Mistakes(err) {
				if strings.ContainsAny(m.Error(), "\n") {
					t.Errorf("not in one line: %q", m)
				}
			}
			return
		}
		if broken != nil {
			t.Fatalf("taken, but %v", broken)
		}
		for _, s := range settings.Table() {
			if a, b := settings.TOML(s.Value(got)), settings.TOML(s.Value(want)); a != b {
				t.Errorf("%s is %s, want %s", s.Name, a, b)
			}
		}
	})
}
