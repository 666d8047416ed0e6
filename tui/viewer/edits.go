package viewer

import (
	"parley/render/diff"
	"parley/timeline"
)

// Edits returns the entries that changed files, newest first.
func Edits(t *timeline.Timeline) []timeline.EntryID {
	var ids []timeline.EntryID
	for i := t.Len() - 1; i >= 0; i-- {
		e := t.At(i)
		if c, ok := e.Body.(*timeline.ToolCall); ok && e.State == timeline.Done && Changes(c) {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// Changes reports whether a call changed a file and its result shows how: what a
// command printed is no change, even if it is a diff.
func Changes(c *timeline.ToolCall) bool {
	if c.ExitCode != nil || c.Command() != "" {
		return false
	}
	d, _, _, ok := diff.OfCall(c)
	if !ok {
		return false
	}
	added, removed := d.Added, d.Removed
	return added+removed > 0 || c.Family().ChangesFiles() // else a file that was read, as a diff
}
