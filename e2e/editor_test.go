package e2e

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/session/sessiontest"
)

// editorScript is an editor that says in which file it writes and how that is
// protected, and appends the line it is given, also when it was stopped at any time
// after it said so. It insists on a terminal as a program expects it.
const editorScript = `#!/bin/sh
state=$(stty -a)
case "$state" in *" -icanon"*|*" -echo "*) echo "a raw terminal"; exit 9;; esac
for file; do :; done
trap 'again=1; echo "reading again"' CONT
echo "editing $# $(basename "$file") $(stat -c %a "$file") $(stat -c %a "$(dirname "$file")")"
while again=; ! read -r line; do [ "$again" ] || exit 8; done
echo "appended $line" >> "$file"
`

// scriptEditor writes the script where EDITOR must quote it, and returns the
// variable.
func scriptEditor(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "my editor")
	sessiontest.Program(t, program, editorScript)
	return "EDITOR='" + program + "' --calm"
}

// modesNow are the modes and keyboard flags that the terminal is in.
func (x *terminal) modesNow() (modes map[ansi.Mode]bool, kitty []int, other int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return maps.Clone(x.modes), slices.Clone(x.kitty), x.other
}

// TestEditor: the editor has the terminal as a program expects it, and gives it
// back as the window had it; what is typed there and not read comes nowhere. One
// that is ended leaves the draft, and a signal that ends the window ends it too.
func TestEditor(t *testing.T) {
	t.Parallel()
	temporary := t.TempDir()
	s := demoWindow(t, launch{kitty: true, env: []string{scriptEditor(t), "TMPDIR=" + temporary}})
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

	again := func(times int) { // the earlier ones stand on the same screen
		t.Helper()
		s.press("ctrl+g")
		s.waitFor("the editor", func(screen string) bool { return strings.Count(screen, "editing 2 prompt.md") == times })
	}
	again(2)
	s.press("ctrl+c")
	s.wait("appended words!", "Could not edit the text", "was ended by a signal: interrupt", "What to do")

	again(3)
	s.signal("--agent demo", syscall.SIGTERM)
	if code := s.exit(); code != 128+int(syscall.SIGTERM) {
		t.Errorf("exit code %d", code)
	}
	s.checkRestored()
	s.checkAlone()
}
