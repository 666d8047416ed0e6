// Package processgroup starts a command so that all of it can be ended: what it started in
// turn too. It is out of reach of the keys of the terminal.
package processgroup

import (
	"os/exec"
	"runtime"
)

// New returns the group of a command that was not started. It is killed when the context of the
// command ends: a child that is left would hold its output open.
func New(cmd *exec.Cmd) *Group {
	g := &Group{cmd: cmd}
	g.lead()
	if cmd.Cancel != nil {
		cmd.Cancel = g.Kill
	}
	return g
}

// Run starts the command and waits for its end.
func (g *Group) Run() error {
	if err := g.Start(); err != nil {
		return err
	}
	defer runtime.KeepAlive(g) // on Windows the command ends with it
	return g.cmd.Wait()
}
