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
	made, changed := session.FileChange{Path: "/made", Change: "created", Compared: true}, session.FileChange{Path: "/changed", Change: "modified", Compared: true}
	gone, unseen := session.FileChange{Path: "/gone", Change: "created", Compared: true, Gone: true}, session.FileChange{Path: "/unseen", Change: "modified"}
	mine := session.FileChange{Path: "/mine", Change: "modified", Compared: true, Foreign: true}
	for _, c := range []struct {
		changes      []session.FileChange
		asked, after string
	}{
		{[]session.FileChange{changed}, "Restore 1 file?", "1 file restored"},
		{[]session.FileChange{made}, "Delete 1 file?", "1 file deleted"},
		{[]session.FileChange{gone}, "Go back? The created files are deleted already.", "1 file deleted"},
		{[]session.FileChange{unseen}, "Restore 1 file if nothing else changed it?", "1 file restored"},
		{[]session.FileChange{mine}, "Rewind without restoring mine?", "1 file restored"},
		{[]session.FileChange{changed, mine}, "Restore 1 file, not mine?", "2 files restored"},
		{[]session.FileChange{made, changed, changed}, "Restore 2 files and delete 1?", "2 files restored, 1 deleted"},
	} {
		w := FilesAtStake{Count: len(c.changes), Changes: c.changes, Short: filepath.Base}
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
	made, changed := session.FileChange{Path: "/made", Change: "created", Compared: true}, session.FileChange{Path: "/changed", Change: "modified", Compared: true}
	mine, unseen := changed, session.FileChange{Path: "/unseen", Change: "modified"}
	mine.Foreign = true
	gone := made
	gone.Gone = true
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
		{[]session.FileChange{mine}, "it stays as it is", "it cannot be put back"},
		{[]session.FileChange{changed, mine}, "they stay as they are", "1 can be put back"},
		{[]session.FileChange{gone}, "it stays as it is", "it is deleted already"},
		{[]session.FileChange{gone, changed}, "they stay as they are", "they are restored"},
		{[]session.FileChange{unseen}, "it stays as it is", "it is restored if nothing else changed it"},
		{[]session.FileChange{unseen, changed}, "they stay as they are", "they are restored where nothing else changed them"},
	} {
		for files, want := range map[bool]string{false: c.left, true: c.files} {
			w := FilesAtStake{Count: len(c.changes), Changes: c.changes, Short: filepath.Base}
			if got := w.Become(files); got != want {
				t.Errorf("%v, files %v: %q, want %q", c.changes, files, got, want)
			}
		}
	}
}
