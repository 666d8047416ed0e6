package status

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session/processgroup"
	"parley/tui/widget"
)

// Program is one run of the user's program for the status line: it has no terminal, and
// there are bounds on what it may take.
type Program struct {
	Argv, Env []string
	Dir       string
	Input     []byte // its standard input
	Timeout   time.Duration
}

const (
	// MostOutput is how much of what a program writes is read, in bytes.
	MostOutput = 4 << 10
	// programWait is how long what it started may hold its output open after its
	// end. It is also the time in which what the program wrote must be read, which
	// a machine with much to do may need.
	programWait = time.Second
)

// errHeldOpen is why nothing counts of a program that has ended well: what it wrote
// cannot be known.
var errHeldOpen = errors.New("nothing it wrote could be read, and something it started holds its output open")

// Run returns what the program wrote, or why there is nothing that counts. The
// program leads a session of its own: it cannot reach the terminal, and all that
// is still in its group ends with its time.
func (p Program) Run(ctx context.Context) (string, error) {
	ctx, done := context.WithTimeout(ctx, p.Timeout)
	defer done()
	path, err := exec.LookPath(p.Argv[0])
	if missing := (*exec.Error)(nil); errors.As(err, &missing) {
		return "", missing.Err
	}
	var out, complaints bounded
	cmd := exec.CommandContext(ctx, path, p.Argv[1:]...)
	cmd.Env, cmd.Dir, cmd.WaitDelay = p.Env, p.Dir, programWait
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(p.Input), &out, &complaints
	switch err := processgroup.NewSession(cmd).Run(); {
	case ctx.Err() != nil:
		return "", fmt.Errorf("it took longer than %d ms", p.Timeout.Milliseconds())
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
// it can continue.
func (b *bounded) Write(p []byte) (int, error) {
	b.kept = append(b.kept, p[:min(len(p), MostOutput-len(b.kept))]...)
	return len(p), nil
}

// ScriptCommand is how the settings name the user's program for the status line, and what is
// around it.
type ScriptCommand struct {
	Argv         []string
	Timeout      time.Duration
	Env          []string
	Home         string
	SettingsFile string // "" without a file
}

// Program returns a run of the program in a folder, with its input.
func (s ScriptCommand) Program(in ScriptInput, dir string) (Program, error) {
	argv, err := s.located()
	if err != nil {
		return Program{}, err
	}
	input, err := json.Marshal(in, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return Program{}, fmt.Errorf("encode its input: %w", err)
	}
	return Program{Argv: argv, Env: slices.Clone(s.Env), Dir: dir, Input: append(input, '\n'), Timeout: s.Timeout}, nil
}

// located is the command line with the place of a program that is not on the PATH:
// never in the folder in which the agent works, which may be anybody's.
func (s ScriptCommand) located() ([]string, error) {
	name := s.Argv[0]
	switch rest, home := strings.CutPrefix(filepath.ToSlash(name), "~/"); {
	case home && s.Home != "":
		name = filepath.Join(s.Home, rest)
	case filepath.IsAbs(name), filepath.Base(name) == name:
	case s.SettingsFile == "":
		return nil, fmt.Errorf("%s is not a whole path", name)
	default:
		name = filepath.Join(filepath.Dir(s.SettingsFile), name)
	}
	return append([]string{name}, s.Argv[1:]...), nil
}
