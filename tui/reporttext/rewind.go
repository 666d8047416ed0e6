package reporttext

import (
	"fmt"
	"slices"

	"parley/render/text"
	"parley/session"
	"parley/theme"
)

// FilesAtStake are the files that changed since a prompt that one may go back to.
type FilesAtStake struct {
	Count   int // how many there are, known or not
	Changes []session.FileChange
	Short   func(path string) string // a path as it is shown
}

// Question asks whether files are to be restored, and deleted, and names those that may
// not be.
func (f FilesAtStake) Question() string {
	can, cannot := f.copied()
	deleted := f.created(func(c session.FileChange) bool { return !c.Foreign && !c.Gone })
	switch {
	case can == 0 && len(cannot) == 0:
		return "Go back? The created files are deleted already."
	case can == 0:
		return fmt.Sprintf("Rewind without restoring %s?", FirstOf(cannot))
	}
	s := fmt.Sprintf("Restore %s", text.Count(can-deleted, "file"))
	switch {
	case deleted >= can:
		s = fmt.Sprintf("Delete %s", text.Count(can, "file"))
	case deleted > 0:
		s += fmt.Sprintf(" and delete %d", deleted)
	}
	if len(cannot) > 0 {
		s += ", not " + FirstOf(cannot)
	}
	return s + f.unsure() + "?"
}

// PutBack says what was done to files: those that were created since are deleted.
func (f FilesAtStake) PutBack(paths []string) string {
	deleted := f.created(func(c session.FileChange) bool { return slices.Contains(paths, c.Path) })
	switch restored := len(paths) - deleted; {
	case deleted == 0:
		return text.Count(restored, "file") + " restored"
	case restored <= 0:
		return text.Count(deleted, "file") + " deleted"
	default:
		return fmt.Sprintf("%s restored, %d deleted", text.Count(restored, "file"), deleted)
	}
}

// Become says what becomes of the files, where they are put back too or not.
func (f FilesAtStake) Become(files bool) string {
	can, cannot := f.copied()
	deleted := f.created(func(c session.FileChange) bool { return !c.Gone })
	they, are, stay := "they", "are", "they stay as they are"
	if f.Count == 1 {
		they, are, stay = "it", "is", "it stays as it is"
	}
	switch {
	case !files:
		return stay
	case can == 0 && len(cannot) == 0:
		return they + " " + are + " deleted already"
	case can == 0:
		return they + " cannot be put back"
	case len(cannot) > 0:
		return fmt.Sprintf("%d can be put back", can)
	case deleted >= can:
		return they + " " + are + " deleted" + f.unsure()
	case deleted > 0:
		return "the created ones are deleted, the others restored" + f.unsure()
	}
	return they + " " + are + " restored" + f.unsure()
}

// unsure is what restoring depends on where files were not compared with what the agent left.
func (f FilesAtStake) unsure() string {
	if len(f.Changes) > 0 && !slices.ContainsFunc(f.Changes, func(c session.FileChange) bool { return !c.Compared && !c.NoCopy }) {
		return ""
	}
	if f.Count == 1 {
		return " if nothing else changed it"
	}
	return " where nothing else changed them"
}

// StateOf says why a file stays as it is, or may, with a space before it; "" if it does not.
func StateOf(c session.FileChange) string {
	switch {
	case c.Foreign && c.Gone:
		return " deleted by something else"
	case c.Foreign:
		return " changed since by something else: stays"
	case c.Gone:
		return " deleted again since"
	case c.NoCopy:
		return " no copy is known"
	}
	return ""
}

// copied returns how many files at stake can be restored, and the names of the others.
func (f FilesAtStake) copied() (can int, cannot []string) {
	can = f.Count
	for _, c := range f.Changes {
		switch {
		case c.NoCopy || c.Foreign:
			cannot = append(cannot, f.Short(c.Path))
			can--
		case c.Gone:
			can--
		}
	}
	return can, cannot
}

// created counts the files at stake, of those that can be put back, that are deleted by
// that: they did not exist before.
func (f FilesAtStake) created(back func(session.FileChange) bool) (n int) {
	for _, c := range f.Changes {
		if c.Change == "created" && back(c) {
			n++
		}
	}
	return n
}

// FirstOf is the first name and how many more there are.
func FirstOf(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return fmt.Sprintf("%s and %d more", names[0], len(names)-1)
}

// LineChanges are the counts of changed lines, with a space before them; "" if none
// are known.
func LineChanges(th *theme.Theme, added, removed int) string {
	if added == 0 && removed == 0 {
		return ""
	}
	return fmt.Sprintf(" +%d %s%d", added, th.Glyph(theme.MarkMinus), removed)
}
