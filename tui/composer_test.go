package tui

import "testing"

// TestEnterAfterABackslash: enter behind a backslash makes a line of it, and sends
// nothing.
func TestEnterAfterABackslash(t *testing.T) {
	t.Parallel()
	sc := newScenario(t, nil)
	sc.step("type", `first\`)
	sc.step("key", "enter")
	sc.step("type", "second")
	if got := sc.draft(); got != "first\nsecond" || len(sc.s.calls) != 0 {
		t.Errorf("the draft is %q; %q", got, sc.s.calls)
	}
}
