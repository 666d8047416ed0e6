//go:build unix

package copilot

import (
	"os/exec"
	"syscall"
)

// killGroup kills the child's process group. One that has ended is no error.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
