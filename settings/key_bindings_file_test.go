package settings

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestLoadKeys(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "keys.toml")
	k, err := LoadKeys(path)
	if err != nil || k.Preset != "" || k.Bindings != nil || k.Path != path {
		t.Errorf("a file that is not there: %+v, %v", k, err)
	}
	if k, err := LoadKeys(""); err != nil || k.Path != "" {
		t.Errorf("no place for a file: %+v, %v", k, err)
	}
	text := `# mine
preset = "claude"

[bindings]
queue = "f9"
words.back = ["alt+b", "alt+h"]
"undo.redo" = []
kill = { line-end = "f2", word-after = "f3" }

[bindings.case]
upper = "f4"
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	k, err = LoadKeys(path)
	if err != nil || k.Preset != "claude" {
		t.Fatalf("%+v, %v", k, err)
	}
	bindings := map[string][]string{
		"queue": {"f9"}, "words.back": {"alt+b", "alt+h"}, "undo.redo": {}, "kill.line-end": {"f2"}, "kill.word-after": {"f3"}, "case.upper": {"f4"},
	}
	if !maps.EqualFunc(k.Bindings, bindings, slices.Equal) {
		t.Errorf("bindings %v, want %v", k.Bindings, bindings)
	}
	lines := map[string]int{
		"preset": 2, "queue": 5, "words.back": 6, "undo.redo": 7, "kill.line-end": 8, "kill.word-after": 8, "case.upper": 11,
	}
	if !maps.Equal(k.Lines, lines) {
		t.Errorf("lines %v, want %v", k.Lines, lines)
	}
	if err := os.WriteFile(path, bytes.Repeat([]byte("#\n"), mostBytes), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadKeys(path); err == nil || !strings.Contains(err.Error(), "it is longer than 1048576 bytes") {
		t.Errorf("a long file: %v", err)
	}
	if err := os.Mkdir(path+".d", 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadKeys(path + ".d"); err == nil || !strings.HasPrefix(err.Error(), path+".d: the file cannot be read: ") {
		t.Errorf("a folder: %v", err)
	}
}

func TestMistakesInKeys(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"preset = ":                      "keys.toml, line 1: this is no TOML: expected value",
		"\npreset = 1e9999":              "keys.toml, line 2: this is no TOML: unable to parse float",
		"preset = 1":                     "keys.toml, line 1: preset must be a name in quotes",
		"\nbindings = 1":                 "keys.toml, line 2: bindings must be a table",
		"\n\nprest = 'claude'":           `keys.toml, line 3: there is no setting "prest" here; the settings are preset and bindings`,
		"[bindings]\nqueue = 1":          "keys.toml, line 2: queue must be a key in quotes",
		"[bindings]\nwords.back = [1]":   "keys.toml, line 2: words.back must be a key in quotes",
		"[bindings]\na = 'f1'\na = 'f2'": "keys.toml, line 3: ",
		"bindings = { words = {a = 1} }": "keys.toml, line 1: words.a must be a key",
		"[[bindings]]\na = 'f1'":         "keys.toml, line 1: bindings must be a table",
	} {
		if k, err := ParseKeys("keys.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) || k.Bindings != nil {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		} else if strings.Contains(err.Error(), "toml:") || strings.Contains(err.Error(), "strconv") {
			t.Errorf("%.40q: words of Go: %v", text, err)
		}
	}
}

func TestKeysPath(t *testing.T) {
	t.Parallel()
	config := t.TempDir()
	if got := KeysPath([]string{"XDG_CONFIG_HOME=" + config}, t.TempDir()); got != filepath.Join(config, "parley", "keys.toml") {
		t.Error(got)
	}
	if got := KeysPath(nil, ""); got != "" {
		t.Error(got)
	}
}
