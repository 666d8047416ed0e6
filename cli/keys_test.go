package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/cli/process"
	"parley/settings"
	"parley/tui/keymap"
)

// keysOf runs `parley keys` with a file of keys, and returns what it writes.
func keysOf(t *testing.T, file string, args ...string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	if file != "" {
		if err := os.MkdirAll(filepath.Join(dir, "parley"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "parley", "keys.toml"), []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	line := CommandLine(process.Console{Out: out, Err: out, Env: []string{"XDG_CONFIG_HOME=" + dir}})
	line.SetArgs(append([]string{"keys"}, args...))
	err = line.Execute()
	text, readErr := os.ReadFile(out.Name())
	if readErr != nil {
		t.Fatal(readErr)
	}
	return string(text), err
}

// TestKeysCommand: it lists every action with the user's keys, or says what is
// wrong with them.
func TestKeysCommand(t *testing.T) {
	t.Parallel()
	const mine = "preset = 'claude'\n[bindings]\nqueue = 'f9'\nhistory = []\n"
	text, err := keysOf(t, mine)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(text) {
		if fields := strings.Fields(line); len(fields) > 1 {
			rows[fields[1]] = strings.Join(fields, " ")
		}
	}
	for name, want := range map[string]string{
		"queue": "Composer queue f9 ctrl+q, ctrl+enter Queue", "history": "Composer history none ctrl+r Search",
		"todo-band": "Session todo-band ctrl+t, ctrl+x t ctrl+x t The", "approve": "Question approve y Yes", "words.back": "Composer words.back alt+b, ctrl+left A word",
	} {
		if !strings.HasPrefix(rows[name], want) {
			t.Errorf("%q, want %q", rows[name], want)
		}
	}
	all, _ := keymap.Actions(settings.Keys{})
	text, err = keysOf(t, mine, "--json")
	type row struct {
		Action        string
		Keys, Default []string
		Changed       bool
	}
	var listed []row
	if err := json.Unmarshal([]byte(text), &listed); err != nil || len(listed) != len(all) {
		t.Errorf("%d of %d actions: %v", len(listed), len(all), err)
	}
	if i := slices.IndexFunc(listed, func(r row) bool { return r.Action == "history" }); err != nil || i < 0 || !listed[i].Changed || len(listed[i].Keys) != 0 || listed[i].Default[0] != "ctrl+r" {
		t.Errorf("history: %+v (%v)", listed, err)
	}
	if text, err := keysOf(t, mine, "--preset", "codex", "--list"); err != nil || !strings.Contains(text, "complete-queue") || strings.Contains(text, "f9") {
		t.Errorf("a preset is not listed by itself: %v\n%s", err, text)
	}
	if text, err := keysOf(t, mine, "--check"); err != nil || !strings.HasSuffix(text, "keys.toml: no mistakes\n") {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := keysOf(t, "", "--check"); err != nil || !strings.HasSuffix(text, "keys.toml: not there, so all keys are as by default\n") {
		t.Errorf("%q, %v", text, err)
	}
	for args, want := range map[string]string{"--check": "line 2: there is no action", "": "line 3: ctrl+r is bound to both", "--json": "line 2"} {
		if _, err := keysOf(t, "[bindings]\nqeue = 'f9'\nqueue = 'ctrl+r'\n", strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
	for _, args := range []string{"--preset vscode", "queue", "--check --json"} {
		if _, err := keysOf(t, "", strings.Fields(args)...); err == nil {
			t.Errorf("parley keys %s is fine", args)
		}
	}
}
