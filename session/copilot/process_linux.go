package copilot

import (
	"os/exec"
	"syscall"
)

// group puts the child into a process group of its own, out of reach of the
// terminal's signals, and has it told to end should Parley die.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
