package e2e

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parley/cli/process"
	"parley/session/sessiontest"
)

// TestDoctorAnsweredLate: a terminal answers when the program no longer waits for it,
// while the agent is asked for its version. Nothing of that is left either.
func TestDoctorAnsweredLate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	asked, answered := filepath.Join(dir, "asked"), filepath.Join(dir, "answered")
	for _, pipe := range []string{asked, answered} {
		if err := sessiontest.Mkfifo(pipe); err != nil {
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

// TestDoctorAgrees: what keeps an agent from starting is named in the same words by the
// program that starts it and by the doctor, with what to do.
func TestDoctorAgrees(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old := sessiontest.Program(t, filepath.Join(dir, "old"), "#!/bin/sh\n[ $1 = --version ] && echo 0.0.400 && exit\n"+
		"echo \"error: unknown option '--headless'\" >&2; exit 1\n")
	packed := sessiontest.Program(t, filepath.Join(dir, "packed"), "#!/bin/sh\n"+
		"echo \"Failed to extract bundled package: Error: EACCES: permission denied, mkdir '$HOME'\" >&2; exit 1\n")
	well := sessiontest.Program(t, filepath.Join(dir, "well"), "#!/bin/sh\necho 1.0.102\n")
	const deleted = "mkdir gone; cd gone; rmdir ../gone; "
	for name, c := range map[string]struct {
		before string // in the shell
		env    string
		start  []string // what the program says that starts the agent
		doctor []string
	}{
		"too old":       {"", "COPILOT_CLI_PATH=" + old, []string{"is too old and Parley needs 1.0.102 or later", "@github/copilot@latest"}, []string{"0.0.400; Parley needs 1.0.102 or later", "@github/copilot@latest"}},
		"not there":     {"", "COPILOT_CLI_PATH=/x/copilot", []string{`COPILOT_CLI_PATH names "/x/copilot", which does not exist`}, []string{`COPILOT_CLI_PATH names "/x/copilot", which does not exist`}},
		"not installed": {"", "COPILOT_CLI_PATH=", []string{"no Copilot CLI", "npm install -g @github/copilot"}, []string{"not found, so the demo answers", "npm install -g @github/copilot"}},
		"no home":       {"export HOME=/dev/null/x; ", "COPILOT_CLI_PATH=" + packed, []string{"it needs to write to /dev/null/x/.copilot and cannot: set HOME"}, []string{"it needs to write to /dev/null/x/.copilot and cannot", "set HOME"}},
		"no folder":     {deleted, "COPILOT_CLI_PATH=" + well, []string{"the folder that you are in was deleted; change to one that exists"}, []string{"it was deleted", "Change to a folder that exists"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := func(words string, wants ...string) {
				cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", c.before+parley(t)+" "+words)
				cmd.Dir = t.TempDir()
				cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + t.TempDir(), "LANG=C.UTF-8", "TERM=xterm-256color", "COLUMNS=300", c.env}
				out, err := cmd.CombinedOutput()
				if failed := err != nil; failed == (words == "doctor" && name == "not installed") {
					t.Errorf("%s: failed: %t", words, failed)
				}
				said := strings.Join(strings.Fields(string(out)), " ")
				for _, want := range wants {
					if !strings.Contains(said, want) {
						t.Errorf("%s does not say %q:\n%s", words, want, out)
					}
				}
				if strings.Contains(said, "errno") || strings.Contains(said, "EACCES") || strings.Contains(said, "getwd") {
					t.Errorf("%s says more than a user can use:\n%s", words, out)
				}
			}
			run("-p hello </dev/null", c.start...)
			run("doctor", c.doctor...)
		})
	}
}
