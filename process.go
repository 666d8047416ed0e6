package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"

	"parley/render"
	"parley/session"
	"parley/settings"
)

// The exit codes.
const (
	exitOK      = 0
	exitFailure = 1 // what was asked for could not be done
	exitUsage   = 2 // the command line makes no sense
)

// console is the process around a command: what it may read, write and know.
type console struct {
	in, out, err *os.File
	env          []string
}

// complain writes an error in one line. Parts of it may come from an agent, so
// nothing in it reaches the terminal unfiltered.
func complain(w io.Writer, err error) {
	_, _ = fmt.Fprintf(w, "parley: %s\n", render.SanitizeLine(strings.Join(strings.Fields(err.Error()), " ")))
}

// printStack writes where the program panicked, if that is what the error is: whoever
// reports the mistake needs it.
func printStack(w io.Writer, err error) {
	var crash *session.PanicError
	if errors.As(err, &crash) {
		_, _ = fmt.Fprintf(w, "This is a mistake in Parley. Where it happened:\n%s\n", render.Sanitize(string(crash.Stack)))
	}
}

// finish says what went wrong, and returns the exit code.
func finish(c console, err error) int {
	var failed failure
	var signal signalled
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &signal):
		_, _ = c.err.WriteString(signal.trace)
		return signal.code()
	case errors.Is(err, errSilent):
		return exitFailure
	case errors.As(err, &failed):
		for _, err := range settings.Mistakes(err) {
			complain(c.err, err)
		}
		printStack(c.err, err)
		return exitFailure
	}
	complain(c.err, err)
	return exitUsage
}

// agrees asks the user a question, if there is one to ask. Only yes is yes.
func (c console) agrees(question string) bool {
	if !term.IsTerminal(c.in.Fd()) || !term.IsTerminal(c.out.Fd()) {
		return false
	}
	_, _ = fmt.Fprint(c.err, "\n"+question)
	answer, _ := bufio.NewReader(c.in).ReadString('\n')
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}
