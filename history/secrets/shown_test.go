package secrets_test

import (
	"fmt"
	"testing"

	"parley/history/secrets"
)

// TestShown: what is remembered of a text is what Hide leaves of it, however many texts
// there are.
func TestShown(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts for the whole process
	var shown secrets.Shown
	for range 2 {
		for i := range 600 {
			title := fmt.Sprintf("log in with ghp_abcdefghijklmnopqrstuvwxyz01234%05d", i)
			if got, want := shown.Hide(title), secrets.Hide(title); got != want || got == title {
				t.Fatalf("%q is shown as %q, not %q", title, got, want)
			}
		}
	}
	if got := shown.Hide(""); got != "" {
		t.Errorf("nothing is shown as %q", got)
	}
	const again = "log in with ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	shown.Hide(again)
	if n := testing.AllocsPerRun(100, func() { shown.Hide(again) }); n > 0 {
		t.Errorf("a text that was shown is searched again: %v allocations", n)
	}
}
