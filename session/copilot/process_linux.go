package copilot

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
)

// endWithParent has the child end should Parley die.
func endWithParent(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGTERM }

// killMarked kills every process that has the mark, a NAME=value, in its
// environment: the tools of a runtime that could not end them, which are in
// groups of their own. It looks again until no process has it, since they may have
// started others meanwhile.
func killMarked(mark string) {
	for range 10 {
		dirs, _ := filepath.Glob("/proc/[0-9]*") // the pattern is well-formed
		found := false
		for _, dir := range dirs {
			found = killIfMarked(dir, []byte(mark)) || found
		}
		if !found {
			return
		}
	}
}

// killIfMarked holds on to the process before it looks at it, so that the one it
// kills is the one it looked at.
func killIfMarked(dir string, mark []byte) bool {
	pid, err := strconv.Atoi(filepath.Base(dir))
	if err != nil {
		return false
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = p.Release() }()
	env, err := os.ReadFile(filepath.Join(dir, "environ")) // another user's cannot be read
	marked := func(v []byte) bool { return bytes.Equal(v, mark) }
	if err != nil || !slices.ContainsFunc(bytes.Split(env, []byte{0}), marked) {
		return false
	}
	return p.Kill() == nil
}
