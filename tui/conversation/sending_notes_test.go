package conversation

import (
	"slices"
	"testing"
)

// TestHeldNotes: notes come back in the order in which they were written, whatever
// their calls are called.
func TestHeldNotes(t *testing.T) {
	t.Parallel()
	n := HeldNotes{{"z", "first"}, {"a", "second"}, {"z", "third"}, {"", "fourth"}}
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
