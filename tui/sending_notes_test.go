package tui

import (
	"testing"

	"parley/session"
	"parley/tui/conversation"
)

// TestReclaimedNotesKeepTheirOrder: when a turn is interrupted, the notes are in
// the composer in the order in which they were written.
func TestReclaimedNotesKeepTheirOrder(t *testing.T) {
	t.Parallel()
	for range 20 { // the order of a map is another one each time
		sc := newScenario(t, nil)
		for _, note := range []string{"one", "two", "three", "four"} {
			sc.m.win.Front.Queue.Notes = append(sc.m.win.Front.Queue.Notes, conversation.HeldNote{Call: session.CallID("call " + note), Text: note})
		}
		sc.m.win.Front.Answers.ReclaimNotes()
		if got := sc.m.win.Front.Composer.Text(); got != "one\n\ntwo\n\nthree\n\nfour" && got != "one\ntwo\nthree\nfour" {
			t.Fatalf("the composer has %q", got)
		}
	}
}
