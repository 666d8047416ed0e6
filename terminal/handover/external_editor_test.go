package handover

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"parley/session/sessiontest"
	"parley/settings/environ"
)

// environment finds variables in an environment.
func environment(env []string) func(string) string {
	return func(name string) string { return environ.Get(env, name) }
}

func TestEditorCommand(t *testing.T) {
	t.Parallel()
	type chosen struct {
		name string
		env  []string
		from string
		want []string
	}
	list := []chosen{
		{"none", nil, "", nil},
		{"the first that is set", []string{"EDITOR=vi", "VISUAL=emacs", "COPILOT_EDITOR=nano"}, "COPILOT_EDITOR", []string{"nano"}},
		{"blank is not set", []string{"EDITOR=vi", "VISUAL= "}, "EDITOR", []string{"vi"}},
		{"the last entry counts", []string{"EDITOR=vi", "EDITOR=nano"}, "EDITOR", []string{"nano"}},
		{"arguments", []string{"EDITOR=emacs -nw  --no-splash"}, "EDITOR", []string{"emacs", "-nw", "--no-splash"}},
		{"quotes", []string{`EDITOR="/opt/My Editor/bin/ed" 'a b' ''`}, "EDITOR", []string{"/opt/My Editor/bin/ed", "a b", ""}},
		{"a window of its own", []string{"EDITOR=code"}, "EDITOR", []string{"code", "--wait"}},
		{"that waits already", []string{"EDITOR=code -n -w"}, "EDITOR", []string{"code", "-n", "-w"}},
		{"with a path", []string{"EDITOR=/usr/local/bin/subl -n"}, "EDITOR", []string{"/usr/local/bin/subl", "--wait", "-n"}},
		{"as Windows names it", []string{`EDITOR="/My Apps/Code.EXE"`}, "EDITOR", []string{"/My Apps/Code.EXE", "--wait"}},
		{"other flags", []string{"EDITOR=gvim -f"}, "EDITOR", []string{"gvim", "-f"}},
		{"and none", []string{"EDITOR=kate"}, "EDITOR", []string{"kate", "--block"}},
	}
	if runtime.GOOS == "windows" {
		list = append(list, chosen{"a backslash", []string{`EDITOR="C:\My Editor\ed.exe" -n`}, "EDITOR", []string{`C:\My Editor\ed.exe`, "-n"}})
	} else {
		list = append(list, chosen{"backslashes", []string{`EDITOR=ed c\ d "q\"\$\x"`}, "EDITOR", []string{"ed", "c d", `q"$\x`}})
	}
	for _, c := range list {
		words, from, err := editorCommand(environment(c.env))
		if err != nil || from != c.from || !slices.Equal(words, c.want) {
			t.Errorf("%s: %q from %q (%v), want %q from %q", c.name, words, from, err, c.want, c.from)
		}
	}
	if _, _, err := editorCommand(environment([]string{"EDITOR=vi 'unclosed"})); err == nil || !strings.Contains(err.Error(), "EDITOR") {
		t.Errorf("an open quote: %v", err)
	}
}

func TestSavedText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ before, after, want string }{
		{"", "", ""},
		{"", "\n", ""},
		{"a", "a\n", "a"},
		{"a", "a\n\n", "a\n"},
		{"a\n", "a\n", "a\n"},
		{"a\n", "a", "a"},
		{"a\nb", "a\r\nb\r\n", "a\nb"},
		{"a\r\nb", "a\r\nb\r\n", "a\r\nb"},
		{"a", "\ufeffa\n", "a"},
		{"\ufeffa", "\ufeffa", "\ufeffa"},
		{"a\xffb", "a\xffb\n", "a\xffb"},
	} {
		if got := EditedText(c.before, c.after); got != c.want {
			t.Errorf("EditedText(%q, %q) = %q, want %q", c.before, c.after, got, c.want)
		}
	}
}

func TestFileName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"plan.md": "plan.md", "": "text.txt", "../../etc/passwd": "passwd", "-rf": "rf", ".vimrc": "vimrc",
		"a b;c$(d).go": "a_b_c__d_.go", "/": "text.txt", strings.Repeat("x", 100) + ".diff": strings.Repeat("x", 55) + ".diff",
	} {
		if got := fileName(name); got != want {
			t.Errorf("fileName(%q) = %q, want %q", name, got, want)
		}
	}
}

// TestEditorThatFails: an editor that is not there, and one that fails, are named
// with what is wrong.
func TestEditorThatFails(t *testing.T) {
	t.Parallel()
	for env, want := range map[string]string{
		"VISUAL=no-such-editor": `VISUAL names the editor "no-such-editor", which was not found`,
		"COPILOT_EDITOR='":      "is not closed",
	} {
		if words, err := FindEditor([]string{env}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v", env, words, err)
		}
	}
}

// editedIn names the file that the tests have an editor write to what it got: the binary of the tests itself.
const editedIn = "PARLEY_TEST_EDITED_IN"

func TestMain(m *testing.M) {
	if place := os.Getenv(editedIn); place != "" {
		if err := edit(os.Args[len(os.Args)-1], place); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// edit saves a file and writes its name, its mode and its text to another.
func edit(file, place string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	got := fmt.Sprintf("%s %o %s", info.Name(), info.Mode().Perm(), text)
	return errors.Join(err, os.WriteFile(place, []byte(got), 0o600), os.Chmod(file, 0o600), os.WriteFile(file, []byte("saved\n"), 0o600))
}

// TestEdit: the editor gets the text in a file that no other user can read, in a folder
// of its own whatever its name says, and the file is gone afterwards.
func TestEdit(t *testing.T) {
	t.Parallel()
	editor, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	own, readOnly := "600", "400"
	if runtime.GOOS == "windows" { // where a mode only says whether a file may be written, and others are kept out by its folder
		own, readOnly = "666", "444"
	}
	tmp := t.TempDir()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, c := range []struct {
		file File
		want string
	}{
		{File{Name: "../../a b.md", Text: "text"}, "a_b.md " + own + " text"},
		{File{Name: "plan.md", Text: "text", ReadOnly: true}, "plan.md " + readOnly + " text"},
	} {
		place, lent := filepath.Join(t.TempDir(), "place"), 0
		tty := TTY{null, null, []string{`EDITOR="` + editor + `"`, editedIn + "=" + place, "TMPDIR=" + tmp}}
		saved, err := tty.Edit(t.Context(), c.file, func(run func() error) error {
			lent++
			return run()
		})
		got, _ := os.ReadFile(place)
		left, _ := os.ReadDir(tmp)
		if err != nil || saved != "saved\n" || lent != 1 || string(got) != c.want || len(left) > 0 {
			t.Errorf("%q (%v), lent %d times, the editor had %q, want %q; %d files are left", saved, err, lent, got, c.want, len(left))
		}
	}
	_, err = TTY{null, null, []string{"EDITOR=no-such-editor"}}.Edit(t.Context(), File{}, func(func() error) error {
		t.Error("the terminal was given away for no editor")
		return nil
	})
	if err == nil {
		t.Error("no error for an editor that is not there")
	}
}

// TestEditorAt: each editor opens a file at a line in its own way, and one with a window
// of its own does not keep the terminal.
func TestEditorAt(t *testing.T) {
	t.Parallel()
	bin, ending := t.TempDir(), ""
	if runtime.GOOS == "windows" {
		ending = ".exe"
	}
	for _, c := range []struct {
		editor string
		place  Place
		window bool
		want   string
	}{
		{"vim", Place{"/w/a b.go", 12, 5}, false, "vim|+call cursor(12,5)|/w/a b.go"},
		{"nvim -n", Place{"/w/a.go", 12, 0}, false, "nvim|-n|+call cursor(12,1)|/w/a.go"},
		{"vi", Place{"/w/a.go", 12, 5}, false, "vi|+12|/w/a.go"},
		{"nano", Place{"/w/a.go", 12, 5}, false, "nano|+12,5|/w/a.go"},
		{"emacs -nw", Place{"/w/a.go", 12, 5}, false, "emacs|-nw|+12:5|/w/a.go"},
		{"hx", Place{"/w/LINE.go", 12, 5}, false, "hx|/w/LINE.go:12:5"},
		{"code", Place{"/w/a.go", 12, 0}, true, "code|-g|/w/a.go:12:1"},
		{"code --wait -n", Place{"/w/a.go", 12, 0}, true, "code|-n|-g|/w/a.go:12:1"},
		{"goland", Place{"/w/a.go", 12, 5}, true, "goland|--line|12|--column|5|/w/a.go"},
		{"gvim -f", Place{"/w/a.go", 12, 5}, true, "gvim|+call cursor(12,5)|/w/a.go"},
		{"kate", Place{"/w/a.go", 12, 5}, true, "kate|-l|12|-c|5|/w/a.go"},
		{"other", Place{"/w/a.go", 12, 5}, false, "other|/w/a.go"},
		{"vim", Place{"/w/a.go", 0, 0}, false, "vim|/w/a.go"},
	} {
		name, flags, _ := strings.Cut(c.editor, " ")
		program := filepath.Join(bin, name+ending)
		sessiontest.Program(t, program, "#!/bin/sh\n")
		argv, window, err := EditorAt([]string{"EDITOR=" + program + " " + flags}, c.place)
		got := strings.TrimPrefix(strings.Join(argv, "|"), bin+string(filepath.Separator))
		if got = strings.Replace(got, ending, "", 1); err != nil || got != c.want || window != c.window {
			t.Errorf("%s: %s, %v (%v), want %s, %v", c.editor, got, window, err, c.want, c.window)
		}
	}
}
