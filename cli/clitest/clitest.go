// Package clitest runs commands of Parley in the process of a test.
package clitest

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"

	"parley/cli/process"
	"parley/session/sessiontest"
)

// Result is what a command line did.
type Result struct {
	Code     int
	Out, Err string
}

// Run carries out what is given a process's surroundings.
func Run(t *testing.T, env []string, input string, do func(process.Console) int) Result {
	t.Helper()
	dir := t.TempDir()
	open := func(name, content string) *os.File {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	c := process.Console{
		In: open("in", input), Out: open("out", ""), Err: open("err", ""),
		Env: append([]string{"TERM=xterm-256color", "PATH=/nonexistent"}, env...),
	}
	code := do(c)
	read := func(f *os.File) string {
		b, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	return Result{code, read(c.Out), read(c.Err)}
}

// OnPty carries out something on a terminal of 80 cells on which was typed, and
// returns what it wrote there.
func OnPty(t *testing.T, typed string, do func(process.Console) int) (code int, wrote string) {
	t.Helper()
	sessiontest.UnixOnly(t, "a terminal that a test has in its own process")
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(master, typed); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(&out, master) // until the other end is closed
	}()
	code = do(process.Console{In: slave, Out: slave, Err: slave, Env: []string{"TERM=xterm-256color", "LANG=C.UTF-8"}})
	_ = slave.Close()
	<-read
	_ = master.Close()
	return code, out.String()
}

// CheckPlain holds a text that went into a pipe to plain lines that fit.
func CheckPlain(t *testing.T, out string, width int) {
	t.Helper()
	for i, line := range strings.Split(out, "\n") {
		if w := ansi.StringWidth(line); w > width {
			t.Errorf("width %d: line %d is %d cells: %q", width, i+1, w, line)
		}
		if at := strings.IndexFunc(line, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }); at >= 0 {
			t.Errorf("width %d: line %d has a control character: %q", width, i+1, line)
		}
	}
}
