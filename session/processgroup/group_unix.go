//go:build unix

package processgroup

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// Group is a command with what it starts. The system knows it by the number of the process that
// leads it.
type Group struct{ cmd *exec.Cmd }

func (g *Group) lead() { g.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// NewSession is New for a command that cannot reach the terminal: it leads a session of its own.
func NewSession(cmd *exec.Cmd) *Group {
	g := New(cmd)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return g
}

// Start starts the command.
func (g *Group) Start() error { return g.cmd.Start() }

// Terminate asks what is left of the group to end.
func (g *Group) Terminate() { _ = syscall.Kill(-g.cmd.Process.Pid, syscall.SIGTERM) }

// Kill kills what is left of the group of a started command. If nothing is, it returns
// os.ErrProcessDone.
func (g *Group) Kill() error {
	if err := syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL); !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return os.ErrProcessDone
}
