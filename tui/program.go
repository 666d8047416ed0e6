package tui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"parley/tui/widget"
)

// program is one run of a program of the user's that has no terminal, with
// bounds on what it may take.
type program struct {
	argv, env []string
	dir       string
	input     []byte // its standard input
	timeout   time.Duration
}

const (
	// programOutput is how much of what a program writes is kept.
	programOutput = 4 << 10
	// programWait is how long what it started may hold its output open after its
	// end. It is also the time in which what the program wrote must be read, which
	// a machine with much to do may need.
	programWait = time.Second
)

// errHeldOpen is why nothing counts of a program that has ended well: what it wrote
// cannot be known.
var errHeldOpen = errors.New("nothing it wrote could be read, and something it started holds its output open")

// run returns what the program wrote, or why there is nothing that counts. The
// program leads a session of its own: it cannot reach the terminal, and all that
// is still in its group ends with its time.
func (p program) run(ctx context.Context) (string, error) {
	ctx, done := context.WithTimeout(ctx, p.timeout)
	defer done()
	path, err := exec.LookPath(p.argv[0])
	if missing := (*exec.Error)(nil); errors.As(err, &missing) {
		return "", missing.Err
	}
	var out, complaints bounded
	cmd := exec.CommandContext(ctx, path, p.argv[1:]...)
	cmd.Env, cmd.Dir, cmd.WaitDelay = p.env, p.dir, programWait
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(p.input), &out, &complaints
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	switch err := cmd.Run(); {
	case ctx.Err() != nil:
		return "", fmt.Errorf("it took longer than %d ms", p.timeout.Milliseconds())
	case errors.Is(err, exec.ErrWaitDelay): // something it left behind has its output open
		if len(out.kept) == 0 {
			return "", errHeldOpen
		}
	case err != nil:
		if said := strings.TrimSpace(widget.FirstLine(string(complaints.kept))); said != "" {
			return "", fmt.Errorf("%w: %s", err, said)
		}
		return "", err
	}
	return string(out.kept), nil
}

// bounded keeps the start of what is written to it.
type bounded struct{ kept []byte }

// Write implements io.Writer. What is too much is dropped, so that whoever writes
// it can go on.
func (b *bounded) Write(p []byte) (int, error) {
	b.kept = append(b.kept, p[:min(len(p), programOutput-len(b.kept))]...)
	return len(p), nil
}

// located is the command line of a program that the settings name, with the
// place of a program that is not on the PATH: never in the folder in which the
// agent works, which may be anybody's.
func (c Config) located(argv []string) ([]string, error) {
	name := argv[0]
	switch rest, home := strings.CutPrefix(name, "~/"); {
	case home && c.Home != "":
		name = filepath.Join(c.Home, rest)
	case filepath.IsAbs(name), !strings.ContainsRune(name, filepath.Separator):
	case c.SettingsFile == "":
		return nil, fmt.Errorf("%s is not a whole path", name)
	default:
		name = filepath.Join(filepath.Dir(c.SettingsFile), name)
	}
	return append([]string{name}, argv[1:]...), nil
}
