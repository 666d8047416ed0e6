//go:build !unix

package copilot

import "os/exec"

func group(*exec.Cmd) {}

// killGroup kills the child. One that has ended is no error.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

// killMarked does nothing: other processes' environments cannot be read here. A
// tool that outlives a runtime that was killed is left.
func killMarked(string) {}
