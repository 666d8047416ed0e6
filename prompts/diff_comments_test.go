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

// TestCommentPlaces: what is sent names a file from the session's folder, and one
// elsewhere as it is.
func TestCommentPlaces(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"/home/ada/src/parley/tui/a.go": "tui/a.go", "/home/ada/src/parley2/a.go": "/home/ada/src/parley2/a.go", "/home/ada/a.go": "/home/ada/a.go",
	} {
		d := newDesk(t)
		d.ready(session.PermissionRequested{RequestID: "r1", PermissionRequest: session.PermissionRequest{
			PermissionDetails: session.PermissionDetails{
				Kind: "write", FileName: name, Diff: "--- a" + name + "\n+++ b" + name + "\n@@ -1 +1 @@\n-one\n+two\n",
			},
		}})
		d.press("c")
		d.typed("why")
		d.press("enter", "n", "enter")
		if got := d.answer().(session.PermissionAnswer).Feedback; got != want+":1 (removed): why\n> -one" {
			t.Errorf("%s: the refusal says %q", name, got)
		}
	}
}

// TestEnterAfterACommentAnswersNothing: a row that was chosen before the user objected to a
// line is not chosen any more.
func TestEnterAfterACommentAnswersNothing(t *testing.T) {
	t.Parallel()
	edit, _ := editOf()
	d := newDesk(t)
	d.height = 30
	d.ready(edit)
	d.press("down", "}", "c")
	d.typed("keep it")
	d.press("enter", "enter")
	d.none()
	d.press("down", "enter")
	if got := d.decided(); got != session.ApproveOnce {
		t.Errorf("decided %s", got)
	}
}
