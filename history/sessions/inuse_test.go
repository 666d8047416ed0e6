package sessions

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"parley/history/lock"
)

// TestInUse: a session is open as long as the process lives that wrote so. A lock
// distinguishes it from another process with its number; without a lock such a one
// counts, too.
func TestInUse(t *testing.T) {
	t.Parallel()
	const noProcess = 1073741823
	ago, now := time.Now().Add(-time.Hour), time.Now().Add(time.Hour) // before this process ran, and new for as long as the test does
	for name, tt := range map[string]struct {
		pid     int
		written time.Time
		hold    bool // there is a file that is locked
		locked  bool // and somebody has it
		want    bool
	}{
		"it lives":                           {pid: os.Getpid(), written: now, want: true},
		"it is gone":                         {pid: noProcess, written: now},
		"a process has its number":           {pid: os.Getpid(), written: ago, want: true},
		"it has the lock":                    {pid: os.Getpid(), written: ago, hold: true, locked: true, want: true},
		"it has the lock, in a container":    {pid: noProcess, written: ago, hold: true, locked: true, want: true},
		"the lock was given back":            {pid: os.Getpid(), written: ago, hold: true},
		"it lives, and is about to lock":     {pid: os.Getpid(), written: now, hold: true, want: true},
		"it is gone, and was about to lock":  {pid: noProcess, written: now, hold: true},
		"it is gone, and others have it now": {pid: noProcess, written: now, hold: true, locked: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			dir := filepath.Join(home, "session-state", "one")
			file := func(end, text string) string {
				path := filepath.Join(dir, fmt.Sprintf("inuse.%d%s", tt.pid, end))
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.Chtimes(path, tt.written, tt.written); err != nil {
					t.Fatal(err)
				}
				return path
			}
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, eventsFile), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			file(".lock", fmt.Sprint(tt.pid))
			if tt.hold {
				hold := file(".hold", "")
				if tt.locked {
					l, err := lock.Try(hold)
					if err != nil || l == nil {
						t.Fatalf("%v, %v", l, err)
					}
					t.Cleanup(func() { _ = l.Release() })
				}
			}
			if l, err := Copilot(home, nil).Log("one"); err != nil || l.InUse != tt.want {
				t.Errorf("in use: %v, %v", l.InUse, err)
			}
		})
	}
}
