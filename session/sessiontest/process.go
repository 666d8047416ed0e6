package sessiontest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Roles is what a test binary can do as a process of its own, by name. Each gets
// the folder where it works and an argument.
type Roles map[string]func(dir, argument string) error

// The variables of the environment that make a test binary play a role.
const role, roleDir, roleArgument = "PARLEY_TEST_ROLE", "PARLEY_TEST_DIR", "PARLEY_TEST_ARGUMENT"

// Main is the TestMain of a package whose tests start other processes, which they
// may kill. It does not return.
func Main(m *testing.M, roles Roles) {
	as := os.Getenv(role)
	if as == "" {
		os.Exit(m.Run())
	}
	play := roles[as]
	if play == nil {
		fmt.Fprintln(os.Stderr, "no such role:", as)
		os.Exit(2)
	}
	if err := play(os.Getenv(roleDir), os.Getenv(roleArgument)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Process is the test binary in a role.
type Process struct {
	*exec.Cmd
	In     io.WriteCloser
	Out    *bufio.Reader
	Errors *strings.Builder
}

// Start starts the test binary in a role of Main. It ends within a minute.
func Start(t *testing.T, as, dir, argument string) *Process {
	t.Helper()
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(end)
	p := &Process{Cmd: exec.CommandContext(ctx, os.Args[0]), Errors: &strings.Builder{}}
	p.Env = append(os.Environ(), role+"="+as, roleDir+"="+dir, roleArgument+"="+argument)
	p.Stderr = p.Errors
	in, err := p.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.In = in
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.Out = bufio.NewReader(out)
	if err := p.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

// End waits for a process that must end well.
func (p *Process) End(t *testing.T) {
	t.Helper()
	if err := p.Wait(); err != nil {
		t.Fatalf("%v: %s", err, p.Errors)
	}
}
