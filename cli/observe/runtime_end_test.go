package observe

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"parley/cli/agents"
	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
)

// role makes the test binary one of the runtimes.
const role = "PARLEY_TEST_RUNTIME"

// runtimes are programs that are not a Copilot CLI that can be driven, by what the log says of each.
// They read what they are asked, of which the first line is gone, and return the code that they end with.
var runtimes = map[string]func(asked io.Reader) int{
	"runtime version": func(io.Reader) int {
		fmt.Fprintln(os.Stderr, "error: unknown option '--headless'")
		return 1
	},
	"runtime ended":              func(io.Reader) int { return 0 },
	"runtime ended, exit code 3": func(io.Reader) int { return 3 },
	"runtime ended, signal 9": func(io.Reader) int {
		self, err := os.FindProcess(os.Getpid())
		if err := errors.Join(err, self.Kill()); err != nil {
			panic(err)
		}
		select {}
	},
	"not the protocol": says("hello\n"),
	"protocol version": answers(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":2}}`),
	"connection token": answers(`{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"x"}}`),
}

func TestMain(m *testing.M) {
	if run, ok := runtimes[os.Getenv(role)]; ok {
		asked := bufio.NewReader(os.Stdin)
		_, _ = asked.ReadString('\n')
		os.Exit(run(asked))
	}
	os.Exit(m.Run())
}

func answers(answer string) func(io.Reader) int {
	return says(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(answer), answer))
}

// says writes a text and stays until it is asked no more.
func says(text string) func(io.Reader) int {
	return func(asked io.Reader) int {
		_, _ = io.WriteString(os.Stdout, text)
		_, _ = io.Copy(io.Discard, asked)
		return 0
	}
}

// played is the test binary as one of the runtimes.
func played(t *testing.T, runtime string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), role+"="+runtime)
	return cmd
}

// TestErrorCategoryOfSignal is of a program that was ended.
func TestErrorCategoryOfSignal(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "signals")
	const want = "runtime ended, signal 9"
	if err := played(t, want).Run(); category(err) != want {
		t.Errorf("%v is %q", err, category(err))
	}
}

// TestErrorCategoriesOfRuntimes opens each of the runtimes.
func TestErrorCategoriesOfRuntimes(t *testing.T) {
	t.Parallel()
	for want := range runtimes {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(want, "signal") {
				sessiontest.UnixOnly(t, "signals")
			}
			var log bytes.Buffer
			o := Observer{log: logger(&log)}
			program := played(t, want)
			_, err := o.Open(agents.Backend{Open: func(ctx context.Context) (session.Agent, error) {
				return agents.Opened(copilot.Open(ctx, copilot.Config{Path: program.Path, Env: program.Env, Dir: t.TempDir()}))
			}})(t.Context())
			if line := `"msg":"start","error":"` + want + `"`; err == nil || !strings.Contains(log.String(), line) {
				t.Errorf("%v is logged as %s", err, log.String())
			}
		})
	}
}
