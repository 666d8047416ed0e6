package sessions

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"parley/session/sessiontest"
)

// TestMistakeKeepsTheIndex: a statement that SQLite does not understand is reported, and
// is no reason to build everything anew.
func TestMistakeKeepsTheIndex(t *testing.T) {
	t.Parallel()
	s, dir := stocked(3), t.TempDir()
	l := openedIn(t, dir, s)
	mustRefresh(t, l)
	db, file := l.indexForReading(t.Context()), indexFile(t, dir)
	_, err := db.read.ExecContext(t.Context(), "select nonsense from sessions")
	if err == nil {
		t.Fatal("there is such a column")
	}
	l.indexFailed(db, err)
	if l.indexForReading(t.Context()) != db || indexFile(t, dir) != file {
		t.Error("the index is another one")
	}
	if warnings := l.warningTexts(); len(warnings) != 1 || !strings.Contains(warnings[0], "nonsense") {
		t.Errorf("warned %q", warnings)
	}
	if found := mustFind(t, l, "word1"); found.Total != 1 || found.Warnings != nil {
		t.Errorf("found %d, %q", found.Total, found.Warnings)
	}
}

// TestUnreadableIndexIsKept: an index that cannot be opened now is not thrown away,
// and is used again when it can.
func TestUnreadableIndexIsKept(t *testing.T) {
	t.Parallel()
	sessiontest.UnixOnly(t, "a link to itself")
	s, dir := stocked(3), t.TempDir()
	l := openedIn(t, dir, s)
	mustRefresh(t, l)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	file := indexFile(t, dir)
	if err := errors.Join(os.Rename(file, file+".away"), os.Symlink(file, file)); err != nil {
		t.Fatal(err)
	}
	l = openedIn(t, dir, s)
	if found := mustFind(t, l, ""); found.Total != 3 || len(found.Warnings) != 1 || !strings.Contains(found.Warnings[0], "cannot be read now") {
		t.Errorf("before it was built: %d, %q", found.Total, found.Warnings)
	}
	mustRefresh(t, l)
	if found := mustFind(t, l, "word1"); found.Total != 1 || len(found.Warnings) != 1 || !strings.Contains(found.Warnings[0], "cannot be kept") {
		t.Errorf("in memory: %d, %q", found.Total, found.Warnings)
	}
	if to, err := os.Readlink(file); err != nil || to != file {
		t.Fatalf("it was thrown away: %q, %v", to, err)
	}
	if err := os.Rename(file+".away", file); err != nil {
		t.Fatal(err)
	}
	l = openedIn(t, dir, s)
	if found := mustFind(t, l, "word1"); found.Total != 1 || found.Warnings != nil {
		t.Errorf("readable again: %d, %q", found.Total, found.Warnings)
	}
}

// TestOpeningLocksNothing: how far the index is can be asked while it is opened,
// which takes long where another process has it to itself.
func TestOpeningLocksNothing(t *testing.T) {
	t.Parallel()
	s, dir := stocked(3), t.TempDir()
	first := openedIn(t, dir, s)
	mustRefresh(t, first)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	other, err := sql.Open("sqlite", "file:"+indexFile(t, dir)+"?_pragma=locking_mode(exclusive)")
	if err != nil {
		t.Fatal(err)
	}
	other.SetMaxOpenConns(1)
	if _, err := other.ExecContext(t.Context(), "update state set revision = revision"); err != nil {
		t.Fatal(err)
	}
	l := openedIn(t, dir, s)
	done := make(chan *database, 1)
	go func() { done <- l.indexForReading(context.Background()) }()
	for len(l.opening) == 0 {
		time.Sleep(time.Millisecond) // until it is about to be opened
	}
	l.Progress()
	l.warningTexts()
	select {
	case db := <-done:
		t.Errorf("it was opened before: %v", db)
	default:
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if db := <-done; db == nil {
		t.Errorf("it was not opened: %q", l.warningTexts())
	}
}
