package sessions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRecall looks whether a new process reads again what the index knows. It must
// not, for that is most of what a look at thousands of sessions costs; so what was
// changed behind its back, to the same size and time, is not seen. A file that has
// only just been written is read again.
func TestRecall(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		age  time.Duration
		want string
	}{
		"known":       {time.Hour, "first"},
		"just now":    {0, "other"},
		"clock wrong": {-time.Hour, "other"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			stockedHome(t, dir, 1)
			logs, err := filepath.Glob(filepath.Join(dir, "home", "session-state", "*"))
			if err != nil || len(logs) != 1 {
				t.Fatalf("%v, %v", logs, err)
			}
			at := time.Now().Add(-c.age)
			write := func(name string, at time.Time) {
				t.Helper()
				file := filepath.Join(logs[0], workspaceFile)
				if err := os.WriteFile(file, []byte("name: "+name+"\ncwd: /w/'é'\ncreated_at: 2026-11-20T08:00:00.5Z\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.Chtimes(file, at, at); err != nil {
					t.Fatal(err)
				}
			}
			title := func() string {
				l := homeLibrary(t, dir, filepath.Join(dir, "cache"))
				mustRefresh(t, l)
				found := mustFind(t, l, "")
				if found.Total != 1 || found.Sessions[0].Dir != "/w/'é'" || found.Sessions[0].Created.Nanosecond() != 5e8 {
					t.Errorf("found %+v", found)
				}
				return found.Sessions[0].Title
			}
			write("first", at)
			if got := title(); got != "first" {
				t.Errorf("at first it is called %q", got)
			}
			write("other", at)
			if got := title(); got != c.want {
				t.Errorf("it is called %q", got)
			}
			write("third one", at.Add(time.Second))
			if got := title(); got != "third one" {
				t.Errorf("when that has changed it is called %q", got)
			}
		})
	}
}

// TestRecallWritesNothing looks whether what is recalled is stored as it was, so
// that a look at sessions in which nothing is new leaves the index as it is.
func TestRecallWritesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stockedHome(t, dir, 3)
	files, _ := filepath.Glob(filepath.Join(dir, "home", "session-state", "*")) // the pattern is well formed
	for i, folder := range files {
		file := filepath.Join(folder, workspaceFile)
		text := []string{"name: '@@plain'\n", "name: \"\\u00fc\\xff\"\n", strings.Repeat("\xff", 10)}[i]
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, midday.AddDate(-1, 0, 0), midday.AddDate(-1, 0, 0)); err != nil {
			t.Fatal(err)
		}
	}
	revision := func() (n int) {
		l := homeLibrary(t, dir, filepath.Join(dir, "cache"))
		mustRefresh(t, l)
		if err := l.indexForReading(t.Context()).read.QueryRowContext(t.Context(), "select revision from state").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if first, again := revision(), revision(); again != first {
		t.Errorf("the index was written again: revision %d after %d", again, first)
	}
}
