package reporttext

import (
	"path/filepath"
	"testing"

	"parley/session"
)

// Files that did not exist before are deleted by a rewind, not restored, and it says so
// before and after.
func TestRewindDeletesCreated(t *testing.T) {
	t.Parallel()
	made, changed := session.FileChange{Path: "/made", Change: "created"}, session.FileChange{Path: "/changed", Change: "modified"}
	for _, c := range []struct {
		changes      []session.FileChange
		asked, after string
	}{
		{[]session.FileChange{changed}, "Restore 1 file?", "1 file restored"},
		{[]session.FileChange{made}, "Delete 1 file?", "1 file deleted"},
		{[]session.FileChange{made, changed, changed}, "Restore 2 files and delete 1?", "2 files restored, 1 deleted"},
	} {
		w := FilesAtStake{Count: len(c.changes), Changes: c.changes}
		var paths []string
		for _, f := range c.changes {
			paths = append(paths, f.Path)
		}
		if asked := w.Question(); asked != c.asked {
			t.Errorf("asked %q, want %q", asked, c.asked)
		}
		if after := w.PutBack(paths); after != c.after {
			t.Errorf("said %q, want %q", after, c.after)
		}
	}
}

// TestRewindAtStake: what becomes of the files is said of one as of one, and of files
// without a copy as what it is.
func TestRewindAtStake(t *testing.T) {
	t.Parallel()
	made, changed := session.FileChange{Path: "/made", Change: "created"}, session.FileChange{Path: "/changed", Change: "modified"}
	lost := session.FileChange{Path: "/lost", Change: "modified", NoCopy: true}
	for _, c := range []struct {
		changes     []session.FileChange
		left, files string
	}{
		{[]session.FileChange{made}, "it stays as it is", "it is deleted"},
		{[]session.FileChange{changed}, "it stays as it is", "it is restored"},
		{[]session.FileChange{lost}, "it stays as it is", "it cannot be put back"},
		{[]session.FileChange{made, made}, "they stay as they are", "they are deleted"},
		{[]session.FileChange{changed, changed}, "they stay as they are", "they are restored"},
		{[]session.FileChange{lost, lost}, "they stay as they are", "they cannot be put back"},
		{[]session.FileChange{made, changed}, "they stay as they are", "the created ones are deleted, the others restored"},
		{[]session.FileChange{made, changed, lost}, "they stay as they are", "2 can be put back"},
	} {
		for files, want := range map[bool]string{false: c.left, true: c.files} {
			w := FilesAtStake{Count: len(c.changes), Changes: c.changes, Short: filepath.Base}
			if got := w.Become(files); got != want {
				t.Errorf("%v, files %v: %q, want %q", c.changes, files, got, want)
			}
		}
	}
}
