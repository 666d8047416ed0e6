// Package handover gives the terminal of a window to another program for a while, and
// takes it back: to the user's editor, to a sign-in, to the shell. It knows nothing of
// what the window shows.
package handover

import "os"

// TTY is the terminal of a window, with the environment of the programs that get it.
type TTY struct {
	In, Out *os.File
	Env     []string
}

// ExitError is the error of a program that had the terminal, ran and failed.
type ExitError struct{ Name, How string }

// Error implements error.
func (e *ExitError) Error() string { return e.Name + " " + e.How }
