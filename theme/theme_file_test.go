package theme

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFile: a file gives colours by name over those of a built-in theme, for
// every background or for one kind.
func TestFile(t *testing.T) {
	t.Parallel()
	path := write(t, t.TempDir(), "sea.toml", `
base = "colorblind" # follows the background
colors = { accent = "#ABC", "added-word" = 2 }
[light]
accent = "bright-blue"
dim = "none"
[dark]
success = "15"
`)
	f, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	dark, light := f.Theme(true), f.Theme(false)
	for _, c := range []struct {
		th   *Theme
		hue  hue
		want string
	}{
		{dark, hueAccent, "#abc"},
		{light, hueAccent, "12"},
		{dark, hueAddedWord, "2"},
		{light, hueAddedWord, "2"},
		{dark, hueSuccess, "15"},
		{light, hueSuccess, builtInPalette("colorblind-light")[hueSuccess]},
		{light, hueDim, ""},
		{dark, hueDim, builtInPalette("colorblind-dark")[hueDim]},
	} {
		if got := c.th.palette[c.hue]; got != c.want {
			t.Errorf("%s of %t is %q, want %q", colours[c.hue].Name, c.th.Dark, got, c.want)
		}
	}
	if dark.Name != "sea" || !dark.Dark || light.Dark || !f.Theme(true, ASCII()).ASCII {
		t.Errorf("%+v", dark)
	}
}

// TestFileSides: a theme over one for a fixed background is fixed, unless it has
// colours for one kind of background.
func TestFileSides(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for text, want := range map[string]string{
		"":                                   "dark light",
		`base = "light"`:                     "light light",
		"base = \"high-contrast-dark\"":      "dark dark",
		"base = \"dark\"\n[light]\ndim = 0":  "dark light",
		"base = \"terminal\"":                "dark light",
		"base = \"light\"\n[colors]\ndim=0":  "light light",
		"base = \"auto\"\n[colors]\ndim = 0": "dark light",
	} {
		f, err := Load(write(t, dir, "one.toml", text))
		if err != nil {
			t.Fatal(err)
		}
		side := map[bool]string{true: "dark", false: "light"}
		if got := side[f.Theme(true).Dark] + " " + side[f.Theme(false).Dark]; got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
		if own := f.Theme(true).Own; own != strings.Contains(text, "terminal") {
			t.Errorf("%q: only the terminal's own colours: %t", text, own)
		}
	}
}

// TestFileMistakes: every mistake is reported with the file, the line, and what may
// have been meant.
func TestFileMistakes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for text, want := range map[string]string{
		"base = \"drak\"":                           `line 1: base is "drak", which is no built-in theme; did you mean "dark"?`,
		"\nbase = 3":                                `line 2: base is "3", which is no built-in theme; there are auto, dark`,
		"bace = \"dark\"":                           `line 1: there is no setting "bace"; a theme has base, and the tables`,
		"[colours]\naccent = 1":                     `line 1: there is no table "colours"; did you mean "colors"?`,
		"colours.accent = 1":                        `line 1: there is no table "colours"`,
		"# mine\n[colors]\nacent = \"#ffffff\"":     `line 3: there is no colour "acent"; did you mean "accent"?`,
		"[dark]\nxyzzy = 1":                         `line 2: there is no colour "xyzzy"; there are ground, text, dim`,
		"[light]\naccent = \"#12345\"":              `line 2: accent is "#12345", which is no colour; one is "#rrggbb"`,
		"[light]\naccent = 16":                      `line 2: accent is "16", which is no colour`,
		"[light]\naccent = -1":                      `line 2: accent is "-1"`,
		"[light]\naccent = true":                    `line 2: accent is "true"`,
		"[light]\naccent = [\"#ffffff\"]":           `line 2: accent is "[#ffffff]"`,
		"[light.accent]\nred = \"#ffffff\"":         `line 2: there is no colour "accent.red"`,
		"[colors]\ndim = \"1\"\n\ndim = \"2\"":      `line 4: `,
		"[colors]\ndim = ":                          `line 2: this is no TOML: expected value`,
		"[colors]\ndim = 1e9999":                    `line 2: this is no TOML: unable to parse float`,
		"[[colors]]\ndim = \"1\"":                   `line 1: `,
		"[colors]\ndim = \"\x1b]0;x\x07\"":          `line 2: `,
		"[colors]\nacent = 1\nbase = 1\ndim = \"\"": "line 2: there is no colour \"acent\"; did you mean \"accent\"?\nFILE, line 3: there is no colour \"base\"",
	} {
		path := write(t, dir, "one.toml", text)
		f, err := Load(path)
		if err == nil {
			t.Errorf("%q is a theme: %+v", text, f)
			continue
		}
		if got := strings.ReplaceAll(err.Error(), path, "FILE"); !strings.HasPrefix(got, "FILE, "+want) {
			t.Errorf("%q:\ngot  %s\nwant %s", text, got, want)
		}
		if strings.Contains(err.Error(), "toml:") || strings.Contains(err.Error(), "strconv") {
			t.Errorf("%q: words of Go: %v", text, err)
		}
		if strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: an escape sequence comes through", text)
		}
	}
	if _, err := Load(write(t, dir, "dark.toml", "")); err == nil || !strings.Contains(err.Error(), "built-in") {
		t.Errorf("the name of a built-in theme: %v", err)
	}
	if _, err := Load(write(t, dir, "big.toml", strings.Repeat("# more\n", 1<<14))); err == nil {
		t.Error("a file of any size is read")
	}
	if _, err := Load(dir); err == nil {
		t.Error("a folder is a theme")
	}
}

// TestFileWarnings: what is hard to read is reported, once for each colour that the
// file gives, and refused nowhere.
func TestFileWarnings(t *testing.T) {
	t.Parallel()
	path := write(t, t.TempDir(), "pale.toml", "base = \"light\"\n[colors]\ndim = \"#aaaaaa\"\nline = \"#eeeeee\"\naccent = \"#003399\"\nsuccess = 2\n")
	f, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Warnings) != 2 || !strings.HasPrefix(f.Warnings[0], path+", line 3: ") || !strings.Contains(f.Warnings[0], "on light backgrounds; from 4.5:1") ||
		!strings.Contains(f.Warnings[1], "line 4: ") || !strings.Contains(f.Warnings[1], "from 3.0:1") {
		t.Errorf("%q", f.Warnings)
	}
}

// TestLoadDir: themes come in the order of their names, what is no theme is left
// alone, and one that is broken hides no other.
func TestLoadDir(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "themes")
	if files, err := LoadDir(dir); files != nil || err != nil {
		t.Errorf("no folder: %v, %v", files, err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if Dir(filepath.Join(filepath.Dir(dir), "settings.toml")) != dir || Dir("") != "" {
		t.Error(Dir(dir))
	}
	write(t, dir, "sea.toml", "[colors]\ndim = \"#222222\"")
	write(t, dir, "ash.toml", "")
	write(t, dir, "bad.toml", "[colors]\ndimm = 1")
	write(t, dir, "notes.txt", "not a theme")
	files, err := LoadDir(dir)
	if len(files) != 2 || files[0].Name != "ash" || files[1].Name != "sea" || err == nil || !strings.Contains(err.Error(), `"dim"`) {
		t.Errorf("%v, %v", files, err)
	}
	for chosen, want := range map[string]string{
		"auto": "bad.toml, line 2", "sea": "bad.toml, line 2", "bad": "bad.toml, line 2", "see": `there is no theme "see"; did you mean "sea"?`,
		"../sea": `there is no theme "../sea"`,
	} {
		warnings, err := Check(dir, chosen)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "\n") > 1 {
			t.Errorf("%s: %v", chosen, err)
		}
		if len(warnings) != 1 || !strings.Contains(warnings[0], "sea.toml, line 2") {
			t.Errorf("%s: %q", chosen, warnings)
		}
	}
	if err := os.Remove(filepath.Join(dir, "bad.toml")); err != nil {
		t.Fatal(err)
	}
	if _, err := Check(dir, "sea"); err != nil {
		t.Error(err)
	}
	if _, err := Check("", "high-contrst"); err == nil || !strings.Contains(err.Error(), `"high-contrast"`) {
		t.Error(err)
	}
	if f, err := LoadNamed(dir, "../themes/sea"); err == nil {
		t.Errorf("a theme from another folder: %v", f)
	}
}

// TestNamed: every name is a theme, those that follow the background are another
// on each, and no other name is one.
func TestNamed(t *testing.T) {
	t.Parallel()
	for _, name := range append(Names(), "plain", "mono", "", "Dark", "dark-dark", "auto-dark") {
		dark, ok := Named(name, true)
		if want := slices.Contains(Names(), name); ok != want {
			t.Errorf("%q is a theme: %t", name, ok)
		}
		if !ok {
			continue
		}
		light, _ := Named(name, false, ASCII())
		_, follows := Either(name)
		if follows != (dark.Name != light.Name) || About(name) == "" || !light.ASCII {
			t.Errorf("%s: %s, %s", name, dark.Name, light.Name)
		}
		if !follows && name != dark.Name {
			t.Errorf("%s is %s", name, dark.Name)
		}
	}
	if _, follows := Either("sea"); len(Names()) != 10 || follows {
		t.Error(Names())
	}
	for value, want := range map[string]string{
		"": "", "15;0": "dark", "0;15": "light", "0;default;15": "light", "7": "light", "0;7": "light", "7;8": "dark",
		"0;default": "", "0;-1": "", "0;16": "", "15;6": "dark", "0;9": "light",
	} {
		said := map[bool]string{true: "dark", false: "light"}
		got := ""
		if dark, ok := Background(value); ok {
			got = said[dark]
		}
		if got != want {
			t.Errorf("COLORFGBG=%s: %q, want %q", value, got, want)
		}
	}
}

// FuzzFile: no file makes a theme that cannot be drawn with, and none stops the
// program.
func FuzzFile(f *testing.F) {
	f.Add("base = \"dark\"\n[colors]\naccent = \"#123456\"\n[light]\ndim = 3")
	f.Add("[colors")
	f.Add("colors.accent = { a = 1 }")
	f.Add("[[light]]\n[dark]\n\"\" = []")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Load(write(t, t.TempDir(), "one.toml", text))
		if err != nil {
			if !strings.Contains(err.Error(), "line ") && len(text) < mostBytes {
				t.Errorf("no line: %v", err)
			}
			return
		}
		for _, dark := range []bool{true, false} {
			if got := file.Theme(dark).Render(Accent, "x"); !strings.Contains(got, "x") {
				t.Errorf("%q", got)
			}
		}
	})
}
