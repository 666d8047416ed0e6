package prompts

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"parley/session"
)

// TestUnread: what was not on the screen to its end is approved by reading on,
// or by a typed word, and by nothing else.
func TestUnread(t *testing.T) {
	t.Parallel()
	long := requests()["shell_long"]
	danger := shell("rm -rf "+strings.Repeat("a ", 4000), "rm")
	for _, tc := range []struct {
		name string
		body session.Body
		keys string
		want bool
	}{
		{"one key", long, "y", false},
		{"a chosen row", long, "5 esc up*2 enter", false},
		{"half read", long, "pgdown y", false},
		{"its end", long, "end y", true},
		{"its end, from the wheel's way", long, "pgdown end pgup y", true},
		{"danger, its end", danger, "end y enter", false},
		{"read", long, "pgdown*20 y", true},
		{"not the word", long, "u y e enter", false},
		{"the word", long, "u y e s enter", true},
		{"by digit", long, "5 y e s enter", true},
		{"danger, unread", danger, "y enter", false},
		{"danger, the word", danger, "u y e s enter", true},
		{"danger, read", danger, "pgdown*60 y enter", true},
		{"danger, read, one key", danger, "pgdown*200 y", false},
	} {
		d := newDesk(t)
		d.height = 16
		d.ready(tc.body)
		if !strings.Contains(d.text(), "rest unread") {
			t.Fatalf("%s: no way to approve it unread:\n%s", tc.name, d.text())
		}
		d.press(strings.Fields(tc.keys)...)
		approved := len(d.answers) == 1 && d.answers[0].(session.PermissionAnswer).Decision == session.ApproveOnce
		if approved != tc.want {
			t.Errorf("%s: approved %v: %v\n%s", tc.name, approved, d.answers, d.text())
		}
		if strings.HasPrefix(tc.name, "danger, read, one") && strings.Contains(d.text(), "rest unread") {
			t.Errorf("%s: read, and still offered unread", tc.name)
		}
	}
}

// change is a write request with a diff of n changed lines.
func change(n, width int) session.PermissionRequested {
	var b strings.Builder
	fmt.Fprintf(&b, "--- a/x.go\n+++ b/x.go\n@@ -1,0 +1,%d @@\n", n)
	for i := range n {
		fmt.Fprintf(&b, "+line %d %s\n", i, strings.Repeat("x", width))
	}
	return session.PermissionRequested{RequestID: "r1", PermissionRequest: session.PermissionRequest{
		PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "x.go", Diff: b.String(), ToolCallID: "call1"},
	}}
}

// TestComments: a comment on a line goes along with a refusal and with nothing
// else; it is not lost when the card closes.
func TestComments(t *testing.T) {
	t.Parallel()
	refused := func(feedback string) session.PermissionAnswer {
		return session.PermissionAnswer{RequestID: "r1", Decision: session.Reject, Feedback: feedback}
	}
	for _, tc := range []struct {
		name, keys string
		want       session.PermissionAnswer
	}{
		{"alone", "c h i enter n enter", refused("x.go:1: hi\n> +line 0 ")},
		{"with words", "c h i enter n n o enter", refused("no\n\nx.go:1: hi\n> +line 0 ")},
		{"taken away", "c h i enter c backspace*2 enter n enter", refused("")},
		{"two lines", "c a enter v j c b enter n enter", refused("x.go:1: a\n> +line 0 \n\nx.go:2: b\n> +line 1 ")},
		{"left alone", "c h i esc n enter", refused("")},
		{"approved", "c h i enter y", session.PermissionAnswer{RequestID: "r1", Decision: session.ApproveOnce}},
	} {
		d := newDesk(t)
		d.height = 40
		d.ready(change(3, 0))
		d.press(strings.Fields(tc.keys)...)
		if got := d.answer(); !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: got %+v, want %+v", tc.name, got, tc.want)
		}
	}
	d := newDesk(t)
	d.height = 40
	d.ready(change(3, 0))
	d.press("c", "h", "i", "enter")
	if !strings.Contains(d.text(), "hi") {
		t.Errorf("the comment is not shown:\n%s", d.text())
	}
	d.apply(session.PermissionCompleted{RequestID: "r1"})
	if got := d.q.Unsent(); len(got) != 1 || !strings.Contains(got[0], "hi") {
		t.Errorf("unsent: %q", got)
	}
}

// TestCommentCancelled: esc on a comment takes away what was written since it was
// opened, and nothing of that comes back, whatever the card is answered with.
func TestCommentCancelled(t *testing.T) {
	t.Parallel()
	const said = "x.go:1: a\n> +line 0 "
	for _, tc := range []struct{ name, keys, feedback, unsent string }{
		{"refused", "c ? esc n n o enter", "no", ""},
		{"allowed", "c ? esc esc y", "", ""},
		{"settled elsewhere", "c ? esc", "", ""},
		{"opened again", "c ? esc c enter n enter", "", ""},
		{"a kept one", "c a enter c b esc n enter", said, ""},
		{"a kept one, opened again", "c a enter c b esc c enter n enter", said, ""},
		{"a kept one, settled elsewhere", "c a enter c b esc", "", said},
	} {
		d := newDesk(t)
		d.height = 40
		d.ready(change(3, 0))
		d.press(strings.Fields(tc.keys)...)
		d.apply(session.PermissionCompleted{RequestID: "r1"})
		var feedback string
		if len(d.answers) > 0 {
			feedback = d.answer().(session.PermissionAnswer).Feedback
		}
		if got := strings.Join(d.q.Unsent(), "|"); feedback != tc.feedback || got != tc.unsent || len(d.q.Dropped()) > 0 || !d.q.Written().Empty() {
			t.Errorf("%s: sent %q, came back %q, left %+v", tc.name, feedback, got, d.q.Written())
		}
	}
}

// TestCutLines: a line that was cut short was not read.
func TestCutLines(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ready(change(60, 200))
	d.press("w", "pgdown*40", "y")
	d.none()
	d.press("w", "home", "pgdown*40", "y")
	if got := d.answer().(session.PermissionAnswer).Decision; got != session.ApproveOnce {
		t.Errorf("read whole: %s", got)
	}
}

// TestEffects: what keys ask for outside answers nothing.
func TestEffects(t *testing.T) {
	t.Parallel()
	all := requests()
	write := all["write"].(session.PermissionRequested)
	for _, tc := range []struct {
		name string
		body session.Body
		keys string
		want Effect
	}{
		{"read a command", all["shell"], "e", OpenEditor{Text: "git push origin fix-drain", Name: "question.txt", ReadOnly: true}},
		{"copy a command", all["shell"], "c", CopyText{"git push origin fix-drain"}},
		{"copy an address", all["url"], "c", CopyText{"https://pkg.go.dev/net/http?tab=doc"}},
		{"read a change", write, "e", OpenEditor{Text: write.PermissionRequest.Diff, Name: "/home/ada/src/parley/queue.go.diff", ReadOnly: true}},
		{"write a refusal", all["shell"], "n a ctrl+g", OpenEditor{Text: "a", Name: "answer.md"}},
		{"write an answer", all["question"], "4 a ctrl+g", OpenEditor{Text: "a", Name: "answer.md"}},
	} {
		d := newDesk(t)
		d.height = 40
		d.ready(tc.body)
		d.press(strings.Fields(tc.keys)...)
		d.none()
		if len(d.effects) != 1 || !reflect.DeepEqual(d.effects[0], tc.want) {
			t.Errorf("%s: %+v, want %+v", tc.name, d.effects, tc.want)
		}
	}
	d := newDesk(t)
	d.ready(all["url"])
	d.press("P", "ctrl+g")
	if len(d.effects) != 0 {
		t.Errorf("a word that approves was wanted from an editor: %+v", d.effects)
	}
}

// TestEdited: what was written in the editor goes to the card that asked, and
// is not lost when that is gone.
func TestEdited(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ready(shell("git push", "git push"))
	d.press("n", "ctrl+g")
	d.q.Edited("use a branch", d.now)
	d.q.Resize(d.now)
	d.draw()
	d.none()
	d.settle()
	d.press("enter")
	want := session.PermissionAnswer{RequestID: "r1", Decision: session.Reject, Feedback: "use a branch"}
	if got := d.answer(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}

	d = newDesk(t)
	d.ready(shell("git push", "git push"))
	d.press("n", "ctrl+g")
	d.apply(session.PermissionCompleted{RequestID: "r1"})
	other := shell("git pull", "git pull")
	other.RequestID = "r2"
	d.ready(other)
	d.q.Edited("use a branch", d.now)
	if got := d.q.Unsent(); !reflect.DeepEqual(got, []string{"use a branch"}) {
		t.Errorf("unsent %q", got)
	}
	d.q.Edited("again", d.now)
	if got := d.q.Unsent(); got != nil {
		t.Errorf("%q was not asked for", got)
	}
	d.none()
}
