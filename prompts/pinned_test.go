package prompts

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/session"
)

// longShell asks for a command of so many lines.
func longShell(lines int, details session.PermissionDetails) session.PermissionRequested {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "echo line %d\n", i)
	}
	r := shell(b.String(), "echo")
	r.PermissionRequest.PermissionDetails = details
	r.PermissionRequest.Kind, r.PermissionRequest.FullCommandText = "shell", b.String()
	r.PromptRequest = nil
	return r
}

// TestWarningsAndFactsStay: however long a command and what is known of it are, each
// warning and each fact stays on the card while the command scrolls; of what is cut short
// the lines are counted, and approving waits until they were read.
func TestWarningsAndFactsStay(t *testing.T) {
	t.Parallel()
	r := longShell(60, session.PermissionDetails{
		Intention:            strings.Repeat("publish the branch ", 20) + "PURPOSE",
		RequestSandboxBypass: true, RequestSandboxBypassReason: strings.Repeat("the network ", 30) + "REASON",
	})
	r.PermissionRequest.HasWriteFileRedirection = true
	r.PermissionRequest.PossiblePaths = []string{"a/b", strings.Repeat("long/", 60) + "PATH"}
	r.PermissionRequest.PossibleURLs = []session.PossibleURL{{URL: "https://example.com/x"}}
	d := newDesk(t)
	d.height = 19 // of a window of 24 lines
	d.ready(r)
	stay := []string{
		"outside the sandbox: the network", "… +6 lines", "Writes its output into a file.",
		"in        ~/src/parley", "named     by the agent: a/b", "reaches   https://example.com/x", "purpose   publish", "why       not allowed",
	}
	check := func() {
		t.Helper()
		for _, says := range stay {
			if !strings.Contains(d.text(), says) {
				t.Fatalf("%q is not on the card:\n%s", says, d.text())
			}
		}
	}
	check()
	if !strings.Contains(d.text(), "echo line 5") {
		t.Errorf("there is no room for the command:\n%s", d.text())
	}
	read := map[string]bool{}
	for range 40 {
		for _, end := range []string{"REASON", "PATH", "PURPOSE"} {
			read[end] = read[end] || strings.Contains(d.text(), end)
		}
		if !d.q.card().locked() {
			break
		}
		d.press("pgdown")
		check()
	}
	if d.q.card().locked() || len(read) != 3 || !read["REASON"] || !read["PATH"] || !read["PURPOSE"] {
		t.Errorf("approving is on %v after reading %v:\n%s", !d.q.card().locked(), read, d.text())
	}
	d.press("v")
	check()
}

// TestHintLeadsToUnread: what a card says of the lines to read first names a key that
// leads to them from where the user is.
func TestHintLeadsToUnread(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.height = 19
	r := longShell(60, session.PermissionDetails{Intention: "publish", Warning: "careful"})
	d.ready(r)
	says := func(hint string) {
		t.Helper()
		if d.press("y"); !strings.Contains(d.text(), "more lines to read first: "+hint+" ─") {
			t.Errorf("it does not say %s:\n%s", hint, d.text())
		}
		d.none()
	}
	says("pgdn or v for all")
	d.press("end")
	if !strings.Contains(d.text(), "lines above: pgup or v for all") || !strings.Contains(d.text(), "pgup read on") {
		t.Errorf("it does not say how to what was skipped:\n%s", d.text())
	}
	says("pgup or v for all")
	d.press("v")
	says("pgup")
	d.press("home")
	says("pgdn")
	d.press("v", "end")
	for range 40 {
		d.press("pgup")
	}
	if d.q.card().locked() {
		t.Errorf("every line was on the screen:\n%s", d.text())
	}

	d = newDesk(t)
	d.height = 19
	d.ready(longShell(60, session.PermissionDetails{Intention: "publish"}))
	says("pgdn, end or v for all")
	d.press("v")
	says("pgdn, end")
	if d.press("end"); d.q.card().locked() {
		t.Errorf("the end of what is not dangerous was on the screen:\n%s", d.text())
	}
}

// TestHintFitsNarrowCards: what leads to the unread lines is named whole on a narrow card.
func TestHintFitsNarrowCards(t *testing.T) {
	t.Parallel()
	for _, width := range []int{36, 40, 48, 60} {
		d := newDesk(t)
		d.width, d.height = width, 11
		d.ready(longShell(150, session.PermissionDetails{Intention: "publish", Warning: "careful"}))
		for _, key := range []string{"pgdn", "pgup"} {
			if key == "pgup" {
				d.press("end")
			}
			named := func(before string) bool {
				return slices.ContainsFunc([]string{" or v for all ", ", v ", " "}, func(after string) bool {
					return strings.Contains(d.text(), before+key+after)
				})
			}
			if !named(" lines: ") && !named(" lines above: ") {
				t.Errorf("%d: the card does not name %s:\n%s", width, key, d.text())
			}
			if d.press("y"); !named(" to read: ") && !named(" to read first: ") {
				t.Errorf("%d: the hint does not name %s:\n%s", width, key, d.text())
			}
		}
	}
}

// TestFullViewOfSmallWindow: in a small window the full view gives more of itself to what is
// asked about than to the rows, and says so where only the heading of that is in view.
func TestFullViewOfSmallWindow(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.width, d.height = 40, 10
	d.ready(session.ExitPlanModeRequested{
		RequestID: "p", Summary: strings.Repeat("Look around first. ", 12), PlanContent: strings.Repeat("One more step.\n\n", 9),
		Actions: []string{"autopilot", "interactive", "exit_only"},
	})
	if d.press("v"); !strings.Contains(d.text(), " lines below ") || strings.Contains(d.text(), "0 to 0") {
		t.Errorf("it is not said that all of it is below:\n%s", d.text())
	}
	if d.press("end"); strings.Count(d.text(), "One more step.") < 2 || !strings.Contains(d.text(), "Yes, on autopilot") {
		t.Errorf("the rows take the room:\n%s", d.text())
	}
	if d.press("3"); !strings.Contains(d.text(), "3  Yes, but wait") {
		t.Errorf("the row that was chosen is not in view:\n%s", d.text())
	}
	d.none()
}
