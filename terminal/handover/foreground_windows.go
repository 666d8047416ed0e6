package handover

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"golang.org/x/sys/windows"

	"parley/terminal"
)

// setConsoleCtrlHandler is not in golang.org/x/sys.
var setConsoleCtrlHandler = windows.NewLazySystemDLL("kernel32.dll").NewProc("SetConsoleCtrlHandler")

// Run runs a program that has the console. Ctrl+c there does not end the window. Input that
// the program did not read is discarded. The end of ctx ends the program. A program that ran
// and failed is an *ExitError.
func (t TTY) Run(ctx context.Context, argv []string) error {
	name := filepath.Base(argv[0])
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = slices.Clone(t.Env), t.In, t.Out, t.Out
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	defer terminal.DiscardInput(t.In)
	// A program that is started later would inherit that ctrl+c is ignored.
	_, _, _ = setConsoleCtrlHandler.Call(0, 1)
	defer func() { _, _, _ = setConsoleCtrlHandler.Call(0, 0) }()
	var exit *exec.ExitError
	switch err := cmd.Wait(); {
	case errors.As(err, &exit):
		return &ExitError{name, fmt.Sprintf("ended with exit code %d", exit.ExitCode())}
	case err != nil:
		return fmt.Errorf("wait for %s: %w", name, err)
	}
	return nil
}

// usualEditors are looked for where no variable names one.
var usualEditors = []string{"edit", "notepad"}

// CanSuspend reports that a shell can stop the process and continue it: Windows has no such
// thing.
const CanSuspend = false

// NotifyStop does nothing: there is no signal that asks a process to stop.
func NotifyStop(chan<- os.Signal) {}

// Suspend does nothing.
func Suspend() error { return nil }
