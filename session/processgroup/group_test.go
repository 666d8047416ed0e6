package processgroup_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"parley/session/processgroup"
)

// TestGroupEndsWithItsContext: what a command has started ends with it, as the end of its
// output shows, and a group that has ended is told from one that cannot be killed.
func TestGroupEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, "sh", "-c", "sleep 600 & echo started; wait")
	ends := exec.CommandContext(t.Context(), "true")
	if runtime.GOOS == "windows" {
		cmd = exec.CommandContext(ctx, "cmd", "/c", "start /b ping -n 600 127.0.0.1 & echo started& ping -n 600 127.0.0.1 >nul")
		ends = exec.CommandContext(t.Context(), "cmd", "/c", "exit 0")
	}
	group := processgroup.New(cmd)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = group.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	more := lines.Scan()
	for more && runtime.GOOS == "windows" && lines.Text() != "started" { // ping writes too
		more = lines.Scan()
	}
	if lines.Text() != "started" {
		t.Fatalf("it says %q", lines.Text())
	}
	stop()
	for lines.Scan() {
		if runtime.GOOS != "windows" {
			t.Errorf("it goes on: %q", lines.Text())
		}
	}
	if err := cmd.Wait(); err == nil {
		t.Error("it ended well")
	}
	ended := processgroup.New(ends)
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	if err := ended.Kill(); !errors.Is(err, os.ErrProcessDone) {
		t.Errorf("a group that has ended: %v", err)
	}
}
