package demo

import (
	"context"
	"strings"
	"testing"
	"time"

	"parley/session/processgroup"
)

// TestSlowOutput: what a command printed is taken to its end, however long that takes after
// the command has ended.
func TestSlowOutput(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	cmd := shellCommand(t.Context(), "echo all")
	cmd.Stdout = writer(func(p []byte) (int, error) {
		time.Sleep(300 * time.Millisecond)
		return out.Write(p)
	})
	if err := processgroup.New(cmd).Run(); err != nil || strings.ReplaceAll(out.String(), "\r", "") != "all\n" {
		t.Errorf("%v, %q", err, out.String())
	}
}

// TestStoppedCommand: a command that is stopped ends although what it started has its
// output open.
func TestStoppedCommand(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	command := "sleep 60 & echo started; wait"
	if usesCmd() {
		command = "start /b ping -n 61 127.0.0.1 > nul & echo started& ping -n 61 127.0.0.1 > nul"
	}
	cmd := shellCommand(ctx, command)
	cmd.Stdout = writer(func(p []byte) (int, error) { stop(); return len(p), nil })
	if err := processgroup.New(cmd).Run(); err == nil || t.Context().Err() != nil {
		t.Errorf("%v, %v", err, t.Context().Err())
	}
}
