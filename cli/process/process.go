// Package process is the process around a command of Parley: its streams, its
// environment, the signals that end it, and how it says what went wrong.
package process

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"

	"parley/render/text"
	"parley/session"
	"parley/settings"
)

// The exit codes.
const (
	ExitOK      = 0
	ExitFailure = 1 // what was asked for could not be done
	ExitUsage   = 2 // the command line makes no sense
)

// Console is the process around a command: what it may read, write and know.
type Console struct {
	In, Out, Err *os.File
	Env          []string
}

// Complain writes an error in one line. Parts of it may come from an agent, so
// nothing in it reaches the terminal unfiltered.
func Complain(w io.Writer, err error) {
	_, _ = fmt.Fprintf(w, "parley: %s\n", text.SanitizeLine(strings.Join(strings.Fields(err.Error()), " ")))
}

// PrintStack writes where the program panicked, if that is what the error is: whoever
// reports the mistake needs it.
func PrintStack(w io.Writer, err error) {
	var crash *session.PanicError
	if errors.As(err, &crash) {
		_, _ = fmt.Fprintf(w, "This is a mistake in Parley. Where it happened:\n%s\n", text.Sanitize(string(crash.Stack)))
	}
}

// ExitCode says what went wrong, and returns the exit code.
func ExitCode(c Console, err error) int {
	var failed failure
	var signal SignalError
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &signal):
		_, _ = c.Err.WriteString(signal.trace)
		return signal.Code()
	case errors.Is(err, ErrSilent):
		return ExitFailure
	case errors.As(err, &failed):
		for _, err := range settings.Mistakes(err) {
			Complain(c.Err, err)
		}
		PrintStack(c.Err, err)
		return ExitFailure
	}
	Complain(c.Err, err)
	return ExitUsage
}

// SettingsPath is where the settings are, or would be; "" if there is no folder for them.
func SettingsPath(c Console) string {
	home, _ := os.UserHomeDir()
	return settings.Path(c.Env, home)
}

// Agrees asks the user a question, if there is one to ask. Only yes is yes.
func (c Console) Agrees(question string) bool {
	if !term.IsTerminal(c.In.Fd()) || !term.IsTerminal(c.Out.Fd()) {
		return false
	}
	_, _ = fmt.Fprint(c.Err, "\n"+question)
	answer, _ := bufio.NewReader(c.In).ReadString('\n')
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}
