package tui

import (
	"slices"

	"parley/session"
)

// heldNotes are the notes of approvals that wait for the approved call to
// complete, in the order in which they were written.
type heldNotes []heldNote

// heldNote is a note; call is "" where the question named none.
type heldNote struct {
	call session.CallID
	text string
}

// texts are all notes.
func (n *heldNotes) texts() []string {
	var texts []string
	for _, note := range *n {
		texts = append(texts, note.text)
	}
	return texts
}

// take removes the notes of a call and returns them.
func (n *heldNotes) take(call session.CallID) []string {
	var texts []string
	*n = slices.DeleteFunc(*n, func(note heldNote) bool {
		if note.call == call {
			texts = append(texts, note.text)
		}
		return note.call == call
	})
	return texts
}

// withdraw removes a note by its text; not ok means that it does not wait any more.
func (n *heldNotes) withdraw(text string) (ok bool) {
	i := slices.IndexFunc(*n, func(note heldNote) bool { return note.text == text })
	if i >= 0 {
		*n = slices.Delete(*n, i, i+1)
	}
	return i >= 0
}
