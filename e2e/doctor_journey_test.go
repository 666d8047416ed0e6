package e2e

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"parley/cli/process"
	"parley/session/sessiontest"
)

// TestDoctorAnsweredLate: a terminal answers when nobody waits for it any more,
// while the agent is asked for its version. Nothing of that is left either.
func TestDoctorAnsweredLate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	asked, answered := filepath.Join(dir, "asked"), filepath.Join(dir, "answered")
	for _, pipe := range []string{asked, answered} {
		if err := unix.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	agent := filepath.Join(dir, "agent")
	text := fmt.Sprintf("#!/bin/sh\n: > %s; cat %s; echo 1.2.3\n", asked, answered)
	sessiontest.Program(t, agent, text)
	late := func(to io.Writer, from io.Reader) {
		var said []byte
		for b := make([]byte, 1); ; {
			if _, err := from.Read(b); err != nil {
				return
			}
			if said = append(said, b...); regexp.MustCompile(`\x1b\[\?[0-9;]*c$`).Match(said) {
				break
			}
		}
		_, _ = os.ReadFile(asked) // it waits for the agent
		_, _ = to.Write(said)
		_ = os.WriteFile(answered, nil, 0o600)
		_, _ = io.Copy(to, from)
	}
	x := start(t, launch{width: 100, height: 60, answers: late, program: "/bin/sh", args: []string{"-c", fmt.Sprintf(
		`%s doctor --copilot-path %s; stty -a | grep -q " echo " && echo cooked; stty -icanon -echo min 0 time 3; echo "left: $(dd bs=99 count=1 2>/dev/null | wc -c)."`,
		parley(t), agent)}})
	screen := x.wait("left: ")
	x.wait("left: 0.", "1.2.3", "it says nothing of itself", "cooked")
	if strings.Contains(screen, "rgb:") || strings.Contains(screen, "[?") || strings.Contains(screen, "^[") {
		t.Errorf("an answer is on the screen:\n%s", screen)
	}
	if x.exit() != process.ExitOK {
		t.Error("the shell failed")
	}
}

// TestDoctorInATerminal asks a terminal whose answers come at once, in pieces,
// or not at all. None of them is left for the shell, or on the screen.
func TestDoctorInATerminal(t *testing.T) {
	t.Parallel()
	pieces := func(to io.Writer, from io.Reader) {
		b := make([]byte, 1)
		for {
			if _, err := from.Read(b); err != nil {
				return
			}
			_, _ = to.Write(b)
		}
	}
	silence := func(_ io.Writer, from io.Reader) { _, _ = io.Copy(io.Discard, from) }
	for name, l := range map[string]launch{
		"at once": {kitty: true}, "light": {light: true}, "in pieces": {kitty: true, answers: pieces}, "not at all": {answers: silence},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l.width, l.height = 100, 60
			l.program, l.args = "/bin/sh", []string{"-c", fmt.Sprintf(
				`%s doctor; echo "code $?"; stty -a | grep -q " echo " && echo cooked; stty -icanon -echo min 0 time 3; echo "left: $(dd bs=99 count=1 2>/dev/null | wc -c)."`, parley(t))}
			x := start(t, l)
			screen := x.wait("left: ")
			x.wait("left: 0.", "code 0", "cooked")
			want := map[string][]string{
				"at once": {"kitty keyboard protocol", "dark"}, "light": {"light", "no shift+enter"},
				"in pieces": {"kitty keyboard protocol", "dark"}, "not at all": {"it says nothing of itself"},
			}[name]
			for _, w := range want {
				if !strings.Contains(screen, w) {
					t.Errorf("%q is not on the screen:\n%s", w, screen)
				}
			}
			if strings.Contains(screen, "rgb:") || strings.Contains(screen, "[?") || strings.Contains(screen, "^[") {
				t.Errorf("an answer is on the screen:\n%s", screen)
			}
			if x.exit() != process.ExitOK {
				t.Error("the shell failed")
			}
		})
	}
}
