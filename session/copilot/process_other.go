//go:build !unix

package copilot

import "os/exec"

func group(*exec.Cmd) {}

// killGroup kills the child. That it is gone is no error.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
