//go:build !linux

package copilot

import "os/exec"

// endWithParent does nothing. On Windows the child ends with Parley, as all of a process
// group does there; elsewhere its input ends when Parley dies.
func endWithParent(*exec.Cmd) {}

// killMarked does nothing: other processes' environments cannot be read here. On Windows
// what a tool starts is in its group; elsewhere a tool that outlives a runtime that was
// killed is left.
func killMarked(string) {}
