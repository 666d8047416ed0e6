package sessiontest

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// Mkfifo fails: there are no pipes in folders.
func Mkfifo(path string) error {
	return fmt.Errorf("make the pipe %s: %w", path, errors.ErrUnsupported)
}

// Signal ends a process, whatever the signal is.
func Signal(pid int, _ syscall.Signal) error {
	p, err := os.FindProcess(max(pid, -pid))
	if err != nil {
		return err
	}
	return p.Kill()
}

// Stop is the signal of ctrl+z, which there is none of.
const Stop = syscall.Signal(0)

// Freeze stops a process and Thaw has it continue: there is neither.
const (
	Freeze = syscall.Signal(0)
	Thaw   = syscall.Signal(0)
)

// Readable is true: reading waits.
func Readable(*os.File, int) bool { return true }

// OwnTerminal is for a process whose standard input is its terminal.
func OwnTerminal() *syscall.SysProcAttr { return nil }

// OwnGroup is for a process that leads a process group.
func OwnGroup() *syscall.SysProcAttr { return nil }
