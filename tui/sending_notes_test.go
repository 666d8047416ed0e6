package tui

import (
	"slices"
	"testing"

	"parley/session"
)

// TestHeldNotes: notes come back in the order in which they were written, whatever
// their calls are called.
func TestHeldNotes(t *testing.T) {
	t.Parallel()
	n := heldNotes{{"z", "first"}, {"a", "second"}, {"z", "third"}, {"", "fourth"}}
	if got := n.texts(); !slices.Equal(got, []string{"first", "second", "third", "fourth"}) {
		t.Errorf("they are %q", got)
	}
	if got := n.take("z"); !slices.Equal(got, []string{"first", "third"}) || n.take("z") != nil {
		t.Errorf("of call z there were %q", got)
	}
	if !n.withdraw("second") || n.withdraw("second") || !slices.Equal(n.texts(), []string{"fourth"}) {
		t.Errorf("left are %q", n.texts())
	}
}

// TestReclaimedNotesKeepTheirOrder: when a turn is interrupted, the notes are in
// the composer in the order in which they were written.
func TestReclaimedNotesKeepTheirOrder(t *testing.T) {
	t.Parallel()
	for range 20 { // the order of a map is another one each time
		sc := newScenario(t, nil)
		for _, note := range []string{"one", "two", "three", "four"} {
			sc.m.front.answers.notes = append(sc.m.front.answers.notes, heldNote{session.CallID("call " + note), note})
		}
		sc.m.front.answers.reclaimNotes()
		if got := sc.m.front.composer.Text(); got != "one\n\ntwo\n\nthree\n\nfour" && got != "one\ntwo\nthree\nfour" {
			t.Fatalf("the composer has %q", got)
		}
	}
}
