package sessiontest

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
)

// TestProgramIsStarted writes programs and starts them while others are started.
func TestProgramIsStarted(t *testing.T) {
	t.Parallel()
	UnixOnly(t, "a POSIX shell")
	dir := t.TempDir()
	var all sync.WaitGroup
	for w := range 8 {
		all.Go(func() {
			for i := range 40 {
				path := Program(t, filepath.Join(dir, strconv.Itoa(w)+"-"+strconv.Itoa(i)), "#!/bin/sh\n")
				if err := exec.CommandContext(t.Context(), path).Run(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}
