package conversation

import (
	"strings"
	"testing"

	"parley/session"
)

// TestEventSet: an event is known again, however long its id is.
func TestEventSet(t *testing.T) {
	t.Parallel()
	s, long := eventSet{}, session.EventID(strings.Repeat("x", 1<<20))
	if s.add("one") || !s.add("one") || s.add("two") || s.add("") || s.add(long) || s.add(long+"y") || !s.add(long) || len(s) != 5 {
		t.Errorf("of %d events some are taken for others", len(s))
	}
}
