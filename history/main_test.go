package history

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// role makes the test binary another window, or a part of one, that can be
// killed. roleDir is where it works, and roleArgument what it is told.
const role, roleDir, roleArgument = "PARLEY_TEST_ROLE", "PARLEY_TEST_DIR", "PARLEY_TEST_ARGUMENT"

func TestMain(m *testing.M) {
	as := os.Getenv(role)
	if as == "" {
		os.Exit(m.Run())
	}
	play := map[string]func(dir, argument string) error{"add": playAdd, "window": playWindow}[as]
	if play == nil {
		fmt.Fprintln(os.Stderr, "no such role:", as)
		os.Exit(2)
	}
	if err := play(os.Getenv(roleDir), os.Getenv(roleArgument)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// process is the test binary in a role.
type process struct {
	*exec.Cmd
	out    *bufio.Reader
	errors *strings.Builder
}

func start(t *testing.T, as, dir, argument string) *process {
	t.Helper()
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(end)
	p := &process{Cmd: exec.CommandContext(ctx, os.Args[0]), errors: &strings.Builder{}}
	p.Env = append(os.Environ(), role+"="+as, roleDir+"="+dir, roleArgument+"="+argument)
	p.Stderr = p.errors
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewReader(out)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	return p
}

// end waits for a process that must end well.
func (p *process) end(t *testing.T) {
	t.Helper()
	if err := p.Wait(); err != nil {
		t.Fatalf("%v: %s", err, p.errors)
	}
}
