package prompts

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"parley/prompts/consent"
	"parley/session"
	"parley/theme"
)

// marked are lines with a mark of its own each.
func marked(n int, line string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, line+"\n", string(rune(0x4e00+i)))
	}
	return b.String()
}

// longQuestions are questions with more to read than fits on the screen, with
// marks in what is asked, and in what else is known.
func longQuestions() map[string]session.Body {
	write := session.PermissionRequest{
		PermissionDetails: session.PermissionDetails{Kind: "write", FileName: "/w/a", Intention: "企", Diff: "--- a/w/a\n+++ b/w/a\n@@ -1,30 +1,60 @@ 乤\n" + marked(30, "-old\n+%s") +
			strings.Repeat("+ab "+strings.Repeat("x", 74)+"\n", 30)},
		PossiblePaths: []string{"/伂"},
	}
	return map[string]session.Body{
		"shell": session.PermissionRequested{RequestID: "r1", PermissionRequest: session.PermissionRequest{
			PermissionDetails: session.PermissionDetails{Kind: "shell", FullCommandText: marked(40, "echo "+strings.Repeat("x", 50)+" %s"), Warning: "伇", Intention: "伆"},
			PossiblePaths:     []string{"伄", "伅"},
		}},
		"change":       session.PermissionRequested{RequestID: "r1", PermissionRequest: write},
		"unknown":      session.PermissionRequested{RequestID: "r1", PermissionRequest: session.PermissionRequest{PermissionDetails: session.PermissionDetails{Kind: "teleport", Fact: marked(40, "to %s")}}},
		"plan":         session.ExitPlanModeRequested{RequestID: "r1", PlanContent: marked(50, "- do %s"), Summary: "企", Actions: []string{planInteractive}},
		"link":         session.ElicitationRequested{RequestID: "r1", Mode: session.URLMode, Message: marked(40, "see %s"), URL: "https://企example./"},
		"trust":        session.FolderTrustRequested{RequestID: "r1", Folder: "/企", Loads: []session.FolderContents{{Path: "a", What: marked(40, "%s")}}},
		"confirmation": session.ConfirmationRequested{RequestID: "r1", Type: "action", Title: "Do it", Message: marked(50, "do %s")},
		"sign-in":      session.McpOAuthRequired{RequestID: "r1", ServerName: "s", ServerURL: "https://a.example/" + strings.ReplaceAll(marked(30, "%s"), "\n", "/")},
	}
}

// marks adds to all the letters of lines that stand for themselves and are never
// broken.
func marks(all map[rune]bool, lines []string) {
	for _, line := range lines {
		for _, r := range line {
			if r >= 0x4e00 && r <= 0x4fff {
				all[r] = true
			}
		}
	}
}

// cardOf opens the card of a question.
func cardOf(body session.Body) *choiceDialog {
	q := NewQueue()
	q.Apply(session.Event{Body: body}, start)
	return q.dialogs[0].(*choiceDialog)
}

// mustBeSeen are the marks of a question that must have been on the screen before
// approving is on.
func mustBeSeen(t *testing.T, body session.Body, th *theme.Theme) map[rune]bool {
	t.Helper()
	c, all := cardOf(body), map[rune]bool{}
	b, n := c.body(200, th, c.alertLines(200, th), c.known(200, th), 0)
	marks(all, b.rows(0, n))
	if len(all) < 30 {
		t.Fatalf("only %d marks", len(all))
	}
	if dangerous := len(c.alerts) > 0; dangerous {
		return all
	}
	end := b.start + b.length
	for end > 1 && empty(b.rows(end-1, end)) {
		end--
	}
	clear(all)
	marks(all, b.rows(end-1, end))
	marks(all, b.rows(b.start+b.length, n)) // what else is known
	return all
}

// TestSeenIsSeen: however a user goes through a question, at whatever sizes,
// approving is on only after its end was on the screen, and of a dangerous one
// everything.
func TestSeenIsSeen(t *testing.T) {
	t.Parallel()
	for name, body := range longQuestions() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seenIsSeen(t, body)
		})
	}
}

func seenIsSeen(t *testing.T, body session.Body) {
	t.Helper()
	th := theme.Plain()
	all, unlocked := mustBeSeen(t, body, th), 0
	rapid.Check(t, func(rt *rapid.T) {
		c, seen := cardOf(body), map[rune]bool{}
		width, height := 80, 24
		look := func() {
			screen := c.draw(width, height, th, state{position: 1, total: 1, armed: true, focused: true})
			marks(seen, screen)
			if c.locked() || screen == nil || c.scroll.required == 0 {
				return
			}
			unlocked++
			for mark := range all {
				if !seen[mark] {
					rt.Fatalf("at %dx%d: approving is on, and %c was never on the screen\n%s",
						width, height, mark, strings.Join(screen, "\n"))
				}
			}
		}
		press := func(name string) {
			if k := stroked(name); k.Code == tea.KeyEscape {
				c.back()
			} else if r := c.role(k); slices.Contains([]consent.Role{consent.Moves, consent.Opens, consent.Types}, r) {
				c.press(k)
			}
			look()
		}
		look()
		keys := []string{"pgdown", "pgdown", "pgdown", "pgdown", "shift+down", "pgup", "home", "end", "t", "w", "right", "}", "v", "?", "tab", "esc", "down", "j", "G", "g", "/", "n", "enter"}
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			switch rapid.IntRange(0, 9).Draw(rt, "what") {
			case 0:
				width = rapid.IntRange(leastWidth+20, 160).Draw(rt, "width")
			case 1:
				height = rapid.IntRange(leastHeight, 40).Draw(rt, "height")
			default:
				press(rapid.SampledFrom(keys).Draw(rt, "key"))
			}
			look()
		}
		c.back()
		press("home")
		for range 80 {
			press("pgdown")
		}
	})
	if unlocked == 0 {
		t.Error("never read to its end: the test sees too few to judge")
	}
}

// TestAnotherForm: what was on the screen of a change in one column says nothing
// about it in two, nor at another width, even if it has as many rows there.
func TestAnotherForm(t *testing.T) {
	t.Parallel()
	for name, turn := range map[string]func(d *desk){
		"two columns": func(d *desk) { d.press("t") },
		"wider":       func(d *desk) { d.width++; d.q.Resize(d.now); d.draw() },
	} {
		d := newDesk(t)
		d.width, d.height = 110, 30
		d.apply(longQuestions()["change"])
		d.settle()
		d.press("v", "pgdown")
		c := d.q.card()
		before := c.scroll
		turn(d)
		if after := c.scroll; after.required != before.required || before.seen.count() <= before.height || after.top == 0 {
			t.Fatalf("%s: not the case that is tested: %+v, then %+v", name, before, after)
		}
		if n := c.scroll.seen.before(c.scroll.top).count(); n != 0 || c.scroll.seen.count() > c.scroll.height {
			t.Errorf("%s: %v count as seen, and what is in view begins at %d", name, c.scroll.seen, c.scroll.top)
		}
	}
}

// TestRowsAreOnTheScreen: a row answers only while the last drawing shows it.
func TestRowsAreOnTheScreen(t *testing.T) {
	t.Parallel()
	questions := longQuestions()
	questions["many"] = session.UserInputRequested{RequestID: "r1", Question: "Which?", Choices: strings.Fields(marked(30, "%s"))}
	questions["wide"] = session.UserInputRequested{RequestID: "r1", Question: "Which?", Choices: []string{strings.Repeat("wide ", 80), "b", strings.Repeat("c", 300), "d"}}
	for name, body := range questions {
		for _, height := range []int{leastHeight, 6, 7, 8, 9, 11, 14, 18, 23, 29} {
			for _, width := range []int{leastWidth, 37, 80} {
				for _, open := range []string{"", "n", "tab"} {
					q, th := NewQueue(), theme.Plain()
					q.Apply(session.Event{Body: body}, start)
					c := q.dialogs[0].(*choiceDialog)
					if c.note != nil {
						c.note.field = newField(strings.Repeat("a long note ", 20))
					}
					c.draw(width, height, th, state{armed: true, focused: true})
					if open != "" {
						c.press(stroked(open))
					}
					screen := strings.Join(c.draw(width, height, th, state{armed: true, focused: true}), "\n")
					for i, r := range c.choices.rows {
						label := []rune(r.label)[:min(6, len([]rune(r.label)))]
						if c.choices.visible(i) && !strings.Contains(screen, string(label)) {
							t.Fatalf("%s at %dx%d, %q: row %d answers and cannot be seen\n%s", name, width, height, open, i, screen)
						}
					}
				}
			}
		}
	}
}
