//go:build unix

package demo

import (
	"context"
	"os/exec"
)

// usesCmd reports whether commands run in cmd.exe.
func usesCmd() bool { return false }

func inShell(ctx context.Context, text string) *exec.Cmd {
	return exec.CommandContext(ctx, "sh", "-c", text)
}
