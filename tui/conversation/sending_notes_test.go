package conversation

import (
	"slices"
	"testing"
)

// TestHeldNotes: notes come back in the order in which they were written, whatever
// their calls are called.
func TestHeldNotes(t *testing.T) {
	t.Parallel()
	n := HeldNotes{{Call: "z", Text: "first"}, {Call: "a", Text: "second"}, {Call: "z", Text: "third"}, {Text: "fourth"}}
	if got := n.texts(); !slices.Equal(got, []string{"first", "second", "third", "fourth"}) {
		t.Errorf("they are %q", got)
	}
	n.end("z")
	if got := n.takeEnded(); !slices.Equal(got, []string{"first", "third"}) || n.takeEnded() != nil {
		t.Errorf("of call z there were %q", got)
	}
	if !n.withdraw("second") || n.withdraw("second") || !slices.Equal(n.texts(), []string{"fourth"}) {
		t.Errorf("left are %q", n.texts())
	}
}
