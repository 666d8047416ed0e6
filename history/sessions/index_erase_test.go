package sessions

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestErase: nothing that was said in a session that is gone is in a byte of the files of an index, whether it went
// now or earlier, and those of an older version go. What there is of others is found still.
func TestErase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	holding := func(word string) (files []string) {
		t.Helper()
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			all, err := os.ReadFile(path)
			if bytes.Contains(all, []byte(word)) {
				files = append(files, filepath.Base(path))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	older := filepath.Join(dir, fmt.Sprintf("sessions-%d.1.db", version-1))
	if err := os.WriteFile(older, []byte("zqwharf"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newShelf()
	for i := range 20 { // several transactions, and pages
		s.put("stays", asked(fmt.Sprintf("tide %d %s", i, strings.Repeat("moon ", 2000))))
	}
	s.put("before", asked("xqlantern"))
	s.put("now", asked("zqwharf"), answered(strings.Repeat("zqwharf yqbuoy ", 5000)))
	l := openedIn(t, dir, s)
	mustRefresh(t, l)
	s.remove("before")
	mustRefresh(t, l)
	s.put("now", asked("vqmooring"))
	mustRefresh(t, l)
	s.remove("now")
	words := []string{"qlantern", "qwharf", "qbuoy", "qmooring"} // words that begin alike have their beginning once
	for _, w := range words {
		if len(holding(w)) == 0 {
			t.Fatalf("%s is not to be seen in the index", w)
		}
	}
	s.failed = errors.New("the disk is slow")
	if err := l.Erase(t.Context()); err == nil {
		t.Error("it is erased where what is there is not known")
	}
	s.failed = nil
	if err := l.Erase(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, w := range words {
		if in := holding(w); len(in) > 0 {
			t.Errorf("%s is in %q", w, in)
		}
	}
	if got := mustFind(t, l, "moon").Total; got != 1 {
		t.Errorf("%d sessions are found", got)
	}
}
