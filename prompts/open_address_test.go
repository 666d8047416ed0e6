package prompts

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"parley/session"
	"parley/session/sessiontest"
)

func visiting(address string) session.ElicitationRequested {
	return session.ElicitationRequested{
		RequestID: "r1", ElicitationSource: "jira", Mode: session.URLMode, URL: address,
		Message: "Sign in, then come back.",
	}
}

var addresses = map[string]string{
	"url_mode":         "https://auth.example.com:8443/device?code=ABCD-EFGH&" + strings.Repeat("state=0123456789&", 12) + "end",
	"url_mode_odd":     "https://example.com@xn--exmple-cua.com/login",
	"url_mode_hidden":  "https://example.com/\u202egpj.exe",
	"url_mode_foreign": "file:///etc/passwd",
}

// TestLinks draws questions for an address at three widths.
func TestLinks(t *testing.T) {
	t.Parallel()
	for name, address := range addresses {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for _, width := range []int{60, 80, 140} {
				d := newDesk(t)
				d.width, d.height = width, 30
				d.event(session.Event{Agent: "agent-1", Body: session.SubagentStarted{AgentDisplayName: "explorer"}})
				d.event(session.Event{Agent: "agent-1", Body: visiting(address)})
				d.settle()
				fmt.Fprintf(&b, "-- %d\n%s\n", width, d.text())
			}
			sessiontest.Golden(t, "prompts/"+name, b.String())
		})
	}
}

// TestLink presses every key of the question: to open the address and to accept
// are one answer, and no other key opens anything.
func TestLink(t *testing.T) {
	t.Parallel()
	plain, odd := "https://auth.example.com/x", addresses["url_mode_odd"]
	for _, tc := range []struct {
		address, keys string
		want          session.ElicitationAction // "": no answer
		effect        Effect
	}{
		{plain, "y", session.Accept, OpenAddress{URL: plain}},
		{plain, "1 enter", session.Accept, OpenAddress{URL: plain}},
		{plain, "down enter", session.Accept, OpenAddress{URL: plain}},
		{plain, "n", session.Decline, nil},
		{plain, "x", session.Cancel, nil},
		{plain, "3 enter", session.Cancel, nil},
		{plain, "enter", "", nil},
		{plain, "esc y", "", nil},
		{plain, "c", "", CopyText{Text: plain}},
		{odd, "y", "", nil},
		{odd, "y enter", session.Accept, OpenAddress{URL: odd}},
		{odd, "n", session.Decline, nil},
		{"file:///etc/passwd", "y", "", nil},
		{"file:///etc/passwd", "c", "", CopyText{Text: "file:///etc/passwd"}},
		{"file:///etc/passwd", "1 enter", "", CopyText{Text: "file:///etc/passwd"}},
		{"file:///etc/passwd", "x", session.Cancel, nil},
		{"javascript:alert(1)", "y", "", nil},
		{"https://", "y", "", nil},
		{"https://a.b/\u202ex", "y", "", nil},
		{"https://a.b/\u202ex", "y enter", "", nil},
		{"https://a.b\\@c.d/", "y", "", nil},
		{"https://a.b/ x", "y", "", nil},
		{"", "y", "", nil},
		{"", "n", session.Decline, nil},
	} {
		d := newDesk(t)
		d.ready(visiting(tc.address))
		d.press(strings.Fields(tc.keys)...)
		var effect Effect
		for _, e := range d.effects {
			effect = e
		}
		if !reflect.DeepEqual(effect, tc.effect) {
			t.Errorf("%s, %s: did %#v", tc.address, tc.keys, effect)
		}
		if tc.want == "" {
			d.none()
			continue
		}
		if got := d.answer(); !reflect.DeepEqual(got, session.ElicitationAnswer{RequestID: "r1", Action: tc.want}) {
			t.Errorf("%s, %s: got %+v", tc.address, tc.keys, got)
		}
	}
}

// TestLinkRead: an address is accepted after all of it was on the screen.
func TestLinkRead(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.height = 14
	d.ready(visiting("https://example.com/" + strings.Repeat("0123456789", 200)))
	d.press("y")
	d.none()
	d.press("pgdown*20", "y")
	d.answer()
}
