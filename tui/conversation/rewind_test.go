package conversation

import (
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
		w := &rewinding{changes: map[session.EventID][]session.FileChange{"e": c.changes}}
		var paths []string
		for _, f := range c.changes {
			paths = append(paths, f.Path)
		}
		if asked := w.question(nil, session.RewindPoint{Event: "e", FileCount: len(c.changes)}); asked != c.asked {
			t.Errorf("asked %q, want %q", asked, c.asked)
		}
		if after := w.putBack("e", paths); after != c.after {
			t.Errorf("said %q, want %q", after, c.after)
		}
	}
}
