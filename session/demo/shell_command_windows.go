package demo

import (
	"context"
	"os/exec"
	"sync"
	"syscall"
)

// usesCmd reports whether commands run in cmd.exe: Windows mostly has no sh.
var usesCmd = sync.OnceValue(func() bool {
	_, err := exec.LookPath("sh")
	return err != nil
})

// inShell has cmd.exe run a command as it is written, of which it takes away only the quotes
// around all of it. What the command prints is UTF-8.
func inShell(ctx context.Context, text string) *exec.Cmd {
	if !usesCmd() {
		return exec.CommandContext(ctx, "sh", "-c", text)
	}
	cmd := exec.CommandContext(ctx, "cmd.exe")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd.exe /d /q /s /c "chcp 65001 > nul & ` + text + `"`}
	return cmd
}
