package conversation

import (
	"testing"

	"parley/session"
	"parley/tui/composer"
)

// A prompt that is sent now is not counted as queued beside the words that say so.
func TestSentNowIsNotQueued(t *testing.T) {
	t.Parallel()
	q := &promptQueue{
		Early:   make([]composer.Outgoing, 1),
		Pending: []session.Pending{{Text: "now", Steering: true}, {Text: "after the turn"}},
	}
	if n := q.queued(); n != 2 {
		t.Errorf("%d are queued", n)
	}
}
