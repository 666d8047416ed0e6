package prompts

import (
	"strings"
	"testing"

	"parley/session"
)

// TestCommentKeepsTheCard: a comment that is begun on a card is written on the card, and
// the keys that go from change to change lead to lines that differ, in one column and in two.
func TestCommentKeepsTheCard(t *testing.T) {
	t.Parallel()
	ask := session.PermissionRequested{RequestID: "r1", PermissionRequest: session.PermissionRequest{
		PermissionDetails: session.PermissionDetails{
			Kind: "write", FileName: "/w/a.go", Diff: "--- a/w/a.go\n+++ b/w/a.go\n@@ -1,32 +1,32 @@\n" +
				strings.Repeat(" same\n", 3) + "-one\n+two\n" + strings.Repeat(" same\n", 27) + "-three\n+four\n",
		},
	}}
	for _, width := range []int{80, 140} {
		d := newDesk(t)
		d.width, d.height = width, 19
		d.ready(ask)
		for _, about := range []string{"a.go:4 (removed)", "a.go:32 (removed)"} {
			d.press("}", "c")
			if d.q.Full() || !strings.Contains(d.text(), "About `"+about+"`") || !strings.Contains(d.text(), "why       not allowed") {
				t.Errorf("at %d: no comment about %s on the card:\n%s", width, about, d.text())
			}
			d.press("esc")
		}
	}
}
