//go:build !linux

package copilot

import (
	"os/exec"
	"syscall"
)

// group puts the child into a process group of its own, out of reach of the
// terminal's signals. Its input ends when Parley dies.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killMarked does nothing: other processes' environments cannot be read here. A
// tool that outlives a runtime that was killed is left.
func killMarked(string) {}
