package sessions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

// stocked is a shelf with some sessions, of which each holds its own word.
func stocked(n int) *shelf {
	s := newShelf()
	for i := range n {
		s.put(session.ID(fmt.Sprintf("s%02d", i)), asked(fmt.Sprintf("the tide and word%d", i)), answered(strings.Repeat(fmt.Sprintf("ebb%d moon ", i), 400)))
	}
	return s
}

// indexFile is the file of the index in a folder.
func indexFile(t *testing.T, dir string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "sessions-*.db"))
	if err != nil || len(names) != 1 {
		t.Fatalf("the index: %v, %v", names, err)
	}
	return names[0]
}

// TestDamagedWhileOpen damages the files of an index under a library. It stays usable,
// says so where it finds out, and a refresh puts all right.
func TestDamagedWhileOpen(t *testing.T) {
	t.Parallel()
	garbage := func(from, to float64) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			t.Helper()
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			part := b[int(from*float64(len(b))):int(to*float64(len(b)))]
			copy(part, bytes.Repeat([]byte("garbage "), len(part)/8+1))
			rewrite(t, path, b)
		}
	}
	for name, damage := range map[string]func(*testing.T, string){
		"head":      garbage(0, 0.01),
		"all":       garbage(0, 1),
		"tables":    garbage(0.02, 0.3),
		"end":       garbage(0.3, 1),
		"truncated": func(t *testing.T, path string) { t.Helper(); truncate(t, path, 20_000) },
		"empty":     func(t *testing.T, path string) { t.Helper(); truncate(t, path, 0) },
		"deleted": func(t *testing.T, path string) {
			t.Helper()
			sessiontest.UnixOnly(t, "that a file is removed that is open")
			for _, suffix := range []string{"", "-wal", "-shm"} {
				if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Fatal(err)
				}
			}
		},
		"folder deleted": func(t *testing.T, path string) {
			t.Helper()
			sessiontest.UnixOnly(t, "that a file is removed that is open")
			if err := os.RemoveAll(filepath.Dir(path)); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, dir := stocked(30), filepath.Join(t.TempDir(), "cache")
			events := maps.Clone(s.events)
			first := openedIn(t, dir, s)
			mustRefresh(t, first)
			if _, err := first.index.db.write.ExecContext(t.Context(), "pragma wal_checkpoint(truncate)"); err != nil {
				t.Fatal(err)
			}
			other := openedIn(t, dir, s) // as another process has it
			ids(t, other, "moon")
			damage(t, indexFile(t, dir))
			third := openedIn(t, dir, s)
			for _, l := range []*Library{first, other, third} {
				for _, query := range []string{"", "moon", "word7", `"the tide"`, "w"} {
					if found := mustFind(t, l, query); query == "" && found.Total != 30 {
						t.Errorf("%d of 30 sessions are there: %v", found.Total, found.Warnings)
					}
				}
			}
			// Garbage that no search has come across yet is found by writing, too.
			s.put("s03", answered("flood"))
			s.put("new", asked("moon"))
			for _, l := range []*Library{first, other, third} {
				mustRefresh(t, l)
			}
			mustRefresh(t, openedIn(t, dir, s))
			for _, l := range []*Library{first, other, third} {
				if name == "end" || name == "tables" { // what SQLite does not notice, the user can
					if err := l.Rebuild(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				same(t, l, anew(t, s), []string{"moon", "word7", "flood", "ebb12"})
			}
			delete(s.events, "new")
			events["s03"] = s.events["s03"]
			if !maps.EqualFunc(events, s.events, bytes.Equal) {
				t.Error("a log was changed")
			}
		})
	}
}

func rewrite(t *testing.T, path string, b []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(b, 0); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func truncate(t *testing.T, path string, size int64) {
	t.Helper()
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}

// TestDamageIsReported says that an index was damaged until it was mended, and once more.
func TestDamageIsReported(t *testing.T) {
	t.Parallel()
	s, dir := stocked(3), t.TempDir()
	l := openedIn(t, dir, s)
	mustRefresh(t, l)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(indexFile(t, dir), []byte("this is no database, whatever its name says"), 0o600); err != nil {
		t.Fatal(err)
	}
	l = openedIn(t, dir, s)
	if found := mustFind(t, l, ""); found.Total != 3 || len(found.Warnings) != 1 || found.Warnings[0] != damagedWarning {
		t.Errorf("got %d, %q", found.Total, found.Warnings)
	}
	mustRefresh(t, l)
	if found := mustFind(t, l, "word1"); found.Total != 1 || len(found.Warnings) != 1 || found.Warnings[0] != rebuiltWarning {
		t.Errorf("got %d, %q", found.Total, found.Warnings)
	}
	mustRefresh(t, l)
	if found := mustFind(t, l, "word1"); found.Total != 1 || len(found.Warnings) != 0 {
		t.Errorf("got %d, %q", found.Total, found.Warnings)
	}
	indexFile(t, dir) // and nothing is left of the damaged one
}

// TestNoRoom fills the disk, as far as SQLite knows, while an index is built.
func TestNoRoom(t *testing.T) {
	t.Parallel()
	s, dir := stocked(2), t.TempDir()
	l := openedIn(t, dir, s)
	mustRefresh(t, l)
	limit := func(pages int) {
		if _, err := l.index.db.write.ExecContext(t.Context(), fmt.Sprintf("pragma max_page_count = %d", pages)); err != nil {
			t.Fatal(err)
		}
	}
	limit(1) // it is as many as there are
	for i := range 50 {
		s.put(session.ID(fmt.Sprintf("n%02d", i)), asked(fmt.Sprintf("%x", bytes.Repeat([]byte{byte(i), 7}, 8000))), answered(strings.Repeat("flood ", 3000)))
	}
	if err := l.Refresh(t.Context()); !full(err) {
		t.Fatalf("got %v", err)
	}
	found := mustFind(t, l, "")
	if found.Total != 52 || !found.Indexing.Busy() || len(found.Warnings) != 1 || !strings.Contains(found.Warnings[0], "Make room at "+dir) {
		t.Errorf("got %d, %+v, %q", found.Total, found.Indexing, found.Warnings)
	}
	if got := ids(t, l, "word1"); got != "s01" {
		t.Errorf("what was found before: %q", got)
	}
	limit(1 << 30)
	mustRefresh(t, l)
	if found := mustFind(t, l, "flood"); found.Total != 50 || found.Warnings != nil {
		t.Errorf("with room again: %d, %q", found.Total, found.Warnings)
	}
}

// TestNoFolder has the index in memory where it cannot be kept.
func TestNoFolder(t *testing.T) {
	t.Parallel()
	s, dir := stocked(5), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cache"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l := openedIn(t, filepath.Join(dir, "cache"), s)
	mustRefresh(t, l)
	if found := mustFind(t, l, "word3"); found.Total != 1 || len(found.Warnings) == 0 || !strings.Contains(found.Warnings[0], "cannot be kept") {
		t.Errorf("got %d, %q", found.Total, found.Warnings)
	}
	if err := l.Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	same(t, l, anew(t, s), []string{"moon"})
}

// TestAtOnce uses a library in all ways at the same time.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	s, dir := stocked(20), t.TempDir()
	libraries := []*Library{openedIn(t, dir, s), openedIn(t, dir, s), openedIn(t, "", s)}
	var working sync.WaitGroup
	for _, l := range libraries {
		for i := range 3 {
			working.Go(func() {
				for n := range 4 {
					s.put(session.ID(fmt.Sprintf("s%02d", n)), answered("flood"))
					var err error
					if i == 0 && n == 2 {
						err = l.Rebuild(t.Context())
					} else {
						err = l.Refresh(t.Context())
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		working.Go(func() {
			for range 30 {
				if q, err := ParseQuery("moon wo -flut", noon()); err != nil {
					t.Error(err)
				} else if _, err := l.Find(t.Context(), Request{Query: q, Scope: Everywhere}); err != nil {
					t.Error(err)
				}
				l.Progress()
				if _, err := l.Stats(t.Context(), Request{Scope: Everywhere}); err != nil {
					t.Error(err)
				}
				if err := l.Mark(t.Context(), "s01", func(m *Mark) { m.Pinned = !m.Pinned }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	working.Wait()
	for _, l := range libraries {
		mustRefresh(t, l)
		if found := mustFind(t, l, "moon flood"); found.Total != 4 {
			t.Errorf("found %d: %q", found.Total, found.Warnings)
		}
	}
}

// TestClose ends what is under way.
func TestClose(t *testing.T) {
	t.Parallel()
	s := stocked(10)
	l := openedIn(t, t.TempDir(), s)
	begun := make(chan struct{})
	var once sync.Once
	s.reads = func(session.ID) { once.Do(func() { close(begun) }) }
	ended := make(chan error)
	go func() { ended <- l.Refresh(context.Background()) }()
	<-begun
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := l.Refresh(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	if found, err := l.Find(t.Context(), Request{Scope: Everywhere}); err != nil || found.Total != 10 {
		t.Errorf("after the end: %d, %v", found.Total, err)
	}
}
