package prompts

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/session"
)

// TestSlowTypists: somebody who begins a prompt on a card that has just come up, at any
// pace, permits nothing for longer than once, and the folder not at all.
func TestSlowTypists(t *testing.T) {
	t.Parallel()
	all := requests()
	questions := map[string]session.Body{
		"shell": all["shell"], "danger": all["shell_rm"], "write": all["write"], "url": all["url"], "mcp": all["mcp"], "path": all["path"],
		"trust": all["trust"], "model": others()["model_limit"],
	}
	for name, body := range questions {
		if body == nil {
			t.Fatalf("no question %s", name)
		}
		for _, word := range []string{"look", "list", "lynx", "yes", "you", "sort", "so", "Please", "no", "next", "1st", "2nd", "3 more", "4 of", "l", "ly"} {
			for pace := 150 * ms; pace <= 600*ms; pace += 50 * ms {
				d := newDesk(t)
				d.apply(body)
				d.settle()
				d.wait(time.Second)
				for _, r := range word + " at it" {
					d.key(stroked(string(r)), pace)
				}
				d.wait(3 * time.Second)
				what := fmt.Sprintf("%s, %q at %v a letter", name, word, pace)
				for _, a := range d.answers {
					if lasting(a) {
						t.Errorf("%s: %+v", what, a)
					}
				}
				if name == "trust" && d.draft.String() != word+" at it" {
					t.Errorf("%s: the draft is %q", what, d.draft.String())
				}
			}
		}
	}
}

// lasting reports whether an answer permits something for longer than once.
func lasting(a session.Answer) bool {
	switch a := a.(type) {
	case session.PermissionAnswer:
		return a.Decision.Approves() && a.Decision != session.ApproveOnce
	case session.FolderTrustAnswer:
		return a.Trusted
	case session.AutoModeSwitchAnswer:
		return a.Response == session.SwitchAlways
	}
	return careful(a)
}

// TestLastingAnswersTakeEnter: the letter of an answer that outlasts the session only
// chooses it, the card says that Enter does the rest, and Enter does nothing else.
func TestLastingAnswersTakeEnter(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]session.Body{"shell": requests()["shell"], "trust": requests()["trust"], "model": others()["model_limit"]} {
		for _, key := range []string{"l", "3", "2"} {
			if name == "shell" && key == "2" || name != "shell" && key == "3" {
				continue
			}
			d := newDesk(t)
			d.ready(body)
			d.press(key)
			d.wait(time.Second)
			d.none()
			if name != "trust" && !strings.Contains(d.text(), "(l, then enter)") || !strings.Contains(d.text(), "enter allows it") {
				t.Errorf("%s, %s:\n%s", name, key, d.text())
			}
			d.press("enter")
			if a := d.answer(); !lasting(a) {
				t.Errorf("%s, %s: %+v", name, key, a)
			}
		}
	}
	for _, key := range []string{"y", "n", "1"} {
		d := newDesk(t)
		d.ready(requests()["trust"])
		d.press(key)
		d.wait(time.Second)
		d.none()
		d.press("enter")
		d.answer()
	}
}

// TestEnterOfAWordAnswersNothing: Enter right behind a letter that chose a row is the
// end of what was typed.
func TestEnterOfAWordAnswersNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ready(requests()["trust"])
	d.key(stroked("l"), 240*ms)
	d.key(tea.KeyPressMsg{Code: tea.KeyEnter}, time.Second)
	d.none()
}
