//go:build unix

package sessiontest

import "syscall"

// Mkfifo makes a named pipe.
func Mkfifo(path string) error { return syscall.Mkfifo(path, 0o600) }

// Signal sends a signal to a process, or to a group if pid is negative.
func Signal(pid int, signal syscall.Signal) error { return syscall.Kill(pid, signal) }

// Stop is the signal of ctrl+z.
const Stop = syscall.SIGTSTP

// OwnTerminal is for a process whose standard input is its terminal.
func OwnTerminal() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true, Setctty: true} }

// OwnGroup is for a process that leads a process group.
func OwnGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
