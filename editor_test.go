package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// editorScript is an editor that says in which file it writes and how that is
// protected, and appends the line it is given, also when it was stopped meanwhile. It insists on a terminal as a
// program expects it.
const editorScript = `#!/bin/sh
state=$(stty -a)
case "$state" in *" -icanon"*|*" -echo "*) echo "a raw terminal"; exit 9;; esac
for file; do :; done
echo "editing $# $(basename "$file") $(stat -c %a "$file") $(stat -c %a "$(dirname "$file")")"
trap 'again=1; echo "reading again"' CONT
while again=; ! read -r line; do [ "$again" ] || exit 8; done
echo "appended $line" >> "$file"
`

// scriptEditor writes the script where EDITOR must quote it, and returns the
// variable.
func scriptEditor(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "my editor")
	if err := os.WriteFile(program, []byte(editorScript), 0o700); err != nil {
		t.Fatal(err)
	}
	return "EDITOR='" + program + "' --calm"
}

// modesNow are the modes and keyboard flags that the terminal is in.
func (x *terminal) modesNow() (modes map[ansi.Mode]bool, kitty []int, other int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return maps.Clone(x.modes), slices.Clone(x.kitty), x.other
}

func TestEditorAndBack(t *testing.T) {
	t.Parallel()
	for _, kitty := range []bool{false, true} {
		temporary := t.TempDir()
		s := demoWindow(t, launch{kitty: kitty, env: []string{scriptEditor(t), "TMPDIR=" + temporary}})
		s.typed("first")
		modes, flags, other := s.modesNow()
		s.press("ctrl+g")
		s.wait("editing 2 prompt.md 600 700")
		s.checkModes()
		s.send("words\rnot read by the editor")
		s.wait("first", "appended words", "interactive")
		after, flagsAfter, otherAfter := s.modesNow()
		for mode, on := range modes {
			if after[mode] != on {
				t.Errorf("mode %d is %t after the editor, and was %t", mode.Mode(), after[mode], on)
			}
		}
		if !slices.Equal(flags, flagsAfter) || other != otherAfter {
			t.Errorf("the keyboard is %v, %d after the editor, and was %v, %d", flagsAfter, otherAfter, flags, other)
		}
		s.typed("!")
		if screen := s.screen(); strings.Contains(screen, "not read") || !strings.Contains(screen, "appended words!") {
			t.Errorf("what was typed for the editor came into the draft:\n%s", screen)
		}
		if left, err := filepath.Glob(filepath.Join(temporary, "parley-edit-*")); err != nil || len(left) > 0 {
			t.Errorf("files stayed: %v %v", left, err)
		}
		s.press("ctrl+c")
		s.wait(textReady)
		s.leave()
	}
}

// TestEventsGoOnInTheEditor: while the editor has the terminal the session goes
// on: its events are taken, a question rings, and the draft is kept. What is
// typed meanwhile answers nothing.
func TestEventsGoOnInTheEditor(t *testing.T) {
	t.Parallel()
	s := demoWindow(t, launch{env: []string{scriptEditor(t)}, height: 40, width: 100})
	s.send("huge 2\r") // long enough for the editor to be there before its end
	s.wait("answering")
	s.typed("write")
	s.press("ctrl+q")
	s.wait("1 waiting")
	s.typed("a draft")
	s.press("ctrl+g")
	s.wait("editing 2 prompt.md")
	from := len(s.raw())
	s.waitFor("the bell", func(string) bool { return strings.Contains(s.raw()[from:], "\a") })
	if strings.Contains(s.raw()[from:], textOnce) {
		t.Error("the window drew while the editor had the terminal")
	}
	s.send("y\ry1\r")
	s.wait("appended y", textOnce)
	if !strings.Contains(s.screen(), textOnce) {
		t.Errorf("what was typed for the editor answered the question:\n%s", s.screen())
	}
}

func TestEditorThatFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ editor, key, want string }{
		{"EDITOR=false", "ctrl+g", "false ended with exit code 1"},
		{"VISUAL=no-such-editor", "ctrl+g", `VISUAL names the editor "no-such-editor"`},
		{"COPILOT_EDITOR='", "ctrl+g", "is not closed"},
		{scriptEditor(t), "ctrl+g ctrl+c", "was ended by a signal: interrupt"},
	} {
		s := demoWindow(t, launch{env: []string{c.editor}})
		s.typed("my thoughts")
		for key := range strings.FieldsSeq(c.key) {
			s.press(key)
			if c.key != key && key == "ctrl+g" {
				s.wait("editing")
			}
		}
		s.wait("my thoughts", "Could not edit the text", c.want, "What to do")
		s.press("ctrl+c")
		s.wait(textReady)
		s.leave()
	}
}

// ctrl+z in the editor stops the window with it, and the shell lets both go on.
func TestEditorSuspended(t *testing.T) {
	t.Parallel()
	s := &stage{terminal: start(t, launch{program: "/bin/bash", args: []string{"--norc", "-i"}, env: []string{"PS1=shell> ", scriptEditor(t)}})}
	s.wait("shell>")
	s.send(parley(t) + " --agent demo\r")
	s.started(textReady)
	s.typed("first")
	s.press("ctrl+g")
	s.wait("editing")
	s.press("ctrl+z")
	s.wait("Stopped")
	s.send("echo meanwhile=$((40+2))\r")
	s.wait("meanwhile=42")
	s.send("fg\r")
	s.wait("reading again") // what comes before that is lost
	s.send("words\r")
	s.wait("first", "appended words", "interactive")
	s.press("ctrl+c")
	s.wait(textReady)
	s.typed("/quit")
	s.press("enter")
	s.waitGone("interactive")
	s.send("exit\r")
	s.exit()
	s.checkRestored()
	s.checkAlone()
}

// A signal that ends the window ends the editor too, and leaves the terminal as
// it was.
func TestEditorEndsWithTheWindow(t *testing.T) {
	t.Parallel()
	s := demoWindow(t, launch{kitty: true, env: []string{scriptEditor(t)}})
	s.press("ctrl+g")
	s.wait("editing")
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := s.exit(); code != 128+int(syscall.SIGTERM) {
		t.Errorf("exit code %d", code)
	}
	s.checkRestored()
	s.checkAlone()
}
