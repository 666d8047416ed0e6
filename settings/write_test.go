package settings_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/session/sessiontest"
	"parley/settings"
)

// TestPut changes a value where it stands, and adds one where it belongs.
func TestPut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what, text string
		name       string
		value      any
		want       string
	}{
		{"nothing there", "", "vim", true, "vim = true\n"},
		{"no table there", "", "notify.done", "bell", "[notify]\ndone = \"bell\"\n"},
		{"in place", "# mine\nvim   =  false # slow\nmotion = 'none'", "vim", true, "# mine\nvim   =  true # slow\nmotion = 'none'"},
		{"in place, quoted", "\"vim\"=false", "vim", true, "\"vim\"=true"},
		{"in a table", "[notify]\n  done = \"off\"   # quiet\n\n[mouse]\n", "notify.done", "bell", "[notify]\n  done = \"bell\"   # quiet\n\n[mouse]\n"},
		{"dotted, in place", "notify . done = 'off'\n", "notify.done", "bell", "notify . done = \"bell\"\n"},
		{"inline, in place", "notify = { done = 'off', error = 'off' } # x\n", "notify.done", "bell", "notify = { done = \"bell\", error = 'off' } # x\n"},
		{"a list", "[status]\nleft = [\n  \"mode\",\n  \"model\"\n] # mine\nright = []\n", "status.left", []string{"folder"}, "[status]\nleft = [\"folder\"] # mine\nright = []\n"},
		{"after the others", "vim = true # x\n\n# told\n[notify]\ndone = \"off\"\n", "motion", "none", "vim = true # x\nmotion = \"none\"\n\n# told\n[notify]\ndone = \"off\"\n"},
		{"before the first table", "# told\n[notify]\ndone = \"off\"\n", "motion", "none", "motion = \"none\"\n\n# told\n[notify]\ndone = \"off\"\n"},
		{"below the line for editors", "#:schema ./x.json\n[notify]\n", "vim", true, "#:schema ./x.json\nvim = true\n\n[notify]\n"},
		{"below an empty table", "[notify] # x\n[mouse]\nwheel = false", "notify.after", 9, "[notify] # x\nafter = 9\n[mouse]\nwheel = false"},
		{"below a table", "[notify]\ndone = \"off\"\n\n# the mouse\n[mouse]\n", "notify.after", 9, "[notify]\ndone = \"off\"\nafter = 9\n\n# the mouse\n[mouse]\n"},
		{"at the end", "vim = true", "notify.after", 9, "vim = true\n\n[notify]\nafter = 9\n"},
		{"at the end of a table", "[notify]\ndone = \"off\"", "notify.after", 9, "[notify]\ndone = \"off\"\nafter = 9\n"},
		{"dotted, after the others", "notify.done = \"off\"\n[mouse]\n", "notify.after", 9, "notify.done = \"off\"\nnotify.after = 9\n[mouse]\n"},
		{"inline, after the others", "notify = { done = \"off\" }\n", "notify.after", 9, "notify = { done = \"off\", after = 9 }\n"},
		{"inline, empty", "notify = {}\nvim = true\n", "notify.after", 9, "notify = { after = 9 }\nvim = true\n"},
		{"an inline table only", "notify = {}\n", "vim", true, "notify = {}\n\nvim = true\n"},
		{"with other ends of lines", "vim = true\r\n[notify]\r\ndone = \"off\"\r\n", "notify.after", 9, "vim = true\r\n[notify]\r\ndone = \"off\"\r\nafter = 9\r\n"},
		{"beside a name of before", "[notify]\nneeds_you = \"off\"\n", "notify.question", "bell", "[notify]\nneeds_you = \"off\"\nquestion = \"bell\"\n"},
		{"as a name of before has it", "[notify]\nneeds_you = \"off\"\n", "notify.question", "off", "[notify]\nneeds_you = \"off\"\n"},
		{"as it is", "vim =   true", "vim", true, "vim =   true"},
		{"before an agent", "[agents.x]\nurl = \"https://a\"\n", "vim", true, "vim = true\n\n[agents.x]\nurl = \"https://a\"\n"},
		{"no list", "", "status.script", []string(nil), "[status]\nscript = []\n"},
	} {
		path := write(t, c.text)
		if err := settings.Put(t.Context(), path, c.name, c.value); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != c.want {
			t.Errorf("%s:\ngot  %q\nwant %q", c.what, got, c.want)
		}
	}
}

// TestPutRefuses what would lose something, and leaves the file alone.
func TestPutRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, name string
		value      any
		want       string
	}{
		{"vmi = true\nmotion = 1\n", "vim", true, `line 1: there is no setting "vmi"; did you mean "vim"?`},
		{"vim = \n", "motion", "none", "line 1: this is no TOML"},
		{"", "vmi", true, `there is no setting "vmi"; did you mean "vim"?`},
		{"", "vim", "true", "vim must be true or false"},
		{"", "motion", "som", "motion is \"som\""},
		{"status.left = [\n \"mode\", # first\n]\n", "status.left", []string{"model"}, "line 1: status.left has comments in its list"},
	} {
		path := write(t, c.text)
		if err := settings.Put(t.Context(), path, c.name, c.value); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != c.text {
			t.Errorf("%q became %q", c.text, got)
		}
	}
	if err := settings.Put(t.Context(), "", "vim", true); err == nil || !strings.Contains(err.Error(), "no folder") {
		t.Errorf("without a folder: %v", err)
	}
	dir := t.TempDir()
	if err := settings.Put(t.Context(), dir, "vim", true); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("a folder: %v", err)
	}
}

// TestPutKeepsTheFile: its links, its permissions; and nothing is left beside it.
func TestPutKeepsTheFile(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "links")
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "dotfiles"), 0o755); err != nil {
		t.Fatal(err)
	}
	target, link := filepath.Join(dir, "dotfiles", "parley.toml"), filepath.Join(dir, "config", "parley", "settings.toml")
	if err := os.WriteFile(target, []byte("vim = false\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../../dotfiles/parley.toml", link); err != nil {
		t.Fatal(err)
	}
	if err := settings.Put(t.Context(), link, "vim", true); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(link); err != nil || to != "../../dotfiles/parley.toml" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
	text, err := os.ReadFile(target)
	info, serr := os.Stat(target)
	if err != nil || serr != nil || string(text) != "vim = true\n" || info.Mode().Perm() != 0o644 {
		t.Errorf("%q, %v", text, info)
	}
	for _, folder := range []string{filepath.Dir(target), filepath.Dir(link)} {
		if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
			t.Errorf("%s has %v", folder, left)
		}
	}
}

// TestPutMakesTheFile, readable by the user alone, also where a link leads nowhere.
func TestPutMakesTheFile(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "links and modes of files")
	dir := t.TempDir()
	path, link := filepath.Join(dir, "config", "parley", "settings.toml"), filepath.Join(dir, "link.toml")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := settings.Put(t.Context(), link, "vim", true); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): fs.ModeDir | 0o700, link: fs.ModeSymlink | 0o777} {
		if info, err := os.Lstat(name); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

// anyValue is a value that a setting may have.
func anyValue(s settings.Setting) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		switch s.Kind {
		case settings.Pairs, settings.Variables, settings.Values: // of named agents, which Put does not write
		case settings.Switch:
			return rapid.Bool().Draw(t, s.Name)
		case settings.Word:
			return rapid.SampledFrom(s.Words).Draw(t, s.Name)
		case settings.Number:
			return rapid.IntRange(s.Min, s.Max).Draw(t, s.Name)
		case settings.Words:
			all := rapid.Permutation(s.Words).Draw(t, s.Name)
			return all[:rapid.IntRange(0, len(all)).Draw(t, "items")]
		case settings.List:
			return rapid.SliceOf(rapid.String()).Draw(t, s.Name)
		case settings.Text:
		}
		return rapid.StringN(1, 20, -1).Draw(t, s.Name)
	})
}

// anyFile is a file of settings in one of the ways in which one may be written,
// and the lines of it that are no settings.
func anyFile() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var lines []string
		noise := func() {
			lines = append(lines, rapid.SliceOfN(rapid.SampledFrom([]string{"", "# a note", "   ", "#:schema ./x.json"}), 0, 2).Draw(t, "noise")...)
		}
		end := func() string { return rapid.SampledFrom([]string{"", " ", "  # why", "\t#"}).Draw(t, "end") }
		tables := map[string][]settings.Setting{}
		var order []string
		for _, s := range settings.Table() {
			table, _, in := strings.Cut(s.Name, ".")
			if !in {
				table = ""
			}
			if !slices.Contains(order, table) {
				order = append(order, table)
			}
			if rapid.Bool().Draw(t, "has "+s.Name) {
				tables[table] = append(tables[table], s)
			}
		}
		for _, s := range tables[""] {
			noise()
			lines = append(lines, s.Name+" = "+settings.TOML(anyValue(s).Draw(t, "value"))+end())
		}
		form := func(table string) string {
			return rapid.SampledFrom([]string{"headed", "dotted", "inline", "none"}).Draw(t, table)
		}
		var below []string
		for _, table := range rapid.Permutation(order).Draw(t, "order") {
			if table == "" {
				continue
			}
			switch form(table) {
			case "headed":
				below = append(below, table)
			case "dotted":
				for _, s := range tables[table] {
					noise()
					lines = append(lines, s.Name+"="+settings.TOML(anyValue(s).Draw(t, "value"))+end())
				}
			case "inline":
				var parts []string
				for _, s := range tables[table] {
					parts = append(parts, strings.TrimPrefix(s.Name, table+".")+" = "+settings.TOML(anyValue(s).Draw(t, "value")))
				}
				noise()
				lines = append(lines, table+" = {"+strings.Join(parts, ", ")+"}"+end())
			}
		}
		for _, table := range below {
			noise()
			lines = append(lines, "["+table+"]"+end())
			for _, s := range tables[table] {
				noise()
				lines = append(lines, "  "+strings.TrimPrefix(s.Name, table+".")+" = "+settings.TOML(anyValue(s).Draw(t, "value"))+end())
			}
		}
		noise()
		ending := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "ending")
		text := strings.Join(lines, ending)
		if rapid.Bool().Draw(t, "ends") {
			text += ending
		}
		return text
	})
}

// TestPutProperty: after Put, Load gives the value, and all else is as it was:
// the other settings, and every other byte of the file.
func TestPutProperty(t *testing.T) {
	t.Parallel()
	path := write(t, "")
	rapid.Check(t, func(t *rapid.T) {
		text := anyFile().Draw(t, "file")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		before, err := settings.Read(path)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		s := rapid.SampledFrom(settings.Table()).Draw(t, "setting")
		value := anyValue(s).Draw(t, "value")
		if err := settings.Put(t.Context(), path, s.Name, value); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		after, err := settings.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range settings.Table() {
			want := other.Value(before.Settings)
			if other.Name == s.Name {
				want = value
			}
			if got := other.Value(after.Settings); !reflect.DeepEqual(got, want) {
				t.Errorf("%s is %#v, want %#v", other.Name, got, want)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		checkKept(t, text, string(got), before.Lines[s.Name] > 0)
	})
}

// checkKept: what a text became is that text with one piece put in, or, where
// the setting stood in it, with one value changed.
func checkKept(t *rapid.T, before, after string, stood bool) {
	t.Helper()
	head := 0
	for head < len(before) && head < len(after) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(after)-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	if gone := before[head : len(before)-tail]; !stood && gone != "" || strings.Contains(gone, "\n") {
		t.Errorf("%q is gone from %q: %q", gone, before, after)
	}
	for _, kept := range []string{"# a note", "#:schema ./x.json", "  # why", "\t#", "   \n", "\r\n"} {
		if was, is := strings.Count(before, kept), strings.Count(after, kept); is < was {
			t.Errorf("%d of %d %q are left of %q: %q", is, was, kept, before, after)
		}
	}
}
