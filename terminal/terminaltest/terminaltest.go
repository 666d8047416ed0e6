// Package terminaltest runs a real terminal that breaks lines when its size changes, as most do: that of xterm.js, which is also
// VS Code's, without a screen to look at (testdata/terminal).
package terminaltest

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Terminal is one. Its methods may be called from several goroutines.
type Terminal struct {
	t   testing.TB
	mu  sync.Mutex // of the two
	in  *jsontext.Encoder
	out *jsontext.Decoder
}

type object = map[string]any

// state is what it answers with.
type state struct {
	Screen []string `json:"screen"`
	Lines  []string `json:"lines"`
	Colour int      `json:"colour"`
}

// Start starts a terminal of a size, which ends with the test. Where it is not installed the test is skipped, or fails with CI=true.
func Start(t testing.TB, width, height int) *Terminal {
	t.Helper()
	program := filepath.Join("testdata", "terminal", "terminal.cjs")
	for range 3 { // from the folder of a package to the root of the repository
		if _, err := os.Stat(program); err == nil {
			break
		}
		program = filepath.Join("..", program)
	}
	_, err := os.Stat(filepath.Join(filepath.Dir(program), "node_modules"))
	if _, missing := exec.LookPath("node"); err != nil || missing != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("the terminal is not installed: make terminal installs it")
		}
		t.Skip("the terminal is not installed: make terminal installs it")
	}
	cmd := exec.CommandContext(context.Background(), "node", program, strconv.Itoa(width), strconv.Itoa(height))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
	})
	return &Terminal{t: t, in: jsontext.NewEncoder(in), out: jsontext.NewDecoder(bufio.NewReader(out))}
}

// Write implements io.Writer: it shows what a program writes.
func (x *Terminal) Write(p []byte) (int, error) {
	x.do(object{"write": p})
	return len(p), nil
}

// Resize gives it another size.
func (x *Terminal) Resize(width, height int) { x.do(object{"resize": []int{width, height}}) }

// Screen are the rows that it shows, without blanks at their end.
func (x *Terminal) Screen() []string { return x.do(object{"show": true}).Screen }

// Colour is that of a text where it is last on the screen, as 0xRRGGBB; -1 if it is not there.
func (x *Terminal) Colour(text string) int { return x.do(object{"colour": text}).Colour }

// Lines are all that its own screen has and what scrolled out of that, each as it was written.
func (x *Terminal) Lines() []string { return x.do(object{"keep": true}).Lines }

func (x *Terminal) do(command object) (s state) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := json.MarshalEncode(x.in, command); err != nil {
		x.t.Error(err)
	} else if err := json.UnmarshalDecode(x.out, &s); err != nil {
		x.t.Error(err)
	}
	return s
}
