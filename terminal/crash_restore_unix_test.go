//go:build unix

package terminal

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"parley/session/sessiontest"
	"parley/settings"
)

// TestRestoreScript: a fatal error makes the shell write, in one order: the
// line discipline, what gives the terminal back, the trace with all that belongs
// to it. Nothing of the trace reaches the terminal as more than text. If the program was
// killed, the line discipline may be that of the shell around it, which draws its prompt
// again when the terminal changes its size.
func TestRestoreScript(t *testing.T) {
	t.Parallel()
	const killed = "\x1b[mParley was killed. To continue its session: parley --continue\r\nrows 25 rows 24 "
	for _, c := range []struct{ name, said, want string }{
		{"a library's message", "2030/01/01 00:00:00 Unsolicited response\nruntime: a word\nand more\n", killed},
		{"half a line at the end", "fatal", killed},
		{"a fatal error", "fatal error: concurrent map writes\n\ngoroutine 7 [running]:\n", "modes\x1b[mfatal error: concurrent map writes\n\ngoroutine 7 [running]:\n"},
		{"what the runtime says before", "other\nruntime: stack too large\nruntime: sp=0x1\nfatal error: stack overflow\n", "modes\x1b[mruntime: stack too large\nruntime: sp=0x1\nfatal error: stack overflow\n"},
		{"a fault", "unexpected fault address 0x1\nfatal error: fault\n[signal SIGSEGV]\n", "modes\x1b[munexpected fault address 0x1\nfatal error: fault\n[signal SIGSEGV]\n"},
		{"a signal", "SIGBUS: bus error\nPC=0x1\n", "modes\x1b[mSIGBUS: bus error\nPC=0x1\n"},
		{"a copy without the first line", "\ngoroutine 7 [running]:\n", "modes\x1b[mgoroutine 7 [running]:\n"},
		{"a hostile panic", "panic: \x1b]0;x\x07\\n%s $(id)\x9b31m é\n\x1b[2J\n", "modes\x1b[mpanic: ]0;x\\n%s $(id)31m \n[2J\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			stty := filepath.Join(t.TempDir(), "stty")
			sessiontest.Program(t, stty, "#!/bin/sh\ncase $1 in -a) echo opost;; size) echo 24 80;; rows) printf '%s ' \"$@\" >&4;; *) printf %s \"$1\" >&4;; esac\n")
			out, err := os.Create(filepath.Join(t.TempDir(), "out"))
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", restoreScript, "", stty, "modes", `\033[m`)
			cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = strings.NewReader(c.said), out, out, []*os.File{out, out}
			if err := cmd.Run(); err != nil {
				t.Error(err)
			}
			if got, err := os.ReadFile(out.Name()); err != nil || string(got) != c.want {
				t.Errorf("%q, want %q (%v)", got, c.want, err)
			}
		})
	}
}

// TestSttyArgument: the line discipline is what stty itself would write.
func TestSttyArgument(t *testing.T) {
	t.Parallel()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	state, err := term.GetState(slave.Fd())
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "stty", "-g")
	cmd.Stdin = slave
	want, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := sttyArgument(state); got != "sane" && got != strings.TrimSpace(string(want)) {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestCrashRestoreWithout: where the standard error is not to be watched, or the program
// has no terminal, there is no shell.
func TestCrashRestoreWithout(t *testing.T) {
	t.Parallel()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, trace := range []*os.File{nil, null} {
		r := NewCrashRestore(null, null, trace, Environment{})
		r.Start()
		if r.shell != nil {
			t.Error("a shell waits")
		}
		r.Stop()
	}
	for _, e := range resetEnvironments() {
		if strings.ContainsAny(strings.ReplaceAll(e.resetTitle()+e.ResetSequence(), ansi.ResetStyle, ""), `\%'`) {
			t.Error("printf would take it for more than it is")
		}
	}
}

// resetEnvironments are terminals of which a killed window is given back what it has, by name.
func resetEnvironments() map[string]Environment {
	return map[string]Environment{
		"kitty":             {Vars: []string{"TERM=xterm-kitty"}, Prefer: settings.Terminal{Title: true, Progress: true}},
		"kitty, no title":   {Vars: []string{"TERM=xterm-kitty"}},
		"ghostty":           {Vars: []string{"TERM=xterm-ghostty"}, Prefer: settings.Terminal{Title: true, Progress: true}},
		"ghostty, no title": {Vars: []string{"TERM=xterm-ghostty"}},
	}
}

// TestResetOfAKilledWindow: the title comes back if the window has set one, and the progress
// in a tab or task bar ends where the terminal is known to show it, else nothing is said of
// it: it would be a notification.
func TestResetOfAKilledWindow(t *testing.T) {
	t.Parallel()
	for name, e := range resetEnvironments() {
		all := e.resetTitle() + e.ResetSequence()
		if got, want := strings.Contains(all, "\x1b[23;2t"), !strings.HasSuffix(name, "no title"); got != want {
			t.Errorf("%s: the title comes back is %v", name, got)
		}
		if got, want := strings.Contains(all, "\x1b]9;4"), strings.HasPrefix(name, "ghostty"); got != want {
			t.Errorf("%s: progress ends is %v", name, got)
		}
	}
}

// TestCrashRestoreStops: a window that ends in its own time is not taken for a killed one,
// however long the shell outlives what the runtime wrote to it.
func TestCrashRestoreStops(t *testing.T) {
	t.Parallel()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	r := NewCrashRestore(slave, out, out, Environment{Vars: os.Environ()})
	r.Start()
	if r.shell == nil {
		t.Fatal("no shell waits")
	}
	undo := r.undo
	r.undo = func() {
		undo()
		time.Sleep(300 * time.Millisecond) //nolint:forbidigo // the shell, another process, would have written by then
	}
	r.Stop()
	if got, err := os.ReadFile(out.Name()); err != nil || len(got) > 0 {
		t.Errorf("%q (%v)", got, err)
	}
}
