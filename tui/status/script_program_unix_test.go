//go:build unix

package status

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// All that a program started ends with its time.
func TestScriptProgramGroup(t *testing.T) {
	t.Parallel()
	held := filepath.Join(t.TempDir(), "held") // by the child, while it lives
	if err := unix.Mkfifo(held, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Program{
		Argv:    []string{"sh", "-c", `(sleep 5; echo > "$0.late") 3<>"$0" & echo > "$0.begun"; wait`, held},
		Env:     os.Environ(),
		Timeout: time.Second,
	}.Run(t.Context())
	if _, begun := os.Stat(held + ".begun"); err == nil || begun != nil {
		t.Fatal(err, begun)
	}
	end, err := os.OpenFile(held, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer end.Close()
	if _, err := io.ReadAll(end); err != nil { // until no process holds it
		t.Fatal(err)
	}
	if _, err := os.Stat(held + ".late"); err == nil {
		t.Error("its child lived on")
	}
}
