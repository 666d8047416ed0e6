package sessions

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

// TestTidy looks which files of an index stay: those of this version from the
// generation in use on, of a newer version, of an older one that somebody has
// written to lately or is writing to, and what is not ours.
func TestTidy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	touch := func(name string, age time.Duration) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	const old, lately = 40 * 24 * time.Hour, 20 * 24 * time.Hour
	now := fmt.Sprintf("sessions-%d", version)
	for _, name := range []string{
		"sessions-1.lock", "sessions-1.3.db", "sessions-1.3.db-wal", "sessions-1.3.db-shm",
		fmt.Sprintf("sessions-%d.0.db", version+1), "sessions-0123456789abcdef-1.0.db", "notes-1.0.db", "sessions-1x.0.db", "marks.json",
	} {
		touch(name, old)
	}
	s := newShelf()
	s.put("one", asked("tide"))
	look := func(what string, want ...string) {
		t.Helper()
		l := openedIn(t, dir, s)
		mustRefresh(t, l)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		var names []string
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if name := f.Name(); strings.HasPrefix(name, "sessions-1.") || strings.HasPrefix(name, now) {
				names = append(names, name)
			}
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s: %q, want %q", what, names, want)
		}
		if len(files)-len(names) != 5 {
			t.Errorf("%s: what is not of this index is gone: %v", what, files)
		}
	}
	look("an old version", now+".1.db", now+".lock")
	if err := os.Rename(filepath.Join(dir, now+".1.db"), filepath.Join(dir, now+".2.db")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".1.db", ".1.db-wal"} { // whoever removed them was killed
		touch(now+name, 0)
	}
	touch(now+".9.db-wal", 0)
	look("an earlier generation", now+".2.db", now+".lock")
	touch("sessions-1.lock", old)
	touch("sessions-1.0.db", old)
	touch("sessions-1.1.db", lately)
	look("a version that is in use", "sessions-1.0.db", "sessions-1.1.db", "sessions-1.lock", now+".2.db", now+".lock")
	touch("sessions-1.1.db", old)
	lock := flock.New(filepath.Join(dir, "sessions-1.lock"))
	if ok, err := lock.TryLock(); !ok || err != nil {
		t.Fatalf("%v, %v", ok, err)
	}
	look("one that is locked", "sessions-1.0.db", "sessions-1.1.db", "sessions-1.lock", now+".2.db", now+".lock")
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	look("one that was", now+".2.db", now+".lock")
}
