package local

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// LeadGroup makes a command lead a process group, which is killed when the context of the
// command ends: a child that is left would hold its output open.
func LeadGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return KillGroup(cmd) }
}

// KillGroup kills what is left of the process group that a started command leads. If
// nothing is, it returns os.ErrProcessDone.
func KillGroup(cmd *exec.Cmd) error {
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return os.ErrProcessDone
}
