//go:build unix

package sessiontest

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Mkfifo makes a named pipe.
func Mkfifo(path string) error { return syscall.Mkfifo(path, 0o600) }

// Signal sends a signal to a process, or to a group if pid is negative.
func Signal(pid int, signal syscall.Signal) error { return syscall.Kill(pid, signal) }

// Stop is the signal of ctrl+z.
const Stop = syscall.SIGTSTP

// Freeze is the signal that stops a process wherever it is, and Thaw that which has it continue.
const (
	Freeze = syscall.SIGSTOP
	Thaw   = syscall.SIGCONT
)

// Readable reports whether a file has something to read, or is closed. It waits for that so many milliseconds; -1 is for ever.
func Readable(file *os.File, wait int) bool {
	for {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(file.Fd()), Events: unix.POLLIN}}, wait)
		if !errors.Is(err, unix.EINTR) {
			return n > 0 || err != nil
		}
	}
}

// OwnTerminal is for a process whose standard input is its terminal.
func OwnTerminal() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true, Setctty: true} }

// OwnGroup is for a process that leads a process group.
func OwnGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
